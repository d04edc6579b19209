package import CordonCore

/// One answer of the doctor.
package struct DoctorFinding: Hashable, Sendable {
  /// How bad it is.
  package enum Level: String, Sendable {
    /// As it should be.
    case ok
    /// Data come, but not as they could; or something could not be looked at.
    case warning
    /// Why there is no data, or will soon be none.
    case failure
  }

  package var level: Level
  /// What was looked at: `configuration`, `venue`, `receiver`, `store`, `server`.
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

  /// For people: `FAILURE server: The server does not answer. -> Look at the network.`
  package var line: String {
    let mark = level == .ok ? "ok     " : level == .warning ? "warning" : "FAILURE"
    return "\(mark) \(subject): \(sentence)" + (remedy.map { "\n          -> \($0)" } ?? "")
  }

  /// For scripts.
  package var json: JSONValue {
    [
      "level": .string(level.rawValue), "subject": .string(subject), "code": .string(code),
      "sentence": .string(sentence), "remedy": JSONValue(remedy),
    ]
  }
}
