import CordonCore

/// Waiting for the end.
enum Waiting {
  /// Returns the first signal; 0 if the time passes or the stream ends first.
  static func first(of signals: AsyncStream<Int32>, orAfter span: TimeSpan?) async -> Int32 {
    await withTaskGroup(of: Int32.self) { group in
      group.addTask {
        for await number in signals { return number }
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
