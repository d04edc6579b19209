import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonTesting

/// The cost of a fix in the monitor, without a store.
enum MonitorBenchmark {
  static let start = Instant(milliseconds: 1_767_254_400_000)

  /// A monitor that tracks.
  static func tracking(thinning: TimeSpan) throws -> Monitor {
    var configuration = MonitorConfiguration()
    configuration.thinning = thinning
    configuration.sinks = [Sink(.cordon, needsActivation: false)]
    guard let device = DeviceID("5a0f6a5c-3f6e-4a2e-9d2b-0a1b2c3d4e5f") else { return try tracking(thinning: thinning) }
    var monitor = Monitor(device: device, configuration: configuration)
    var effects = EffectBuffer()
    let now = ClockReading(virtual: start)
    _ = monitor.handle(.consent(Consent(version: "1", time: start)), at: now, into: &effects)
    _ = monitor.handle(.venue(SmallVenue()), at: now, into: &effects)
    _ = monitor.handle(.start, at: now, into: &effects)
    _ = monitor.handle(.region(.entered), at: now, into: &effects)
    return monitor
  }

  /// Refuses fixes in the courtyard: inside the geofence, outside the venue.
  static func refuse(_ count: Int) throws -> Int {
    var monitor = try tracking(thinning: .seconds(5))
    var effects = EffectBuffer()
    let place = SmallVenue().place(east: 50, north: 0)
    var refused = 0
    for index in 1...max(1, count) {
      let time = start + .milliseconds(Int64(index) * 1_000)
      let fix = Fix(coordinate: place, accuracy: 5, floor: FloorOrdinal(0), time: time)
      if case .refused = monitor.handle(.fix(fix), at: ClockReading(virtual: time), into: &effects) { refused += 1 }
    }
    return refused
  }

  /// Accepts fixes of a person who walks up and down, 5 s apart.
  static func accept(_ count: Int, thinning: TimeSpan) throws -> Int {
    var monitor = try tracking(thinning: thinning)
    var effects = EffectBuffer()
    let venue = SmallVenue()
    let places = (0..<40).map { venue.place(east: Double($0 < 20 ? $0 : 40 - $0) * 2.5 - 25, north: 3) }
    var accepted = 0
    for index in 1...count {
      let time = start + .milliseconds(Int64(index) * 5_000)
      let fix = Fix(coordinate: places[index % 40], accuracy: 8, floor: FloorOrdinal(0), time: time)
      switch monitor.handle(.fix(fix), at: ClockReading(virtual: time), into: &effects) {
      case .held, .stored: accepted += 1
      default: break
      }
      effects.removeAll()
    }
    return accepted
  }

  static func run() throws {
    try measure("monitor, refused fix", unit: "us") {
      let count = 2_000_000
      guard try refuse(count) == count else { fatalError("a fix outside was kept") }
      return (count, 1e6)
    }
    try measure("monitor, accepted fix (held, then stored)", unit: "us") {
      let count = try accept(1_000_000, thinning: .seconds(5))
      return (count, 1e6)
    }
    try measure("monitor, accepted fix (no thinning)", unit: "us") {
      let count = try accept(1_000_000, thinning: .zero)
      return (count, 1e6)
    }
    print("sizes: Monitor \(MemoryLayout<Monitor>.size) B, Runtime \(MemoryLayout<Runtime>.size) B")
  }
}
