/// An error of creating or reading a run folder.
public struct RunFolderError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of the error, with a stable name.
  public enum Code: String, Hashable, Sendable {
    /// The target exists and may not be replaced.
    case exists
    /// The target to replace is not a run, or contains files that are not part of the run.
    case notReplaceable = "not-replaceable"
    /// The file system rejected the operation.
    case cannotWrite = "cannot-write"
    /// The file does not exist.
    case notFound = "not-found"
    /// The file is not a run of Cordon.
    case notARun = "not-a-run"
    /// A newer version of Cordon wrote the run.
    case tooNew = "too-new"
    /// The run contains invalid data.
    case damaged
  }

  /// The kind of the error.
  public var code: Code
  /// The path of the file or folder.
  public var path: String
  /// The place in it, such as a table; `nil` for the whole.
  public var place: String?
  /// A description on one line without the path.
  public var message: String

  /// Creates an error from its parts.
  public init(_ code: Code, path: String, place: String? = nil, message: String) {
    self.code = code
    self.path = path
    self.place = place
    self.message = message
  }

  /// The error on one line.
  public var description: String { "\(path): \(message)" + (place.map { " (\($0))" } ?? "") }
}
