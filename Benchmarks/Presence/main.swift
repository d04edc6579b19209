import CordonCore
import CordonGeometry
import CordonPresence
import Foundation
import Measuring

/// A year of a person with a fix every second: nights at home, ways to work and back, days at work, walks on weekends.
struct Year {
  static let seconds = 365 * 86_400
  static let start: Int64 = 1_767_225_600_000
  private let frame = LocalFrame(origin: Coordinate(longitude: 11.5, latitude: 48.1))
  private var random: UInt64 = 7
  private var wander = (x: 0.0, y: 0.0)

  var home: Coordinate { frame.origin }

  private mutating func unit() -> Double {
    random ^= random << 13
    random ^= random >> 7
    random ^= random << 17
    return Double(random >> 11) * 0x1p-53
  }

  /// The position of a second of the year, in metres from home.
  private func place(_ second: Int) -> (x: Double, y: Double, isInside: Bool) {
    let (day, time) = (second / 86_400, Double(second % 86_400))
    if day % 7 >= 5 {
      // A walk of two hours around a square.
      guard (36_000..<43_200).contains(time) else { return (0, 0, true) }
      let way = (time - 36_000) * 1.4
      let (leg, along) = (Int(way / 2_520), way.truncatingRemainder(dividingBy: 2_520))
      switch leg {
      case 0: return (along, 0, false)
      case 1: return (2_520, along, false)
      case 2: return (2_520 - along, 2_520, false)
      default: return (0, 2_520 - along, false)
      }
    }
    switch time {
    case ..<27_000: return (0, 0, true)
    case ..<29_700: return ((time - 27_000) * 2, (time - 27_000), false)
    case ..<61_200: return (5_400, 2_700, true)
    case ..<63_900: return (5_400 - (time - 61_200) * 2, 2_700 - (time - 61_200), false)
    default: return (0, 0, true)
    }
  }

  mutating func fix(_ second: Int) -> PresenceFix {
    let place = place(second)
    wander.x = wander.x * 0.967 + (unit() - 0.5) * 2.6
    wander.y = wander.y * 0.967 + (unit() - 0.5) * 2.6
    let accuracy = (place.isInside ? 12 + unit() * 10 : 4 + unit() * 3).rounded(.toNearestOrEven)
    return PresenceFix(
      time: Year.start + Int64(second) * 1_000,
      coordinate: frame.unproject(PlanePoint(x: place.x + wander.x, y: place.y + wander.y)), accuracy: accuracy)
  }
}

/// Writes the year as CSV.
func write(to path: String) throws {
  FileManager.default.createFile(atPath: path, contents: nil)
  let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
  var year = Year()
  var text = "time,longitude,latitude,accuracy\n"
  for second in 0..<Year.seconds {
    let fix = year.fix(second)
    let (x, y) = (Int((fix.coordinate.longitude * 1e7).rounded()), Int((fix.coordinate.latitude * 1e7).rounded()))
    func degrees(_ value: Int) -> String {
      let rest = String(value % 10_000_000)
      return "\(value / 10_000_000)." + String(repeating: "0", count: 7 - rest.count) + rest
    }
    text += "\(fix.time / 1_000),\(degrees(x)),\(degrees(y)),\(Int(fix.accuracy))\n"
    if text.utf8.count > 1 << 20 {
      try file.write(contentsOf: Data(text.utf8))
      text = ""
    }
  }
  try file.write(contentsOf: Data(text.utf8))
  try file.close()
}

func run() throws {
  var year = Year()
  let making = measure(runs: 1) {
    var sum = 0.0
    for second in 0..<Year.seconds { sum += year.fix(second).coordinate.longitude }
    if sum.isNaN { print(sum) }
  }
  var table = Table(schema: "cordon.bench-presence/1")
  for (name, movement) in [("presence", MovementRules?.none), ("presence, visits and trips", MovementRules())] {
    year = Year()
    var rules = PresenceRules(homes: HomeHistory([try HomePlace(year.home)]))
    rules.movement = movement
    rules.timelineBin = .minutes(10)
    var report: PresenceReport?
    let time = measure(runs: 1) {
      var stream = PresenceStream(rules)
      for second in 0..<Year.seconds { stream.add(year.fix(second)) }
      report = stream.finish()
    }
    // The fixes are made while they are used, so that they need no memory; making them is measured alone and subtracted.
    let net = (fastest: time.fastest - making.fastest, median: time.median - making.median)
    let days = report?.days ?? []
    table.add(
      "\(name), 31.5 M fixes", net, per: 1, unit: "s", limit: 10,
      note: "\(days.count) days, \(days.reduce(0) { $0 + $1.away } / 3_600_000) h away, "
        + "\(Int(days.reduce(0) { $0 + $1.distance } / 1_000)) km, \(report?.visits.count ?? 0) visits, "
        + "\(report?.trips.count ?? 0) trips")
  }
  table.add(
    "peak memory", (fastest: peakBytes(), median: peakBytes()), per: 1_048_576, unit: "MiB", limit: 200)
  table.show(asJSON: CommandLine.arguments.contains("--json"))
}

let arguments = CommandLine.arguments.dropFirst().filter { $0 != "--json" }
if let path = arguments.first { try write(to: path) } else { try run() }
