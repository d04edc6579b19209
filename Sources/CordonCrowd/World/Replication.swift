package import CordonCore

/// One repetition of a scenario: its time and its random numbers.
package struct Replication: Hashable, Sendable {
  /// Start of the simulated time.
  package var start: Instant
  /// Length of the simulated time; more than zero.
  package var duration: TimeSpan
  /// Seed of all random numbers; equal seeds give equal runs.
  package var seed: UInt64
  /// Number of the repetition, from 0; each has random numbers of its own.
  package var number: UInt32

  /// Creates a repetition without checking its values.
  package init(start: Instant, duration: TimeSpan, seed: UInt64, number: UInt32 = 0) {
    self.start = start
    self.duration = duration
    self.seed = seed
    self.number = number
  }

  /// End of the simulated time.
  package var end: Instant { start + duration }

  package func random(_ stream: UInt32, entity: Int) -> RandomStream {
    RandomStream(seed: seed, replica: number, stream: stream, entity: UInt64(entity))
  }
}

/// The purposes of the simulator's random numbers; two purposes share no number.
package enum Stream {
  package static let spots: UInt32 = 0x7370_6f74
  package static let person: UInt32 = 0x7065_7273
  static let rides: UInt32 = 0x7269_6465
  package static let arrivals: UInt32 = 0x6172_7276
  package static let company: UInt32 = 0x636f_6d70
  package static let events: UInt32 = 0x6576_6e74
  package static let days: UInt32 = 0x6461_7973
  package static let desks: UInt32 = 0x6465_736b
  package static let appointments: UInt32 = 0x6170_7074
  package static let evacuationPlaces: UInt32 = 0x6576_7370
  package static let evacuationPeople: UInt32 = 0x6576_7065
  package static let evacuationDelays: UInt32 = 0x6576_6465
  package static let evacuationAlarm: UInt32 = 0x6576_616c
  package static let evacuationFollowers: UInt32 = 0x6576_666f
}
