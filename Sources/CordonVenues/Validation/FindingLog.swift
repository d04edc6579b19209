/// Collects the findings of a reader, up to a limit.
struct FindingLog: Sendable {
  private(set) var findings: [VenueFinding] = []
  private var dropped = 0
  private let limit: Int

  init(limit: Int = VenueLimits().findings) { self.limit = limit }

  mutating func add(
    _ severity: VenueFinding.Severity, _ code: String, file: String, pointer: @autoclosure () -> String = "",
    object: String? = nil, action: VenueFinding.Action, _ message: @autoclosure () -> String
  ) {
    guard findings.count < limit else {
      dropped += 1
      return
    }
    findings.append(
      VenueFinding(
        severity: severity, code: code, file: file, pointer: pointer(), object: object, action: action,
        message: message()))
  }

  /// Reports an error about an optional file as a finding.
  mutating func add(_ error: VenueError, severity: VenueFinding.Severity = .error) {
    add(
      severity, error.code, file: error.file, pointer: error.pointer ?? "", action: .ignored,
      error.message + (error.byteOffset.map { " (at byte \($0))" } ?? ""))
  }

  /// Returns the findings, and one more that counts those beyond the limit.
  consuming func finished() -> [VenueFinding] {
    if dropped > 0 {
      findings.append(
        VenueFinding(
          severity: .info, code: "findings-truncated", file: "", action: .ignored,
          message: "\(dropped) more findings are not listed"))
    }
    return findings
  }
}
