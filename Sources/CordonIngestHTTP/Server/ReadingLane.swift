internal import CordonIngest
internal import Dispatch
internal import NIOConcurrencyHelpers

/// A store that many ask, one step at a time.
///
/// Askers take turns: each has a step of its oldest question, then the next asker has one. So an operator who asks for a week
/// of a whole venue has one question under way at a time, and delays others by a step or two.
///
/// `@unchecked Sendable` holds because `store` is only touched on `queue`, and the rest is behind a lock or constant.
final class ReadingLane: @unchecked Sendable {
  /// A question in the lane.
  final class Job: Sendable {
    fileprivate let limit: Duration
    fileprivate let isGone: @Sendable () -> Bool
    fileprivate let step: @Sendable (any PositionStore) -> Bool
    fileprivate let onBreak: @Sendable () -> Void
    fileprivate let spent = NIOLockedValueBox(Duration.zero)

    /// A job.
    /// - Parameters:
    ///   - limit: for how long its steps may take together.
    ///   - isGone: whether nobody waits for it any more.
    ///   - step: does a step; answers whether it was the last one.
    ///   - onBreak: called instead of a further step when it took too long, or nobody waits.
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
    /// Whose turn it is, in order.
    var turns: [Query.Asker] = []
    var jobs: [Query.Asker: [Job]] = [:]
    var count = 0
    var isAwake = false
  }

  /// The most questions of one asker that wait or are under way.
  static let maximumPerAsker = 8
  /// The most questions of all.
  static let maximumTotal = 1_000

  private let store: any PositionStore
  private let queue: DispatchQueue
  private let state = NIOLockedValueBox(State())

  init(_ label: String, _ store: any PositionStore) {
    self.store = store
    queue = DispatchQueue(label: label, qos: .utility)
  }

  /// How many questions wait or are under way.
  var count: Int { state.withLockedValue { $0.count } }

  /// Takes a job; answers `false`, and takes nothing, when too many wait.
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

  /// Does a step of a job; answers whether it is over.
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
