import Dispatch

/// A job that writes `run.sqlite`, optionally on another thread.
///
/// `@unchecked Sendable` holds because only the job writes the result, and others read it after the group has finished.
final class DatabaseJob: @unchecked Sendable {
  private let contents: RunContents
  private let path: String
  private let group = DispatchGroup()
  private var result: Result<Void, any Error>?

  init(contents: RunContents, path: String) {
    self.contents = contents
    self.path = path
  }

  /// Starts to write on another thread.
  func begin() {
    DispatchQueue.global().async(group: group) { self.result = self.made() }
  }

  /// Waits for the end of the job; writes the file now if the job was not started.
  func finish() throws {
    group.wait()
    try (result ?? made()).get()
  }

  private func made() -> Result<Void, any Error> {
    Result { try RunDatabase(contents: contents).write(to: path) }
  }
}
