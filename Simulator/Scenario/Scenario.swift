public import CordonCore
public import CordonVenues

/// A run in all its parts: where, when, who, what for, under which rules, seen by which phones.
///
/// docs/reference/scenarios.md describes the file that it is read from.
public struct Scenario: Hashable, Sendable {
  /// For people; may be empty.
  public var name = ""
  /// Where.
  public var venue: VenueSource?
  /// The line that names the venue, for messages; 0 when it was not read.
  public var venueLine = 0
  /// When it begins.
  public var start: Instant
  /// When it ends.
  public var end: Instant
  /// IANA time zone of all times of day.
  public var clock: ScenarioClock
  /// Who comes.
  public var populations: [Population]
  /// What they do.
  public var activities: [Activity]
  /// Rules to compare.
  public var policies = Policies()
  /// What phones are like.
  public var phones = PhoneSetup()
  /// How people move.
  public var movement = Movement()
  /// Metres within which two are in contact.
  public var contactDistance = 2.0
  /// Two fixes farther apart in time are not joined.
  public var maximumGap = TimeSpan.seconds(30)
  /// Contact from which on a person should be warned.
  public var warningThreshold = TimeSpan.minutes(15)
  /// Width of a bin of occupancy.
  public var occupancyBin = TimeSpan.minutes(1)
  /// The outline that counts as the venue.
  public var boundary = BoundaryChoice.buildings
  /// Decides every random number.
  public var seed: UInt64 = 1
  /// How often it is repeated with other random numbers.
  public var replicas = 1

  /// A scenario with nobody in it.
  public init(start: Instant, end: Instant, clock: ScenarioClock) {
    self.start = start
    self.end = end
    self.clock = clock
    populations = []
    activities = []
  }

  /// Where a scenario takes place.
  public enum VenueSource: Hashable, Sendable {
    /// A file or folder; relative to the scenario's own folder.
    case file(String)
    /// A venue of the generator.
    case generated(VenueGenerator.Kind, floors: Int, area: Double?, seed: UInt64)
  }

  /// How people move.
  public struct Movement: Hashable, Sendable {
    /// The model.
    public var model = MovementChoice.csm
    /// Milliseconds of a step of the models that have steps, 10 ... 150.
    public var step = CrowdMovement.defaultStep
    /// Whether every step of everybody is held against the plan.
    public var checksEveryStep = false

    /// Bodies that keep apart.
    public init() {}
  }

  /// The longest span of time.
  public static let longest = TimeSpan.days(31)
}
