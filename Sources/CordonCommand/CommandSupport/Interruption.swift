import CordonConsole
import Foundation

/// Whether the person at the keyboard has asked the process to stop (Ctrl-C, or SIGTERM).
///
/// The first signal ends a command that keeps nothing of unfinished work. A command that keeps what it has calls
/// ``watch(endingAt:)``: it is asked to stop then, and a later signal ends the process at once.
enum Interruption {
  // Written by the signal handler only, to one value, and only ever read elsewhere.
  nonisolated(unsafe) private static var signals: sig_atomic_t = 0
  // Set before the handler is there.
  nonisolated(unsafe) private static var last: sig_atomic_t = 2
  // How many signals were answered; of the one thread that asks.
  nonisolated(unsafe) private static var answered: sig_atomic_t = 0

  /// Starts to listen.
  /// - Parameter count: the signal that ends the process at once, 2 or more.
  static func watch(endingAt count: Int = 2) {
    last = sig_atomic_t(max(count, 2))
    for number in [SIGINT, SIGTERM] {
      signal(number) { _ in
        Interruption.signals += 1
        if Interruption.signals >= Interruption.last { Interruption.end() }
      }
    }
    letThrough()
  }

  /// Whoever started the process may have kept the signals from it: programs that run others from a worker thread do.
  private static func letThrough() {
    var set = sigset_t()
    sigemptyset(&set)
    for number in [SIGINT, SIGTERM] { sigaddset(&set, number) }
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  // Whole before a handler sees them: what is removed and said when a signal ends the process at once.
  nonisolated(unsafe) private static var leavings: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
  nonisolated(unsafe) private static var folders: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
  nonisolated(unsafe) private static var lastWord: UnsafeMutablePointer<CChar>?

  /// Lets the first signal end the process: its unfinished files are removed, and a message is written.
  /// - Parameter message: for standard error, without the end of its line.
  static func endsAtOnce(saying message: String) {
    leavesNothing(of: [], in: [], saying: message)
    for number in [SIGINT, SIGTERM] { signal(number) { _ in Interruption.end() } }
    letThrough()
  }

  /// What a signal that ends the process at once removes, and says.
  /// - Parameters:
  ///   - files: paths; those that are not there are passed over.
  ///   - folders: folders of the process's own, removed when nothing but `files` is in them.
  ///   - message: for standard error, without the end of its line.
  static func leavesNothing(of files: [String], in folders: [String], saying message: String) {
    leavings = copied(files)
    Interruption.folders = copied(folders)
    lastWord = strdup(message + "\n")
  }

  /// Never given back: the process ends with them. The last one is none, so that the end is found without a count.
  private static func copied(_ words: [String]) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> {
    let copies = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: words.count + 1)
    copies.initialize(repeating: nil, count: words.count + 1)
    for (index, word) in words.enumerated() { copies[index] = strdup(word) }
    return copies
  }

  /// Nothing but what a signal handler may call (POSIX.1-2017, 2.4.3).
  private static func end() -> Never {
    var path = leavings
    while let file = path?.pointee {
      unlink(file)
      path = path?.advanced(by: 1)
    }
    UnfinishedFiles.removeAll()
    path = folders
    while let folder = path?.pointee {
      rmdir(folder)
      path = path?.advanced(by: 1)
    }
    if let word = lastWord { _ = write(STDERR_FILENO, word, strlen(word)) }
    _exit(130)
  }

  /// Whether a signal has come that was not answered yet; true once for each signal. Ask on one thread at a time.
  static func answer() -> Bool {
    guard signals > answered else { return false }
    answered += 1
    return true
  }

  /// Whether a signal has come that was not answered yet, without answering it. On any thread, while none answers.
  static var isPending: Bool { signals > answered }

  /// How many more signals end the process at once.
  static var left: Int { Int(max(last - signals, 0)) }

  /// Whether a signal has come.
  static var isRequested: Bool { signals > 0 }
}
