import CordonCore
import CordonMonitoring
package import CordonSupport

extension Decision {
  /// The text form on one line.
  package var line: String { "\(at.rfc3339)  \(device)  \(text)" }

  private var text: String {
    switch kind {
    case .consent(let version): return "consent \(version) is given for the test"
    case .region(let crossing): return crossing == .entered ? "enters the geofence" : "leaves the geofence"
    case .phase(let phase): return "phase \(phase.rawValue)"
    case .fix(let fix):
      var text = "fix \(fix.index)"
      if fix.line > 0 { text += " (\(fix.file):\(fix.line))" }
      if fix.time != at { text += " of \(fix.time.rfc3339)" }
      text += ": " + (fix.verdict.isRefusal ? "refused, " : "") + fix.verdict.word
      if let metres = fix.boundaryDistance { text += ", \(Decision.number(metres)) m from the boundary" }
      if let place = fix.coordinate {
        text += ", at \(Decision.degrees(place.longitude)),\(Decision.degrees(place.latitude))"
      }
      if let floor = fix.floor { text += ", floor \(floor)" }
      return text
    case .stored(let row): return "stored " + Decision.text(row)
    case .extended(let row): return "still at " + Decision.text(row)
    case .batch(let number, let rows): return "sends \(rows) rows, request \(number)"
    case .answered(let number, let status, let acknowledged, let quarantined, let kept):
      return
        "answer \(status) to request \(number): \(acknowledged) acknowledged, \(quarantined) quarantined, \(kept) kept"
    case .expired(let rule, let count): return "\(count) rows expired by \(rule.rawValue)"
    case .storeFailed(let reason): return "the store failed: \(reason)"
    case .contact(let contact):
      return "contact of \(contact.devices.joined(separator: " and ")) until \(contact.end.rfc3339), "
        + "\(Decision.number(contact.seconds)) s, nearest \(Decision.number(contact.minimumDistance)) m"
    }
  }

  private static func text(_ row: Row) -> String {
    var text = row.fix.map { "fix \($0)" } ?? "a row of \(row.time.rfc3339)"
    if let space = row.space { text += " in \(space)" }
    if let floor = row.floor { text += ", floor \(floor)" }
    if let until = row.stillUntil { text += ", until \(until.rfc3339)" }
    return text
  }

  /// Returns a number with at most three decimals.
  static func number(_ value: Double) -> String {
    JSONValue.number((value * 1e3).rounded() / 1e3).text()
  }

  static func degrees(_ value: Double) -> String { JSONValue.number((value * 1e7).rounded() / 1e7).text() }

  /// The JSON form: an object of `cordon.decision/1` without the schema key, which the first line of the file contains.
  package var json: JSONValue {
    var members: [JSONValue.Member] = [.init("at", .string(at.rfc3339)), .init("device", .string(device))]
    func add(_ key: String, _ value: JSONValue) { members.append(.init(key, value)) }
    func count(_ value: Int) -> JSONValue { .integer(Int64(value)) }
    func add(_ row: Row) {
      add("fix", JSONValue(row.fix))
      add("time", .string(row.time.rfc3339))
      if let floor = row.floor { add("floor", .number(floor.value)) }
      if let space = row.space { add("space", .string(space.rawValue)) }
      if let until = row.stillUntil { add("still_until", .string(until.rfc3339)) }
    }
    switch kind {
    case .consent(let version):
      add("event", "consent")
      add("version", .string(version))
    case .region(let crossing):
      add("event", "region")
      add("crossing", crossing == .entered ? "entered" : "exited")
    case .phase(let phase):
      add("event", "phase")
      add("phase", .string(phase.rawValue))
    case .fix(let fix):
      add("event", "fix")
      add("index", count(fix.index))
      add("file", .string(fix.file))
      if fix.line > 0 { add("line", count(fix.line)) }
      add("time", .string(fix.time.rfc3339))
      add("verdict", .string(fix.verdict.isRefusal ? "refused" : fix.verdict.word))
      if fix.verdict.isRefusal { add("reason", .string(fix.verdict.word)) }
      if let metres = fix.boundaryDistance { add("boundary_distance_m", .number(metres)) }
      if let place = fix.coordinate {
        add(
          "lonlat", [.number((place.longitude * 1e7).rounded() / 1e7), .number((place.latitude * 1e7).rounded() / 1e7)])
      }
      if let accuracy = fix.accuracy { add("accuracy_m", .number(accuracy)) }
      if let floor = fix.floor { add("floor", .number(floor.value)) }
    case .stored(let row):
      add("event", "stored")
      add(row)
    case .extended(let row):
      add("event", "extended")
      add(row)
    case .batch(let number, let rows):
      add("event", "batch")
      add("request", count(Int(clamping: number)))
      add("rows", count(rows))
    case .answered(let number, let status, let acknowledged, let quarantined, let kept):
      add("event", "answer")
      add("request", count(Int(clamping: number)))
      add("status", count(status))
      add("acknowledged", count(acknowledged))
      add("quarantined", count(quarantined))
      add("kept", count(kept))
    case .expired(let rule, let rows):
      add("event", "expired")
      add("rule", .string(rule.rawValue))
      add("rows", count(rows))
    case .storeFailed(let reason):
      add("event", "store_failed")
      add("reason", .string(reason))
    case .contact(let contact):
      add("event", "contact")
      add("devices", .array(contact.devices.map { .string($0) }))
      add("end", .string(contact.end.rfc3339))
      add("seconds", .number(contact.seconds))
      add("min_distance_m", .number(contact.minimumDistance))
      if let floor = contact.floor { add("floor", .number(floor.value)) }
    }
    return .object(members)
  }
}

extension ReplayResult {
  /// The log for people.
  package var text: String {
    var lines = assumed.map { "assumed: \($0)" }
    if showsRefused { lines.append("this log shows where refused fixes were, as requested") }
    lines += decisions.map(\.line)
    return lines.joined(separator: "\n") + "\n"
  }

  /// The log for tools as JSON Lines: a head, then the decisions.
  package var jsonLines: String {
    let head: JSONValue = [
      "schema": "cordon.decisions/1", "assumed": .array(assumed.map { .string($0) }),
      "shows_refused": .bool(showsRefused),
    ]
    return ([head] + decisions.map(\.json)).map { $0.text() }.joined(separator: "\n") + "\n"
  }
}
