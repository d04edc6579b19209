package import CordonCore
package import CordonCrowd

/// The evacuation of a venue: when it begins, who is inside, when people set off, and which ways they can use.
///
/// docs/reference/evacuation.md describes every value.
package struct Evacuation: Hashable, Sendable {
  /// The people inside when the alarm sounds.
  package enum Occupants: Hashable, Sendable {
    /// The people of the scenario, where they are at a time of its first day.
    case day(at: ClockTime)
    /// People in all spaces, as a share of the occupant load of each space.
    case occupantLoad(share: Double)
    /// A number of people, spread over all spaces in proportion to their occupant loads.
    case people(Int)
    /// A number of people in each of the named spaces.
    case spaces([SpaceLoad])
  }

  /// The number of people in each space of a name, identifier or kind.
  package struct SpaceLoad: Hashable, Sendable {
    /// The spaces.
    package var target: Policies.Target
    /// The number of people in each of them.
    package var people: Int
  }

  /// People with the same limits of movement.
  package struct Mobility: Hashable, Sendable {
    /// The name in results.
    package var name: String
    /// Share of all people, 0 ... 1.
    package var share: Double
    /// The names of the populations; empty for all.
    package var populations: [String] = []
    /// Factor of the free speed, more than 0.
    package var speed: Double
    /// Factor of the speed on stairs, in addition to ``speed``; 0 for people who cannot use stairs.
    package var stairs: Double
  }

  /// The pre-movement time of a population.
  package struct PreMovement: Hashable, Sendable {
    /// The name of the population; `nil` for all others.
    package var population: String?
    /// The time from the alarm until people set off.
    package var delay: DurationRule
  }

  /// An exit that becomes unusable during the evacuation.
  package struct Loss: Hashable, Sendable {
    /// The exit, by name, identifier or number.
    package var exit: Policies.Target
    /// The time after the start of the evacuation.
    package var after: TimeSpan
  }

  /// Smoke in spaces.
  package struct SmokeRule: Hashable, Sendable {
    /// The spaces, by name, identifier or kind.
    package var target: Policies.Target
    /// The smoke in each of them.
    package var smoke: Smoke
  }

  /// The people inside; `nil` for the occupant load of every space.
  package var occupants: Occupants?
  /// The line of ``occupants`` in the scenario, for messages; 0 without one.
  package var line = 0
  /// The time from the start of the evacuation until the alarm, one value for all people.
  package var alarmDelay = DurationRule.fixed(.zero)
  /// The pre-movement times; without an entry for a population, ``PreMovementPreset`` of the kind of venue.
  package var preMovement: [PreMovement] = []
  /// Share of people who use only the entrance by which they came, 0 ... 1.
  package var familiarShare = 0.0
  /// Exits that cannot be used, by name, identifier or number.
  package var closedExits: [Policies.Target] = []
  /// Doors, connections and spaces that cannot be used.
  package var closedOpenings: [Policies.Target] = []
  package var closedConnections: [Policies.Target] = []
  package var closedSpaces: [Policies.Target] = []
  /// Exits that become unusable later.
  package var losses: [Loss] = []
  /// Smoke during the whole evacuation. The last rule that names a space decides.
  package var smoke: [SmokeRule] = []
  /// Share of people who follow the choice of others, 0 ... 1.
  package var followingShare = 0.0
  /// Whether elevators run.
  package var usesElevators = false
  /// The people with limits of movement.
  package var mobility: [Mobility] = []
  /// Share of the people of a load who belong to groups, 0 ... 1, and the sizes of groups.
  package var groupShare = 0.0
  package var groupSize = 2...4
  /// Whether groups meet before they leave.
  package var reunites = true
  /// Time between two comparisons of exits by a walking person; zero for one choice at the start.
  package var reconsideration = TimeSpan.seconds(5)
  /// Maximum flow through exits, in people per second and metre of width.
  package var exitFlow = 1.33
  /// Time after which the run ends if people are still inside.
  package var limit = TimeSpan.hours(1)

  /// Creates an evacuation of the occupant load of every space, without delays and closures.
  package init() {}

  /// Gives all people the same pre-movement time.
  package mutating func setPreMovement(_ delay: DurationRule) {
    preMovement = [PreMovement(population: nil, delay: delay)]
  }

  /// Closes more exits and connections, which no line of a file names.
  package mutating func close(exits: [String], connections: [String]) {
    closedExits += exits.map { Policies.Target(name: $0, line: 0) }
    closedConnections += connections.map { Policies.Target(name: $0, line: 0) }
  }
}

/// Pre-movement times by the state of occupants, for buildings with an automatic alarm to all people.
///
/// The distributions are log-normal. Their quantiles of 1 and 99 % are the times of the first and last occupants of
/// PD 7974-6:2004, Annex C, as the literature cites them; see docs/explanation/evacuation.md.
package enum PreMovementPreset: String, Hashable, Sendable, CaseIterable {
  /// Offices and schools with good management: 30 s and 90 s.
  case awakeFamiliar = "awake-familiar"
  /// Shops, museums and other places of visitors with good management: 30 s and 150 s.
  case awakeUnfamiliar = "awake-unfamiliar"
  /// Medical care, people awake: 30 s and 150 s.
  case medical
  /// Stations and airports: 90 s and 330 s.
  case transport
  /// Residences with management on site: 10 min and 30 min.
  case sleeping

  /// The times after which 1 % and 99 % of people have set off, in seconds.
  package var quantiles: (first: Double, last: Double) {
    switch self {
    case .awakeFamiliar: (30, 90)
    case .awakeUnfamiliar, .medical: (30, 150)
    case .transport: (90, 330)
    case .sleeping: (600, 1_800)
    }
  }

  /// The distribution of the pre-movement time.
  package var delay: DurationRule {
    let (first, last) = quantiles
    let spread = (PortableMath.log(last) - PortableMath.log(first)) / (2 * 2.326_348)
    return DurationRule(
      .logNormal(median: (first * last).squareRoot(), spread: spread), minimum: .seconds(1), maximum: .hours(2))
  }
}
