internal import CordonCore
package import CordonSupport

/// The report of a diagnosis, for people and for scripts.
package struct DiagnosisReport: Sendable {
  /// The findings in the order of the examination.
  package let findings: [DiagnosisFinding]
  private let schema: String

  /// A report.
  /// - Parameter schema: the name of the JSON form, such as `cordon.doctor/1`.
  package init(_ findings: [DiagnosisFinding], schema: String) {
    self.findings = findings
    self.schema = schema
  }

  /// Whether something is wrong.
  package var hasFailures: Bool { findings.contains { $0.level == .failure } }

  /// The JSON form: counts of failures and warnings, and the findings.
  package var json: JSONValue {
    [
      "schema": .string(schema), "failures": .integer(Int64(findings.count { $0.level == .failure })),
      "warnings": .integer(Int64(findings.count { $0.level == .warning })),
      "findings": .array(findings.map(\.json)),
    ]
  }

  /// The text form: the findings, and a sum.
  package var text: String {
    var text = findings.map(\.line).joined(separator: "\n") + "\n"
    let failures = findings.count { $0.level == .failure }
    text += failures == 0 ? "No failures.\n" : Counted.of(failures, "failure") + ".\n"
    return text
  }
}
