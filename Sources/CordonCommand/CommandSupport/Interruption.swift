import Foundation

/// Whether the person at the keyboard has asked the process to stop (Ctrl-C, or SIGTERM).
///
/// The first signal asks politely; a second one ends the process at once.
enum Interruption {
  // Written by the signal handler only, to one value, and only ever read elsewhere.
  nonisolated(unsafe) private static var signals: sig_atomic_t = 0

  /// Starts to listen.
  static func watch() {
    for number in [SIGINT, SIGTERM] {
      signal(number) { _ in
        if Interruption.signals > 0 { _exit(130) }
        Interruption.signals = 1
      }
    }
  }

  /// Whether a signal has come.
  static var isRequested: Bool { signals > 0 }
}
