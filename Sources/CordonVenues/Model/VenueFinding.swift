/// Something that a reader or a check noticed about a venue's map, and what was done about it.
public struct VenueFinding: Hashable, Sendable {
  /// How much a finding matters.
  public enum Severity: String, Hashable, Sendable, CaseIterable { case error, warning, info }

  /// What was done about it.
  public enum Action: String, Hashable, Sendable, CaseIterable {
    case repaired, ignored, refused
  }

  /// How much it matters.
  public var severity: Severity
  /// A stable name for the kind of finding, such as `dangling-reference`; documented in docs/reference/venue-findings.md.
  public var code: String
  /// The file inside the bundle.
  public var file: String
  /// RFC 6901 pointer into the file; empty for the whole file.
  public var pointer: String
  /// The source identifier of the object concerned.
  public var object: String?
  /// What was done about it.
  public var action: Action
  /// One sentence for people.
  public var message: String

  /// Takes the parts as they are.
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

/// Why a venue cannot be read or used, with the place.
public struct VenueError: Error, Hashable, Sendable {
  /// A stable name: `not-found`, `not-a-venue`, `truncated-json`, `limit-exceeded` ...
  public var code: String
  /// The path or the name of the file inside the bundle.
  public var file: String
  /// RFC 6901 pointer into the file, when the place is known that way.
  public var pointer: String?
  /// Byte offset into the file, when the place is known that way.
  public var byteOffset: Int?
  /// One sentence for people, without the place.
  public var message: String

  /// Takes the parts as they are.
  public init(code: String, file: String, pointer: String? = nil, byteOffset: Int? = nil, message: String) {
    self.code = code
    self.file = file
    self.pointer = pointer
    self.byteOffset = byteOffset
    self.message = message
  }
}

extension VenueError: CustomStringConvertible {
  /// `FILE: MESSAGE (at byte 12, /features/0)`.
  public var description: String {
    let place = [byteOffset.map { "at byte \($0)" }, pointer.flatMap { $0.isEmpty ? nil : "at \($0)" }]
      .compactMap { $0 }.joined(separator: ", ")
    return place.isEmpty ? "\(file): \(message)" : "\(file): \(message) (\(place))"
  }
}
