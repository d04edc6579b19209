import CordonTestSupport
import CordonTracking
import Foundation
import Glibc
import Testing

/// The built `cordon-track`, run as a person or a service manager would.
final class Tracker {
  let folder: URL
  private let child: Child
  private let output: Lines
  private let complaints: Lines

  static let executable = TestProcess.built("cordon-track")

  /// Starts it.
  init(_ arguments: [String], in folder: URL) throws {
    self.folder = folder
    child = try Child(Tracker.executable.path, arguments, in: folder.path)
    output = Lines(child.output)
    complaints = Lines(child.errors)
  }

  /// All of standard error so far; all of it, once the process has ended.
  var errors: String { complaints.text }
  /// All of standard output so far.
  var text: String { output.text }
  /// The lines of standard error, from the first on.
  var errorLines: AsyncStream<String> { complaints.lines }
  /// The lines of standard output, from the first on.
  var lines: AsyncStream<String> { output.lines }

  /// Sends a signal, and waits for the end.
  func end(with number: Int32 = SIGTERM) -> Int32 {
    child.signal(number)
    return wait()
  }

  func wait() -> Int32 {
    let status = child.wait()
    output.waitForEnd()
    complaints.waitForEnd()
    return status
  }

  /// Runs it to its end.
  static func run(_ arguments: [String], in folder: URL) throws -> (status: Int32, text: String, errors: String) {
    let tracker = try Tracker(arguments, in: folder)
    let status = tracker.wait()
    return (status, tracker.text, tracker.errors)
  }

  static func json(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  /// Waits for a line on standard error.
  func hears(_ words: String) async throws {
    for await line in errorLines where line.contains(words) { return }
    Issue.record("it ended without a word of \(words): \(errors)")
    throw CancellationError()
  }

  /// Requests the status of the running tracker after each of its messages, until it fulfils a condition. The tracker
  /// must print its status regularly (`--status-interval`).
  func status(of store: String, until isDone: ([String: Any]) -> Bool) async throws -> [String: Any] {
    for await _ in errorLines {
      guard let line = ControlSocket.ask(store: store, ControlCommand.status.line) else { continue }
      let status = try Tracker.json(line)
      if isDone(status) { return status }
    }
    Issue.record("it ended: \(errors)")
    throw CancellationError()
  }
}

/// The output of a process, line by line, read by its own thread.
///
/// `@unchecked Sendable` holds because every access to the mutable fields happens with `condition` held.
private final class Lines: @unchecked Sendable {
  private let condition = NSCondition()
  private var bytes: [UInt8] = []
  private var said: [String] = []
  private var hasEnded = false
  private var readers: [AsyncStream<String>.Continuation] = []

  init(_ source: Int32) {
    let source = dup(source)
    let thread = Thread { [self] in
      var rest: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 4_096)
      while true {
        let count = read(source, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        rest.append(contentsOf: buffer[0..<count])
        var lines: [String] = []
        while let end = rest.firstIndex(of: 0x0A) {
          lines.append(String(decoding: rest[..<end], as: UTF8.self))
          rest.removeFirst(end + 1)
        }
        take(buffer[0..<count], lines)
      }
      close(source)
      end()
    }
    thread.start()
  }

  private func take(_ new: ArraySlice<UInt8>, _ lines: [String]) {
    condition.withLock {
      bytes.append(contentsOf: new)
      said.append(contentsOf: lines)
      for reader in readers { for line in lines { reader.yield(line) } }
    }
  }

  private func end() {
    condition.withLock {
      hasEnded = true
      for reader in readers { reader.finish() }
      readers = []
      condition.broadcast()
    }
  }

  var text: String { condition.withLock { String(decoding: bytes, as: UTF8.self) } }

  var lines: AsyncStream<String> {
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    condition.withLock {
      for line in said { continuation.yield(line) }
      if hasEnded { continuation.finish() } else { readers.append(continuation) }
    }
    return stream
  }

  func waitForEnd() { condition.withLock { while !hasEnded { condition.wait() } } }
}
