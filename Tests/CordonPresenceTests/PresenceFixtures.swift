import CordonCore
import CordonGeometry
import CordonPresence

/// Places around a home at a round coordinate, and fixes there.
enum Near {
  static let origin = Coordinate(longitude: 11.5, latitude: 48.1)
  static let frame = LocalFrame(origin: origin)
  /// 2026-01-05 08:00:00 UTC, a Monday.
  static let start: Int64 = 1_767_600_000_000

  /// The position so many metres east and north of the home.
  static func place(_ east: Double, _ north: Double = 0) -> Coordinate {
    frame.unproject(PlanePoint(x: east, y: north))
  }

  /// A fix so many seconds after the start.
  static func fix(_ second: Double, east: Double = 0, north: Double = 0, accuracy: Double? = 5) -> PresenceFix {
    PresenceFix(time: start + Int64(second * 1_000), coordinate: place(east, north), accuracy: accuracy)
  }

  static func home(radius: Double = 100) throws -> HomeHistory {
    HomeHistory([try HomePlace(origin, radius: radius)])
  }

  /// The report of fixes.
  static func report(
    _ fixes: [PresenceFix], _ rules: PresenceRules, calendar: DayCalendar = DayCalendar()
  ) -> PresenceReport {
    var stream = PresenceStream(rules, calendar: calendar)
    for fix in fixes { stream.add(fix) }
    return stream.finish()
  }
}

/// Numbers that look random and are the same on every machine.
struct Noise {
  private var random: RandomStream

  init(seed: UInt64) { random = RandomStream(seed: seed, stream: 1) }

  /// A number of the standard normal distribution (Box and Muller).
  mutating func normal() -> Double {
    let radius = (-2 * PortableMath.log(1 - uniform())).squareRoot()
    return radius * PortableMath.cos(2 * Double.pi * uniform())
  }

  mutating func uniform() -> Double { Double(random.next() >> 11) * 0x1p-53 }
}
