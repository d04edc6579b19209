internal import CordonCore
package import CordonSupport

/// One finding of a diagnosis.
package struct DiagnosisFinding: Hashable, Sendable {
  /// The severity.
  package enum Level: String, Sendable {
    /// No problem.
    case ok
    /// The service works with limitations, or a part could not be examined.
    case warning
    /// A reason why the service fails, now or soon.
    case failure
  }

  /// The severity.
  package var level: Level
  /// The part examined, such as `configuration`, `venue` or `store`.
  package var subject: String
  /// A stable name.
  package var code: String
  /// The observation.
  package var sentence: String
  /// The action that mends it; `nil` where nothing is wrong.
  package var remedy: String?

  /// A finding.
  package init(_ level: Level, _ subject: String, _ code: String, _ sentence: String, remedy: String? = nil) {
    self.level = level
    self.subject = subject
    self.code = code
    self.sentence = sentence
    self.remedy = remedy
  }

  /// The text form: `FAILURE server: The server does not answer.`, and the remedy on a line of its own.
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
