/// An observation of a reader or check about a map, and its handling.
public struct VenueFinding: Hashable, Sendable {
  /// The severity of a finding.
  public enum Severity: String, Hashable, Sendable, CaseIterable { case error, warning, info }

  /// The handling of a finding.
  public enum Action: String, Hashable, Sendable, CaseIterable {
    case repaired, ignored, refused
  }

  /// The severity.
  public var severity: Severity
  /// A stable code for the kind of finding, such as `dangling-reference`; see docs/reference/venue-findings.md.
  public var code: String
  /// The file inside the bundle.
  public var file: String
  /// RFC 6901 pointer into the file; empty for the whole file.
  public var pointer: String
  /// The identifier of the affected object in the source.
  public var object: String?
  /// The handling of the finding.
  public var action: Action
  /// A message of one sentence.
  public var message: String

  /// Creates a finding from its parts.
  public init(
    severity: Severity, code: String, file: String, pointer: String = "", object: String? = nil, action: Action,
    message: String
  ) {
    self.severity = severity
    self.code = code
    self.file = file
    self.pointer = pointer
    self.object = object
    self.action = action
    self.message = message
  }
}

/// The reason why a venue cannot be read or used, with its place.
public struct VenueError: Error, Hashable, Sendable {
  /// A stable code, such as `not-found`, `not-a-venue`, `truncated-json` or `limit-exceeded`.
  public var code: String
  /// The path, or the name of the file inside the bundle.
  public var file: String
  /// RFC 6901 pointer into the file, if it is known.
  public var pointer: String?
  /// Byte offset into the file, if it is known.
  public var byteOffset: Int?
  /// A message of one sentence, without the place.
  public var message: String

  /// Creates an error from its parts.
  public init(code: String, file: String, pointer: String? = nil, byteOffset: Int? = nil, message: String) {
    self.code = code
    self.file = file
    self.pointer = pointer
    self.byteOffset = byteOffset
    self.message = message
  }
}

extension VenueError: CustomStringConvertible {
  /// The error on one line: `FILE: MESSAGE (at byte 12, at /features/0)`.
  public var description: String {
    let place = [byteOffset.map { "at byte \($0)" }, pointer.flatMap { $0.isEmpty ? nil : "at \($0)" }]
      .compactMap { $0 }.joined(separator: ", ")
    return place.isEmpty ? "\(file): \(message)" : "\(file): \(message) (\(place))"
  }
}
