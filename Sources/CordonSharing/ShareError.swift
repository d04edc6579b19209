/// The reason why a sharing of records ended, with its place. It holds no answer of a person.
package struct ShareError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of reason.
  package enum Code: String, Hashable, Sendable {
    /// A message is not of the protocol.
    case malformed
    /// A message, or all of them, exceed a limit.
    case oversize
    /// The connection ended early.
    case truncated
    /// A message came at the wrong time.
    case order
    /// The receiver revealed another value than it had committed to.
    case commitment
    /// The typed code is not that of the other device.
    case wrongCode = "wrong-code"
    /// The other device ended the sharing.
    case refused
    /// A bundle is not signed with the key of the other device.
    case signature
    /// A bundle belongs to another pairing, or came before.
    case replayed
    /// The records are of another form, or of a later version.
    case otherForm = "other-form"
    /// A revision cannot be accepted.
    case invalid
    /// The system refused a key or a signature.
    case system
  }

  /// The kind of reason.
  package let code: Code
  /// The place, such as `bundle 2.revisions[4].id`; empty where there is none.
  package let place: String
  /// A description of the reason.
  package let message: String

  /// Creates an error at a place.
  package init(_ code: Code, _ place: String, _ message: String) {
    self.code = code
    self.place = place
    self.message = message
  }

  /// Creates an error without a place.
  package init(_ code: Code, _ message: String) { self.init(code, "", message) }

  /// `bundle 2.revisions[4].id: does not fit the contents of the revision`.
  package var description: String { place.isEmpty ? message : "\(place): \(message)" }
}
