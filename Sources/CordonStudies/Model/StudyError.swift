/// An error of studies, with the field or place that is wrong. It holds no data of persons.
package struct StudyError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error, for programs.
  package enum Code: String, Hashable, Sendable, CaseIterable {
    /// A value is missing, of another kind or out of range.
    case badField = "bad-field"
    /// No study has this code.
    case noSuchStudy = "no-such-study"
    /// The study takes nobody in at present.
    case notOpen = "not-open"
    /// The study has all the participants that it wants.
    case studyFull = "study-full"
    /// The invitation does not exist, was used or has ended.
    case badInvitation = "bad-invitation"
    /// Another version of the consent text is valid.
    case consentOutdated = "consent-outdated"
    /// No participant has this key or pseudonym.
    case noSuchParticipant = "no-such-participant"
    /// The participant has left the study.
    case hasLeft = "has-left"
    /// The same key of a ledger or notification exists already.
    case conflict
    /// The balance, the budget or a limit does not allow it.
    case limit
    /// The chain of the ledger is broken.
    case chain
    /// The files cannot be read or written.
    case storage
    /// Sealed data cannot be opened with the key.
    case vault
  }

  /// The kind of error.
  package var code: Code
  /// What happened and what to do, lower-case, on one line.
  package var message: String
  /// The field that is wrong, such as `rewards.currency`; `nil` for none.
  package var field: String?

  /// Creates an error.
  package init(_ code: Code, _ message: String, field: String? = nil) {
    self.code = code
    self.message = message
    self.field = field
  }

  /// The field and the message.
  package var description: String { field.map { "\($0): \(message)" } ?? message }
}
