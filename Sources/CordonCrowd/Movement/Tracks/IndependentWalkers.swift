import CordonCore
import Foundation

/// Moves people who do not interact, each independently of the others, on several threads.
struct IndependentWalkers {
  let count: Int
  let replication: Replication
  let threads: Int
  /// Polled before each person; `true` ends the run early.
  let isInterrupted: (@Sendable () -> Bool)?
  let progress: (@Sendable (Double) -> Void)?
  /// The spaces with a limit.
  let limits: LimitedSpaces

  /// Returns the tracks of all people.
  ///
  /// If the run ends early, some people have been moved to its end already. The others are then moved for the same
  /// share of the duration, so that all positions are known up to ``MovementFigures/interruptedAt``.
  /// - Parameters:
  ///   - fields: the stations that serve people.
  ///   - walker: returns a person at the entrance.
  func moved<Walker: SoloWalker>(
    _ fields: RouteFields, _ walker: @Sendable (_ person: Int) -> Walker
  ) -> MovementResult {
    let meter = ProgressMeter(total: count, report: progress)
    let clock = EndOfRun(self)
    let spaces = limits.isEmpty ? nil : limits
    let journeys = parallelMap(count: count, threads: threads) { person in
      defer { meter.advance() }
      var journey = SoloJourney(walker(person), end: clock.end(), limits: spaces)
      let pause = journey.advance()
      return (journey: journey, pause: pause)
    }
    var queues = SoloQueues(
      journeys, fields: fields, limits: spaces, end: clock.early ?? replication.end.milliseconds)
    var result = MovementResult(tracks: queues.tracks())
    result.figures.unserved = queues.unserved
    result.figures.waitsForRoom = queues.waitsForRoom.count
    result.figures.roomsGivenUp = queues.waitsForRoom.givenUp
    result.figures.interruptedAt = clock.early
    return result
  }
}

/// The time up to which the remaining people are moved.
///
/// `@unchecked Sendable` holds because `begun` and `early`, the only variables, are accessed under `lock`. The only
/// exception is the last read, after all threads have finished.
private final class EndOfRun: @unchecked Sendable {
  private let lock = NSLock()
  private let people: IndependentWalkers
  private var begun = 0
  private(set) var early: Int64?

  init(_ people: IndependentWalkers) { self.people = people }

  /// Returns the end of the run for the next person.
  func end() -> Int64 {
    let end = people.replication.end.milliseconds
    guard let isInterrupted = people.isInterrupted else { return end }
    lock.lock()
    defer { lock.unlock() }
    if early == nil, isInterrupted() {
      let whole = people.replication.duration.milliseconds
      early = end - whole / Int64(max(people.count, 1)) * Int64(people.count - begun)
    }
    begun += 1
    return early ?? end
  }
}
