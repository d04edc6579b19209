public import CordonCore
public import CordonVenues

/// What a simulation is asked to do.
public struct SimulationSettings: Hashable, Sendable {
  /// How many people come, 1 ... 1 000 000.
  public var people: Int
  /// The share of them who carry a phone, 0 ... 1.
  public var deviceShare: Double
  /// When the simulation begins.
  public var start: Instant
  /// How long it lasts; above zero.
  public var duration: TimeSpan
  /// What decides every random number.
  public var seed: UInt64
  /// The number of the repetition, from 0.
  public var replica: UInt32
  /// What phones are like.
  public var phoneSetup = PhoneSetup()
  /// How people move.
  public var movement = MovementChoice.csm
  /// Milliseconds of a step of the models that have steps, 10 ... 150.
  public var movementStep = CrowdMovement.defaultStep
  /// Whether every step of everybody is held against the plan.
  public var checksEveryStep = false
  /// Metres within which two devices are in contact.
  public var contactDistance: Double
  /// Two fixes farther apart in time than this are not joined.
  public var maximumGap: TimeSpan
  /// The outline that counts as the venue.
  public var boundary: BoundaryChoice
  /// Width of a bin of occupancy.
  public var occupancyBin: TimeSpan
  /// Seconds of contact from which a person should be warned.
  public var warningThreshold: TimeSpan
  /// How many threads may work; the result does not depend on it.
  public var threads: Int

  /// Settings with the defaults of the command line.
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

  /// Time between two fixes of a phone; at least 100 ms.
  public var fixInterval: TimeSpan {
    get { phoneSetup.interval }
    set { phoneSetup.interval = newValue }
  }

  /// How wrong phones are.
  public var phones: PhonePreset {
    get { phoneSetup.preset }
    set { phoneSetup.preset = newValue }
  }

  /// Says what is wrong with the settings, if anything is.
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

/// A setting that cannot be carried out.
public struct SimulationSettingsError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the setting, as on the command line.
  public var setting: String
  /// One sentence.
  public var message: String

  init(_ setting: String, _ message: String) {
    self.setting = setting
    self.message = message
  }

  /// `people: at least one person is needed, not 0`
  public var description: String { "\(setting): \(message)" }
}
