import CordonCore
package import CordonSupport

/// One finding of a diagnosis.
package struct DoctorFinding: Hashable, Sendable {
  /// The severity.
  package enum Level: String, Sendable {
    /// No problem.
    case ok
    /// Data arrive with limitations, or a part could not be examined.
    case warning
    /// A reason for missing data, now or soon.
    case failure
  }

  package var level: Level
  /// The part examined: `configuration`, `venue`, `receiver`, `store`, `server`.
  package var subject: String
  /// A stable name.
  package var code: String
  package var sentence: String
  package var remedy: String?

  package init(_ level: Level, _ subject: String, _ code: String, _ sentence: String, remedy: String? = nil) {
    self.level = level
    self.subject = subject
    self.code = code
    self.sentence = sentence
    self.remedy = remedy
  }

  /// The text form: `FAILURE server: The server does not answer. -> Check the network.`
  package var line: String {
    let mark = level == .ok ? "ok     " : level == .warning ? "warning" : "FAILURE"
    return "\(mark) \(subject): \(sentence)" + (remedy.map { "\n          -> \($0)" } ?? "")
  }

  /// The JSON form.
  package var json: JSONValue {
    [
      "level": .string(level.rawValue), "subject": .string(subject), "code": .string(code),
      "sentence": .string(sentence), "remedy": JSONValue(remedy),
    ]
  }
}
