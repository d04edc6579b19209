import CordonCore
package import CordonSupport

/// The report of a diagnosis, for people and for scripts.
package struct DoctorReport: Sendable {
  package let findings: [DoctorFinding]

  package init(_ findings: [DoctorFinding]) { self.findings = findings }

  /// Whether a finding explains why there is no data.
  package var hasFailures: Bool { findings.contains { $0.level == .failure } }

  package var json: JSONValue {
    [
      "schema": "cordon.doctor/1", "failures": .integer(Int64(findings.count { $0.level == .failure })),
      "warnings": .integer(Int64(findings.count { $0.level == .warning })),
      "findings": .array(findings.map(\.json)),
    ]
  }

  package var text: String {
    var text = findings.map(\.line).joined(separator: "\n") + "\n"
    let failures = findings.count { $0.level == .failure }
    text += failures == 0 ? "Nothing is in the way.\n" : "\(failures) in the way.\n"
    return text
  }
}
