import CordonCore

/// Waits for the end.
enum Waiting {
  /// The first signal; 0 when so much time has passed before one came.
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
