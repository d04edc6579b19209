public import CordonCore
public import CordonVenues

/// The settings of a simulation.
public struct SimulationSettings: Hashable, Sendable {
  /// The number of people, 1 ... 1 000 000.
  public var people: Int
  /// The share of people who carry a phone, 0 ... 1.
  public var deviceShare: Double
  /// The start of the simulation, from 1970 to 2099.
  public var start: Instant
  /// The duration of the simulation; greater than zero, at most 31 days.
  public var duration: TimeSpan
  /// The seed of all random numbers.
  public var seed: UInt64
  /// The number of the replica, from 0.
  public var replica: UInt32
  /// The properties of the phones.
  public var phoneSetup = PhoneSetup()
  /// The movement model.
  public var movement = MovementChoice.csm
  /// Length of a step in milliseconds, 10 ... 150, for models with steps.
  public var movementStep = CrowdMovement.defaultStep
  /// Whether every step of every walking person is checked against the plan.
  public var checksEveryStep = false
  /// Distance within which two devices are in contact, in metres, 0 ... 1 000.
  public var contactDistance: Double
  /// Maximum time between two fixes that are joined.
  public var maximumGap: TimeSpan
  /// The outline that counts as the venue.
  public var boundary: BoundaryChoice
  /// Length of an occupancy bin.
  public var occupancyBin: TimeSpan
  /// Contact duration that triggers a warning.
  public var warningThreshold: TimeSpan
  /// Maximum number of threads; the result does not depend on it.
  public var threads: Int

  /// Creates settings with the defaults of the command line.
  /// - Parameters:
  ///   - people: the number of people.
  ///   - duration: the duration of the simulation.
  ///   - seed: the seed of all random numbers.
  public init(people: Int = 300, duration: TimeSpan = .hours(2), seed: UInt64 = 1) {
    self.people = people
    self.duration = duration
    self.seed = seed
    deviceShare = 1
    start = Instant(milliseconds: 1_767_603_600_000)  // 2026-01-05T09:00:00Z, a Monday
    replica = 0
    contactDistance = 2
    maximumGap = .seconds(30)
    boundary = .buildings
    occupancyBin = .minutes(1)
    warningThreshold = .minutes(15)
    threads = 1
  }

  /// Time between two fixes of a phone, 100 ms ... 1 h.
  public var fixInterval: TimeSpan {
    get { phoneSetup.interval }
    set { phoneSetup.interval = newValue }
  }

  /// The preset of the positioning error.
  public var phones: PhonePreset {
    get { phoneSetup.preset }
    set { phoneSetup.preset = newValue }
  }

  /// Checks the ranges of the settings.
  /// - Throws: ``SimulationSettingsError`` for the first setting that is out of range.
  public func check() throws(SimulationSettingsError) {
    guard people >= 1 else { throw SimulationSettingsError("people", "at least one person is needed, not \(people)") }
    guard people <= 1_000_000 else {
      throw SimulationSettingsError("people", "at most 1000000 people can be simulated, not \(people)")
    }
    guard (0...1).contains(deviceShare) else {
      throw SimulationSettingsError("device-share", "a share is between 0 and 1, not \(deviceShare)")
    }
    guard duration > .zero else {
      throw SimulationSettingsError("duration", "a simulation lasts longer than nothing, not \(duration)")
    }
    guard duration <= .days(31) else {
      throw SimulationSettingsError("duration", "at most 31d can be simulated at once, not \(duration)")
    }
    guard fixInterval >= .milliseconds(100), fixInterval <= .hours(1) else {
      throw SimulationSettingsError("interval", "fixes are between 100ms and 1h apart, not \(fixInterval)")
    }
    guard contactDistance.isFinite, contactDistance >= 0, contactDistance <= 1_000 else {
      throw SimulationSettingsError(
        "distance", "a contact distance is between 0 and 1000 metres, not \(contactDistance)")
    }
    guard maximumGap > .zero else {
      throw SimulationSettingsError("max-gap", "a gap is longer than nothing, not \(maximumGap)")
    }
    guard start.milliseconds >= 0, start.milliseconds < 4_102_444_800_000 else {
      throw SimulationSettingsError("start", "a simulation starts between 1970 and 2099")
    }
  }
}

/// A setting that is out of range.
public struct SimulationSettingsError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the setting, as on the command line.
  public var setting: String
  /// A message of one sentence.
  public var message: String

  init(_ setting: String, _ message: String) {
    self.setting = setting
    self.message = message
  }

  /// The setting and the message, such as `people: at least one person is needed, not 0`.
  public var description: String { "\(setting): \(message)" }
}
