import Foundation

/// Whether the person at the keyboard has asked the process to stop (Ctrl-C, or SIGTERM).
///
/// The first signal asks politely; a later one ends the process at once.
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
        if Interruption.signals >= Interruption.last { _exit(130) }
      }
    }
    // Whoever started the process may have kept the signals from it: programs that run others from a worker thread do.
    var set = sigset_t()
    sigemptyset(&set)
    for number in [SIGINT, SIGTERM] { sigaddset(&set, number) }
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
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
