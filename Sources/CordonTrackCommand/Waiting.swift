import CordonConsole
import CordonCore

/// Waiting for the end.
enum Waiting {
  /// Returns the first signal; 0 if the time passes first. After that, a signal ends the process at once.
  static func first(of signals: SignalPipe, orAfter span: TimeSpan?) async -> Int32 {
    defer { signals.close() }
    return await withTaskGroup(of: Int32.self) { group in
      group.addTask {
        for await number in signals.numbers { return number }
        return 0
      }
      if let span {
        group.addTask {
          try? await Task.sleep(for: .milliseconds(span.milliseconds))
          return 0
        }
      }
      let number = await group.next() ?? 0
      group.cancelAll()
      return number
    }
  }
}
