/// What everybody sets out to do, before anybody moves.
public struct CrowdPlan: Sendable {
  /// Visits, sorted by person and arrival; `Itinerary.person` tells whose. A person comes once or several times.
  public var itineraries: [Itinerary]
  /// Everybody, by number; somebody without an itinerary never comes.
  public var people: [PlannedPerson]
  /// Names of populations; ``PlannedPerson/population`` is an index into them.
  public var populations: [String]
  /// Stays that were meant but not possible, because every place was full.
  public var turnedAway = 0
  /// What became of people who came to nothing, in sentences.
  public var remarks: [String] = []
  /// The most that may be at a destination, by index in ``World/destinations``, where a policy says so.
  public var capacities: [Int: Int] = [:]

  /// Takes the parts as they are.
  public init(itineraries: [Itinerary], people: [PlannedPerson], populations: [String]) {
    self.itineraries = itineraries
    self.people = people
    self.populations = populations
  }
}

/// One person of a plan.
public struct PlannedPerson: Hashable, Sendable {
  /// Index in ``CrowdPlan/populations``.
  public var population: Int
  /// The share of such people who carry a phone.
  public var deviceShare: Double

  /// Takes the values as they are.
  public init(population: Int, deviceShare: Double) {
    self.population = population
    self.deviceShare = deviceShare
  }
}
