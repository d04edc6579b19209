/// An error of decoding or encoding a packed venue.
public struct PackedVenueError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of errors.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// The bytes do not start with the signature of a packed venue.
    case notAPackedVenue = "not-a-packed-venue"
    /// The version of the format is unknown.
    case unsupportedVersion = "unsupported-version"
    /// The bytes end too early.
    case truncated
    /// There are bytes after the end.
    case trailingBytes = "trailing-bytes"
    /// The contents do not match the hash in the header.
    case corrupted
    /// A number is out of its range, or a text is not valid UTF-8.
    case invalidValue = "invalid-value"
    /// An index or identifier refers to nothing.
    case danglingReference = "dangling-reference"
  }

  /// The kind of the error.
  public var reason: Reason
  /// The position in the bytes; `nil` for an error of encoding.
  public var byteOffset: Int?
  /// The part that was being read or written.
  public var subject: String

  /// Creates an error from its parts.
  public init(_ reason: Reason, at byteOffset: Int? = nil, in subject: String) {
    self.reason = reason
    self.byteOffset = byteOffset
    self.subject = subject
  }

  /// The error on one line, for example `packed venue: truncated in spaces at byte 120`.
  public var description: String {
    let place = byteOffset.map { " at byte \($0)" } ?? ""
    return "packed venue: \(reason.rawValue) in \(subject)\(place)"
  }
}
