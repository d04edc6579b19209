/// A run folder that cannot be made or read.
public struct RunFolderError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, as a stable name.
  public enum Code: String, Hashable, Sendable {
    /// Something is there already, and may not be replaced.
    case exists
    /// What should be replaced is not a run, or holds files that are not the run's.
    case notReplaceable = "not-replaceable"
    /// The file system refuses.
    case cannotWrite = "cannot-write"
    /// There is no such file.
    case notFound = "not-found"
    /// The file is not a run of Cordon.
    case notARun = "not-a-run"
    /// A newer Cordon wrote it.
    case tooNew = "too-new"
    /// It is a run, but something in it cannot be.
    case damaged
  }

  /// What is wrong.
  public var code: Code
  /// The file or folder.
  public var path: String
  /// The place in it, such as a table; `nil` for the whole.
  public var place: String?
  /// One sentence without the path.
  public var message: String

  /// Takes the parts as they are.
  public init(_ code: Code, path: String, place: String? = nil, message: String) {
    self.code = code
    self.path = path
    self.place = place
    self.message = message
  }

  /// One line for people.
  public var description: String { "\(path): \(message)" + (place.map { " (\($0))" } ?? "") }
}
