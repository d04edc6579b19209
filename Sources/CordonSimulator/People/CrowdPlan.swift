package import CordonCrowd

/// The plans of all people in a run, before they move.
package struct CrowdPlan: Sendable {
  /// The visits, sorted by person and arrival. A person has one or several visits.
  package var itineraries: [Itinerary]
  /// All people, by number; a person without an itinerary never arrives.
  package var people: [PlannedPerson]
  /// The names of the populations; ``PlannedPerson/population`` is an index into them.
  package var populations: [String]
  /// The stations that serve people; ``Itinerary/Stop/station`` is an index into them.
  package var stations: [ServiceStation] = []
  /// The number of planned stays that were not possible because every place was full.
  package var turnedAway = 0
  /// The number of people for whom an activity had no desk or other place of their own left, once for each such activity.
  package var withoutPlace = 0
  /// Remarks on people who could not carry out their plans, one sentence each.
  package var remarks: [String] = []
  /// The maximum number of people at a destination, by index in ``World/destinations``, where a policy limits it.
  package var capacities: [Int: Int] = [:]

  /// Creates a plan from its parts.
  package init(itineraries: [Itinerary], people: [PlannedPerson], populations: [String]) {
    self.itineraries = itineraries
    self.people = people
    self.populations = populations
  }
}

/// One person of a plan.
package struct PlannedPerson: Hashable, Sendable {
  /// Index in ``CrowdPlan/populations``.
  package var population: Int
  /// The share of such people who carry a phone, 0 ... 1.
  package var deviceShare: Double

  /// Creates a person from their values.
  package init(population: Int, deviceShare: Double) {
    self.population = population
    self.deviceShare = deviceShare
  }
}
