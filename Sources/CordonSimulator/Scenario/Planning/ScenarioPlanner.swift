import CordonCore
package import CordonCrowd
import CordonGeometry
import CordonNavigation
import CordonVenues

/// Plans the days of a scenario: arrivals, activities, places and company.
///
/// Visits are planned in order of arrival, because each spot and seat is assigned to one person at a time. Walking
/// times are estimates; the walk itself may take longer or shorter.
package struct ScenarioPlanner {
  let world: World
  let scenario: Scenario
  let replica: UInt32
  let places: ScenarioPlaces
  let choices: [[Int: PlaceChoice]]
  /// The random choice of a door, for populations whose doors lead to separate parts of the venue.
  let doorChoices: [WeightedChoice?]
  var events: CollectiveEvents
  var book: SpotBook
  var presence: PresenceBook
  var stations: ScenarioStations
  /// The spot of a person for an activity with an own place.
  var ownSpots: [OwnPlace: DeskPlan.Desk] = [:]
  var desks: DeskPlan
  /// By activity: the people for whom no desk or other place of their own was left.
  var withoutPlace: [Int: Set<Int>] = [:]
  var turnedAway = 0
  /// The indices of the activities by name.
  let indices: [String: Int]
  /// By activity: the number of people who left out a step.
  var leftOut: [Int: Int] = [:]
  /// By activity: the number of people whose visit ended before the minimum number of times.
  var unmet: [Int: Int] = [:]

  // Durations, in milliseconds.

  /// Interval at which the members of a party pass the door.
  static let doorInterval: Int64 = 800
  /// Minimum time before an event in which a person starts another activity.
  static let minimumFreeTime = TimeSpan.minutes(4).milliseconds
  /// Time between the end of an activity and the start of the next event.
  static let marginBeforeEvent = TimeSpan.seconds(90).milliseconds
  /// Minimum duration of a stay, and of a last stay that extends a visit.
  static let minimumStay = TimeSpan.seconds(5).milliseconds
  static let minimumLastStay = TimeSpan.minutes(1).milliseconds
  /// Time after which people without room or without an activity try again, and its minimum before a deadline.
  static let waitingTime = TimeSpan.minutes(5).milliseconds
  static let minimumWait = TimeSpan.seconds(1).milliseconds
  /// Time for which a spot is booked before an estimated arrival, and before a move to another spot.
  static let arrivalMargin = TimeSpan.seconds(20).milliseconds
  static let moveMargin = TimeSpan.seconds(5).milliseconds
  /// Estimated time to walk to the next spot of a stay.
  static let moveTime = TimeSpan.seconds(3).milliseconds
  /// Time reserved for the ways around a required activity; an activity that lasts longer starts only if the time left
  /// before an event is at least as long.
  static let activityMargin = TimeSpan.minutes(10).milliseconds
  /// Maximum number of spots in one stay.
  static let maximumMoves = 500
  /// Maximum number of waits in one visit.
  static let maximumWaits = 400

  struct OwnPlace: Hashable {
    var person: Int
    var activity: Int
  }

  /// Resolves the scenario's names in the venue.
  /// - Throws: ``ScenarioError`` for names that the venue does not have, for places without a way to them and for
  ///   impossible schedules.
  package init(_ scenario: Scenario, world: World, replica: UInt32 = 0) throws(ScenarioError) {
    var scenario = scenario
    if scenario.activities.isEmpty { scenario.activities = Scenario.defaultActivities(in: world) }
    try scenario.checkSchedules()
    self.world = world
    self.scenario = scenario
    self.replica = replica
    indices = Dictionary(
      scenario.activities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    let places = try ScenarioPlaces(scenario, world: world)
    self.places = places
    stations = ScenarioStations(scenario, places: places)
    doorChoices = scenario.populations.indices.map { ScenarioPlanner.doorChoice(of: $0, scenario, places, world) }
    var presence = PresenceBook(limits: places.limits, rooms: world.destinations.map(\.room))
    var book = SpotBook(world: world)
    desks = try DeskPlan(scenario, places: places, world: world, book: &book, presence: &presence)
    choices = zip(places.places, places.popularity).map { groups, popularity in
      groups.mapValues { PlaceChoice($0, presence: presence, popularity: popularity) }
    }
    events = CollectiveEvents(scenario, places: places, world: world, replica: replica, presence: &presence)
    self.presence = presence
    self.book = book
  }

  /// Plans all visits.
  ///
  /// Complexity: about linear in the number of stays, times the number of spots of a destination and the logarithm of
  /// their bookings.
  /// - Throws: ``ScenarioError`` if a population has no visits, or if there are too many people.
  package mutating func plan() throws(ScenarioError) -> CrowdPlan {
    var arrivals = ArrivalPlanner(scenario, replica: replica, defaultVisit: world.profile.meanVisit)
    try arrivals.draw()
    let visits = arrivals.visits
    var members: [Int: [Int]] = [:]
    for (index, visit) in visits.enumerated() {
      if let leader = visit.leader { members[leader, default: []].append(index) }
    }
    let order = visits.indices.filter { visits[$0].leader == nil }.sorted {
      (visits[$0].arrival, visits[$0].person) < (visits[$1].arrival, visits[$1].person)
    }
    var itineraries: [Itinerary] = []
    itineraries.reserveCapacity(visits.count)
    var parties: [Range<Int>] = []
    for index in order {
      let company = (members[index] ?? []).map { visits[$0] }
      let party = plan(visits[index], company: company)
      parties.append(itineraries.count..<itineraries.count + party.count)
      itineraries += party
    }
    itineraries = ScenarioPlanner.sorted(itineraries, parties: parties)
    var plan = CrowdPlan(
      itineraries: itineraries, people: arrivals.people, populations: scenario.populations.map(\.name))
    plan.turnedAway = turnedAway
    plan.withoutPlace = withoutPlace.values.reduce(0) { $0 + $1.count }
    plan.stations = stations.list
    plan.remarks = remarks(on: plan, arrivals: arrivals)
    for (index, limit) in places.limits.enumerated() { plan.capacities[index] = limit }
    return plan
  }
}
