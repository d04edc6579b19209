public import CordonCore
public import CordonMonitoring

/// Delivers recorded fixes in their own rhythm, as if measured now: for demonstrations and trials of an app.
///
/// The first fix is measured when reading begins; the others follow at their distance in time. A fast and repeatable
/// test drives a `Runtime` with its own clock instead.
public struct ReplayProvider: LocationProvider {
  private let fixes: [Fix]
  private let speed: Double
  private let clock: @Sendable () -> Instant

  /// - Parameters:
  ///   - fixes: the fixes, in any order; their times give the distances between them.
  ///   - speed: the factor of the speed, 0.01 ... 1 000. Faster replays look like faster people.
  public init(_ fixes: [Fix], speed: Double = 1) {
    self.init(fixes, speed: speed) { SystemClock.wall }
  }

  package init(_ fixes: [Fix], speed: Double, clock: @escaping @Sendable () -> Instant) {
    self.fixes = fixes.sorted { $0.time < $1.time }
    self.speed = min(max(speed.isFinite ? speed : 1, 0.01), 1_000)
    self.clock = clock
  }

  /// Returns the fixes, moved in time so that the first is measured at `start`.
  public func shifted(to start: Instant) -> [Fix] {
    guard let first = fixes.first else { return [] }
    return fixes.map { fix in
      var fix = fix
      let distance = Double((fix.time - first.time).milliseconds) / speed
      fix.time = start + TimeSpan(milliseconds: Int64(distance.rounded()))
      return fix
    }
  }

  /// See ``LocationProvider/perform(_:)``; a recording ignores commands.
  public func perform(_ command: ProviderCommand) {}

  /// See ``LocationProvider/events()``. Ends after the last fix.
  public func events() -> AsyncStream<ProviderEvent> {
    let start = clock()
    let fixes = shifted(to: start)
    return Pacing.stream(count: fixes.count) { index in
      (after: fixes[index].time - start, event: .fix(fixes[index]))
    }
  }
}

/// Delivers events at their times.
enum Pacing {
  /// Returns a stream of events, timed from its first read; ends after the last event.
  static func stream(
    count: Int, _ event: @escaping @Sendable (Int) -> (after: TimeSpan, event: ProviderEvent)
  ) -> AsyncStream<ProviderEvent> {
    AsyncStream { continuation in
      let task = Task {
        let start = ContinuousClock.now
        for index in 0..<count {
          let (after, event) = event(index)
          let due = start + .milliseconds(after.milliseconds)
          guard (try? await Task.sleep(until: due, clock: .continuous)) != nil else { break }
          continuation.yield(event)
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}
