/// Why bytes are not a packed venue, or a venue cannot be packed.
public struct PackedVenueError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// The bytes do not begin like a packed venue.
    case notAPackedVenue = "not-a-packed-venue"
    /// A newer or unknown version of the format.
    case unsupportedVersion = "unsupported-version"
    /// The bytes end too early.
    case truncated
    /// There are bytes after the end.
    case trailingBytes = "trailing-bytes"
    /// The contents do not match their own hash.
    case corrupted
    /// A number is out of its range, or a text is not text.
    case invalidValue = "invalid-value"
    /// An index or identifier names nothing.
    case danglingReference = "dangling-reference"
  }

  /// What is wrong.
  public var reason: Reason
  /// Where in the bytes; `nil` when a venue cannot be packed.
  public var byteOffset: Int?
  /// What was being read or written.
  public var subject: String

  /// An error.
  public init(_ reason: Reason, at byteOffset: Int? = nil, in subject: String) {
    self.reason = reason
    self.byteOffset = byteOffset
    self.subject = subject
  }

  /// `packed venue: truncated in spaces at byte 120`.
  public var description: String {
    let place = byteOffset.map { " at byte \($0)" } ?? ""
    return "packed venue: \(reason.rawValue) in \(subject)\(place)"
  }
}
