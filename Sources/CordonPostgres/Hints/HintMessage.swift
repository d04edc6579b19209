internal import CordonCore
internal import CordonIngest

/// A message between servers on one database: the server that sent it, a word, and events.
enum HintMessage {
  /// Something to look at: late rows, or leases that are free.
  case hint(StoreHint)
  /// What happened at another server.
  case events([LiveEvent])

  /// The maximum length of a message, bytes; PostgreSQL takes fewer than 8 000.
  static let maximumLength = 7_000

  /// Reads a message of another server; `nil` for one's own, and for words of later versions.
  init?(_ text: String, of server: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let head = lines[0].split(separator: " ")
    guard head.count == 2, head[0] != server else { return nil }
    switch head[1] {
    case "late": self = .hint(.lateRows)
    case "free": self = .hint(.leases)
    case "events": self = .events(lines.dropFirst().compactMap { Self.event($0) })
    default: return nil
    }
  }

  private static func event(_ line: Substring) -> LiveEvent? {
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
    let numbers = fields.dropLast().compactMap { Int64($0) }
    guard fields.count == 5, numbers.count == 4, let venue = fields.last.flatMap({ VenueID(String($0)) }) else {
      return nil
    }
    return LiveEvent(
      time: Instant(milliseconds: numbers[0]), venue: venue, stored: Int(clamping: numbers[1]),
      refused: Int(clamping: numbers[2]), contacts: Int(clamping: numbers[3]))
  }

  /// The messages of a server that carry events.
  static func messages(of server: String, _ events: [LiveEvent]) -> [String] {
    var list: [String] = []
    var text = ""
    for event in events {
      let counts = "\(event.stored)\t\(event.refused)\t\(event.contacts)"
      let line = "\n\(event.time.milliseconds)\t\(counts)\t\(event.venue.rawValue)"
      if text.utf8.count + line.utf8.count > maximumLength {
        list.append("\(server) events\(text)")
        text = ""
      }
      text += line
    }
    if !text.isEmpty { list.append("\(server) events\(text)") }
    return list
  }
}
