internal import CordonIngest
internal import Dispatch
internal import NIOConcurrencyHelpers

/// A store that many askers query, one step at a time.
///
/// Askers take turns: each runs one step of its oldest query. An operator who queries a week of a whole venue
/// has one query running at a time, and delays others by a step or two.
///
/// `@unchecked Sendable` holds because only `queue` touches `store`, and the rest is constant or behind a lock.
final class ReadingLane: @unchecked Sendable {
  /// A query in the lane.
  final class Job: Sendable {
    fileprivate let limit: Duration
    fileprivate let isGone: @Sendable () -> Bool
    fileprivate let step: @Sendable (any PositionStore) -> Bool
    fileprivate let onBreak: @Sendable () -> Void
    fileprivate let spent = NIOLockedValueBox(Duration.zero)

    /// A job.
    /// - Parameters:
    ///   - limit: the maximum total time of its steps.
    ///   - isGone: whether the client is gone.
    ///   - step: runs a step and returns whether it was the last one.
    ///   - onBreak: called instead of a further step after the time limit, or when the client is gone.
    init(
      limit: Duration, isGone: @escaping @Sendable () -> Bool, step: @escaping @Sendable (any PositionStore) -> Bool,
      onBreak: @escaping @Sendable () -> Void
    ) {
      self.limit = limit
      self.isGone = isGone
      self.step = step
      self.onBreak = onBreak
    }
  }

  private struct State {
    /// The askers in the order of their turns.
    var turns: [Query.Asker] = []
    var jobs: [Query.Asker: [Job]] = [:]
    var count = 0
    var isAwake = false
  }

  /// The maximum number of waiting and running queries of one asker.
  static let maximumPerAsker = 8
  /// The maximum number of waiting and running queries in total.
  static let maximumTotal = 1_000

  private let store: any PositionStore
  private let queue: DispatchQueue
  private let state = NIOLockedValueBox(State())

  init(_ label: String, _ store: any PositionStore) {
    self.store = store
    queue = DispatchQueue(label: label, qos: .utility)
  }

  /// The number of waiting and running queries.
  var count: Int { state.withLockedValue { $0.count } }

  /// Adds a job; returns `false`, and adds nothing, at a maximum.
  func add(_ job: Job, of asker: Query.Asker) -> Bool {
    let (isTaken, mustWake) = state.withLockedValue { state in
      guard state.count < Self.maximumTotal, state.jobs[asker, default: []].count < Self.maximumPerAsker else {
        return (false, false)
      }
      state.count += 1
      if state.jobs[asker, default: []].isEmpty { state.turns.append(asker) }
      state.jobs[asker, default: []].append(job)
      defer { state.isAwake = true }
      return (true, !state.isAwake)
    }
    if mustWake { queue.async { self.work() } }
    return isTaken
  }

  private func work() {
    while let (asker, job) = next() {
      let isOver = advance(job)
      state.withLockedValue { state in
        if isOver {
          state.jobs[asker]?.removeFirst()
          state.count -= 1
        }
        if state.jobs[asker]?.isEmpty ?? true {
          state.jobs[asker] = nil
        } else {
          state.turns.append(asker)
        }
      }
    }
  }

  private func next() -> (Query.Asker, Job)? {
    state.withLockedValue { state in
      guard !state.turns.isEmpty else {
        state.isAwake = false
        return nil
      }
      let asker = state.turns.removeFirst()
      return state.jobs[asker]?.first.map { (asker, $0) }
    }
  }

  /// Runs a step of a job; returns whether the job is finished.
  private func advance(_ job: Job) -> Bool {
    let (begun, spent) = (ContinuousClock.now, job.spent.withLockedValue { $0 })
    func isDue() -> Bool { spent + begun.duration(to: .now) >= job.limit || job.isGone() }
    guard !isDue() else {
      job.onBreak()
      return true
    }
    store.setInterruption(isDue)
    defer { store.setInterruption(nil) }
    let isOver = job.step(store)
    job.spent.withLockedValue { $0 += begun.duration(to: .now) }
    return isOver
  }
}
