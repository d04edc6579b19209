internal import CordonCore

/// Parameters of queries.
enum Parameters {
  static func integer(_ request: IngestRequest, _ name: String) throws(Problem) -> Int64? {
    guard let text = request.parameter(name), !text.isEmpty else { return nil }
    guard let value = Int64(text) else {
      throw Problem(400, .badParameter, "\(name): a whole number is needed", field: name)
    }
    return value
  }

  static func limit(_ request: IngestRequest, default usual: Int, most: Int) throws(Problem) -> Int {
    let value = try integer(request, "limit") ?? Int64(usual)
    guard (1...Int64(most)).contains(value) else {
      throw Problem(400, .badParameter, "limit: 1 to \(most)", field: "limit")
    }
    return Int(value)
  }

  /// How many, or `nil` for `all` of them.
  static func limitOrAll(_ request: IngestRequest, default usual: Int?, most: Int) throws(Problem) -> Int? {
    switch request.parameter("limit") {
    case nil, "": return usual
    case "all": return nil
    case .some:
      guard let value = try? integer(request, "limit"), (1...Int64(most)).contains(value) else {
        throw Problem(400, .badParameter, "limit: 1 to \(most), or all", field: "limit")
      }
      return Int(value)
    }
  }

  /// A moment: milliseconds since 1970, or RFC 3339.
  static func instant(_ request: IngestRequest, _ name: String) throws(Problem) -> Instant? {
    guard let text = request.parameter(name), !text.isEmpty else { return nil }
    if let value = Int64(text) { return clamped(Instant(milliseconds: value)) }
    if let value = try? Instant(rfc3339: text) { return clamped(value) }
    throw Problem(
      400, .badParameter, "\(name): milliseconds since 1970, or a date as 2026-01-31T08:00:00Z", field: name)
  }

  // Within ± 9000 years microseconds fit.
  private static func clamped(_ instant: Instant) -> Instant {
    Instant(milliseconds: min(max(instant.milliseconds, -280_000_000_000_000), 280_000_000_000_000))
  }

  /// A span of time, by default the last day.
  static func span(_ request: IngestRequest, now: Instant) throws(Problem) -> ClosedRange<Int64> {
    let to = try instant(request, "to") ?? now
    let from = try instant(request, "from") ?? to - .days(1)
    guard from <= to else { throw Problem(400, .badParameter, "from: is after to", field: "from") }
    return from.milliseconds...to.milliseconds
  }

  /// Whether the answer is wanted as CSV.
  static func isCSV(_ request: IngestRequest) throws(Problem) -> Bool {
    switch request.parameter("format") {
    case nil, "", "json": false
    case "csv": true
    default: throw Problem(400, .badParameter, "format: json or csv", field: "format")
    }
  }
}
