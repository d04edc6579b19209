import Dispatch
import Foundation

/// Requests from a person or the operating system to end the process.
enum Signals {
  /// Returns a stream of SIGINT and SIGTERM; after the first, another one ends the process at once.
  static func first() -> AsyncStream<Int32> {
    AsyncStream { continuation in
      let queue = DispatchQueue(label: "signals")
      for number in [SIGINT, SIGTERM] {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler {
          continuation.yield(number)
          // From now on the default action.
          signal(SIGINT, SIG_DFL)
          signal(SIGTERM, SIG_DFL)
        }
        source.resume()
        // Retained for the lifetime of the process.
        _ = Unmanaged.passRetained(source as AnyObject)
      }
    }
  }
}
