import Dispatch

/// The writing of `run.sqlite`, on a thread of its own once it was begun.
///
/// `@unchecked Sendable` holds because the result is written by the one who runs the job, and read by others only after the
/// group says that it is done.
final class DatabaseJob: @unchecked Sendable {
  private let contents: RunContents
  private let path: String
  private let group = DispatchGroup()
  private var result: Result<Void, any Error>?

  init(contents: RunContents, path: String) {
    self.contents = contents
    self.path = path
  }

  /// Begins to write beside whoever calls.
  func begin() {
    DispatchQueue.global().async(group: group) { self.result = self.made() }
  }

  /// Waits until it is done; writes now what was not begun.
  func finish() throws {
    group.wait()
    try (result ?? made()).get()
  }

  private func made() -> Result<Void, any Error> {
    Result { try RunDatabase(contents: contents).write(to: path) }
  }
}
