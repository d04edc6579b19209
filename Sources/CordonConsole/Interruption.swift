internal import Foundation

/// A request of the user to stop the process: Ctrl-C, or SIGTERM.
///
/// The first signal ends a command that keeps nothing of unfinished work. A command that keeps its work so far calls
/// ``watch(endingAt:)``: the first signal asks it to stop, and a later one ends the process at once. Without a pipe for
/// signals (``SignalPipe/Unavailable``) they keep their effect, and the first one ends the process.
package enum Interruption {
  /// The exit status of a process that a signal ended.
  package static let exitStatus: Int32 = 130

  private struct State {
    var pipe: SignalPipe?
    var received = 0
    var answered = 0
    /// The number of the signal that ends the process at once.
    var last = 1
    var files: [String] = []
    var folders: [String] = []
    var exitMessage = ""
  }

  private static let state = Locked(State())

  /// Lets the first signal end the process: its unfinished files are removed, and a message is written.
  /// - Parameter message: for standard error, without the end of its line.
  package static func endsAtOnce(saying message: String) {
    removesAtEnd(files: [], folders: [], saying: message)
    listen(endingAt: 1)
  }

  /// Counts signals instead.
  /// - Parameter count: the signal that ends the process at once, 2 or more.
  package static func watch(endingAt count: Int = 2) { listen(endingAt: max(count, 2)) }

  /// Sets what a signal that ends the process at once removes and prints.
  /// - Parameters:
  ///   - files: paths; missing ones are ignored.
  ///   - folders: folders of the process, removed when they hold nothing but `files`.
  ///   - message: for standard error, without the end of its line.
  package static func removesAtEnd(files: [String], folders: [String], saying message: String) {
    state.with {
      $0.files = files
      $0.folders = folders
      $0.exitMessage = message
    }
  }

  /// Whether a signal has come that was not answered yet; true once for each signal. Ask on one thread at a time.
  package static func answer() -> Bool {
    state.with {
      guard $0.received > $0.answered else { return false }
      $0.answered += 1
      return true
    }
  }

  /// Whether a signal has come that was not answered yet, without answering it.
  package static var isPending: Bool { state.with { $0.received > $0.answered } }

  /// How many more signals end the process at once.
  package static var left: Int { state.with { max($0.last - $0.received, 0) } }

  /// Whether a signal has come.
  package static var isRequested: Bool { state.with { $0.received > 0 } }

  private static func listen(endingAt count: Int) {
    state.with {
      $0.last = count
      guard $0.pipe == nil else { return }
      $0.pipe = try? SignalPipe([SIGINT, SIGTERM]) { _ in receive() }
    }
  }

  /// Counts a signal, and ends the process at the last one. On the thread of the pipe.
  private static func receive() {
    state.with {
      $0.received += 1
      guard $0.received >= $0.last else { return }
      end($0)
    }
  }

  /// Ends the process at once, as the last signal does.
  static func endProcess() { state.with { end($0) } }

  private static func end(_ state: State) -> Never {
    for file in state.files { unlink(file) }
    UnfinishedFiles.removeAll()
    for folder in state.folders { rmdir(folder) }
    if !state.exitMessage.isEmpty { StandardOutput.noteRaw(state.exitMessage + "\n") }
    _exit(exitStatus)
  }
}
