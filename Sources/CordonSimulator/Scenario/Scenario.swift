public import CordonCore
package import CordonCrowd
public import CordonVenueTools
public import CordonVenues

/// The configuration of a run: venue, time, people, activities, policies, movement and phones.
///
/// docs/reference/scenarios.md describes the file format.
public struct Scenario: Hashable, Sendable {
  /// The name for readers; may be empty.
  public var name = ""
  /// The source of the venue; `nil` if the scenario does not name one.
  public var venue: VenueSource?
  /// The line that names the venue, for messages; 0 if the scenario was not read from a file.
  public var venueLine = 0
  /// The start of the run.
  public var start: Instant
  /// The end of the run.
  public var end: Instant
  /// The time zone of all times of day.
  public var clock: ScenarioClock
  /// People without a schedule; `nil` when ``populations`` describe the people.
  public var visitors: Visitors?
  /// The populations; empty with ``visitors``.
  public var populations: [Population]
  /// The activities.
  public var activities: [Activity]
  /// The groups of spaces that are counted together.
  package var groups: [SpaceGroup] = []
  /// The policies to compare.
  public var policies = Policies()
  /// The evacuation of the venue; `nil` without one.
  package var evacuation: Evacuation?
  /// The properties of the phones.
  public var phones = PhoneSetup()
  /// The air; `nil` to leave it out.
  package var air: AirRules?
  /// The rules of movement.
  public var movement = Movement()
  /// Distance within which two people are in contact, in metres.
  public var contactDistance = 2.0
  /// Maximum time between two fixes that are joined.
  public var maximumGap = TimeSpan.seconds(30)
  /// Contact duration that triggers a warning.
  public var warningThreshold = TimeSpan.minutes(15)
  /// Length of an occupancy bin.
  public var occupancyBin = TimeSpan.minutes(1)
  /// The outline that counts as the venue.
  public var boundary = BoundaryChoice.buildings
  /// The seed of all random numbers.
  public var seed: UInt64 = 1
  /// The number of replicas, each with other random numbers.
  public var replicas = 1

  /// Creates a scenario without people.
  public init(start: Instant, end: Instant, clock: ScenarioClock) {
    self.start = start
    self.end = end
    self.clock = clock
    populations = []
    activities = []
  }

  /// A scenario of people without a schedule, with the defaults of the command line.
  /// - Parameters:
  ///   - visitors: number of people, 1 to 1 000 000.
  ///   - start: start of the simulated time.
  ///   - duration: length of the simulated time, 1 ms to 31 days.
  ///   - seed: seed of all random numbers.
  public init(
    visitors: Int = 300, start: Instant = Scenario.defaultStart, duration: TimeSpan = .hours(2), seed: UInt64 = 1
  ) {
    self.init(start: start, end: start + duration, clock: .utc)
    self.visitors = Visitors(count: visitors)
    self.seed = seed
  }

  /// Length of the simulated time; setting it moves ``end``.
  public var duration: TimeSpan {
    get { end - start }
    set { end = start + newValue }
  }

  /// The default start: 2026-01-05T09:00:00Z, a Monday.
  public static let defaultStart = Instant(milliseconds: 1_767_603_600_000)

  /// The source of a venue.
  public enum VenueSource: Hashable, Sendable {
    /// A file or folder, relative to the folder of the scenario.
    case file(String)
    /// A generated venue; `area` is the area of a floor in square metres, and `nil` is the default of the kind.
    case generated(VenueGenerator.Kind, floors: Int, area: Double?, seed: UInt64)
  }

  /// The rules of movement.
  public struct Movement: Hashable, Sendable {
    /// The movement model.
    public var model = MovementChoice.csm
    /// Length of a step in milliseconds, 10 ... 150, for models with steps.
    public var step = CrowdMovement.defaultStep
    /// Whether every step of every walking person is checked against the plan.
    public var checksEveryStep = false
    /// Where people with bodies walk between walls.
    package var lanes = LaneSettings()

    /// Creates the default rules: the collision-free speed model.
    public init() {}
  }
}
