public import CordonCore

/// The parameters of a run that concern people's true positions.
public struct CrowdScenario: Hashable, Sendable {
  /// The number of people, 1 ... ``largestCrowd``; each comes once.
  public var people: Int
  /// The start of the run.
  public var start: Instant
  /// The duration of the run; greater than zero, at most ``longestRun``.
  public var duration: TimeSpan
  /// The seed of all random numbers; equal seeds give equal runs.
  public var seed: UInt64
  /// The number of the replica, from 0.
  public var replica: UInt32
  /// The purpose of the venue; `nil` derives it from the map.
  public var profile: VenueProfile?

  /// The maximum number of people in one run.
  public static let largestCrowd = 1_000_000
  /// The maximum duration of a run: 31 days.
  public static let longestRun = TimeSpan.seconds(31 * 86_400)

  /// Creates the parameters without a check; `Simulation.truth(world:scenario:model:threads:onReady:progress:)` checks
  /// them.
  public init(
    people: Int, start: Instant, duration: TimeSpan, seed: UInt64, replica: UInt32 = 0, profile: VenueProfile? = nil
  ) {
    self.people = people
    self.start = start
    self.duration = duration
    self.seed = seed
    self.replica = replica
    self.profile = profile
  }

  /// The end of the run.
  public var end: Instant { start + duration }

  func random(_ stream: UInt32, entity: Int) -> RandomStream {
    RandomStream(seed: seed, replica: replica, stream: stream, entity: UInt64(entity))
  }
}

/// The purposes of the simulator's random numbers; each purpose has a stream of its own.
enum Stream {
  static let spots: UInt32 = 0x7370_6f74
  static let person: UInt32 = 0x7065_7273
  static let rides: UInt32 = 0x7269_6465
  static let arrivals: UInt32 = 0x6172_7276
  static let company: UInt32 = 0x636f_6d70
  static let events: UInt32 = 0x6576_6e74
  static let days: UInt32 = 0x6461_7973
}

/// The reason why a run is not possible.
public enum SimulationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number of people is not in 1 ... ``CrowdScenario/largestCrowd``.
  case people(Int)
  /// The duration is not in 1 ms ... ``CrowdScenario/longestRun``.
  case duration(TimeSpan)
  /// The run would need more memory than the machine has; `needed` and `available` are in bytes.
  case memory(people: Int, needed: Double, available: Double)

  /// One sentence for readers.
  public var description: String {
    switch self {
    case .people(let count): "\(count) people: the number must be in 1 ... \(CrowdScenario.largestCrowd)"
    case .duration(let span):
      "a run of \(span.milliseconds) ms: the duration must be more than zero and at most 31 days"
    case .memory(let people, let needed, let available):
      "\(people) people with their phones would need about \(Int(needed / 1_073_741_824) + 1) GiB of memory and this machine has "
        + "\(Int(available / 1_073_741_824)) GiB, enough for about \(SimulationError.rounded(Double(people) * available / needed)) of "
        + "them; let fewer come, for a shorter time, with fewer phones or a longer interval"
    }
  }

  /// Rounds down to two digits, after subtracting the memory that other programs need.
  private static func rounded(_ people: Double) -> Int {
    var unit = 1.0
    while people * 0.85 / unit >= 100 { unit *= 10 }
    return Int((people * 0.85 / unit).rounded(.down) * unit)
  }
}
