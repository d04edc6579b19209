import CordonConsole
import CordonCore
import CordonPresence

/// The eight columns of a published tracker as CSV (RFC 4180), written while fixes arrive.
///
/// Unknown values are empty; an unknown accuracy is `N/A`, as published. The running totals are those of the local day.
struct PresenceTable {
  private let file: OutputFile
  private let day: String?
  private var bytes: [UInt8] = []

  /// The first line.
  static let header =
    "Timestamp,Latitude,Longitude,Accuracy,IsAwayFromHome,IsOutdoors,CumulativeTimeAwayHome(minutes),"
    + "CumulativeTimeOutdoors(minutes)\r\n"

  /// - Parameter day: the only date to write; `nil` for all.
  init(_ destination: Destination, day: String?) throws {
    file = try destination.open()
    self.day = day
    try file.write(PresenceTable.header)
  }

  /// Adds the fix that the stream used last.
  mutating func add(_ fix: PresenceFix, _ stream: PresenceStream) throws {
    let today = stream.today
    if let day, today.name != day { return }
    bytes.removeAll(keepingCapacity: true)
    Instant(milliseconds: fix.time).appendRFC3339(to: &bytes)
    comma()
    append(fix.coordinate.latitude, decimals: 7)
    comma()
    append(fix.coordinate.longitude, decimals: 7)
    comma()
    if fix.accuracy > 0 { append(min(fix.accuracy, 1e8), decimals: 1) } else { bytes.append(contentsOf: "N/A".utf8) }
    comma()
    switch stream.home {
    case .home: append(flag: false)
    case .away: append(flag: true)
    case .unknown: break
    }
    comma()
    if stream.home == .home {
      append(flag: false)
    } else if let probability = stream.outdoorProbability {
      append(flag: probability >= 0.5)
    }
    comma()
    append(Double(today.away) / 60_000, decimals: 2)
    comma()
    append(today.outdoors / 60_000, decimals: 2)
    bytes.append(0x0D)
    bytes.append(0x0A)
    try file.write(bytes)
  }

  /// Ends the file.
  func finish() throws { try file.finish() }

  private mutating func comma() { bytes.append(0x2C) }
  private mutating func append(flag: Bool) { bytes.append(flag ? 0x31 : 0x30) }

  private mutating func append(_ value: Double, decimals: Int) {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let whole = Int64((value * scale).rounded())
    if whole < 0 { bytes.append(0x2D) }
    var digits: [UInt8] = []
    var rest = whole.magnitude
    while rest > 0 || digits.count <= decimals {
      digits.append(UInt8(0x30 + rest % 10))
      rest /= 10
    }
    for place in digits.indices.reversed() {
      bytes.append(digits[place])
      if place == decimals, decimals > 0 { bytes.append(0x2E) }
    }
  }
}
