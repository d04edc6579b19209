import Dispatch
import Foundation

/// The wish of a person or an operating system that the process end.
enum Signals {
  /// The first of SIGINT and SIGTERM; a second one ends the process at once.
  static func first() -> AsyncStream<Int32> {
    AsyncStream { continuation in
      let queue = DispatchQueue(label: "signals")
      for number in [SIGINT, SIGTERM] {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler {
          continuation.yield(number)
          // From now on the system's own way.
          signal(SIGINT, SIG_DFL)
          signal(SIGTERM, SIG_DFL)
        }
        source.resume()
        // Kept for as long as the process lives.
        _ = Unmanaged.passRetained(source as AnyObject)
      }
    }
  }
}
