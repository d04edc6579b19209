/// The progress of a person on a way: the shortest remaining length so far, and the time since it last shrank.
///
/// A person whom others or a wall turn back at every other step never stands still, but makes no progress either.
struct WalkProgress {
  /// The shortest rest of the way so far, in metres.
  private var shortestRest = Double.infinity
  /// Time since the rest last became shorter, in seconds.
  private var seconds = 0

  /// A person makes progress if the rest of the way shrinks by `minimumGain` metres within this many seconds.
  static let patience = 4
  static let minimumGain = 0.2

  /// Records the rest of the way, once a second, and returns whether the person made progress in the last seconds.
  /// - Parameter rest: the length of the rest in metres; `nil` for a person who does not walk or has to wait.
  mutating func update(rest: Double?) -> Bool {
    if let rest, rest >= shortestRest - Self.minimumGain {
      seconds += 1
      return seconds < Self.patience
    }
    shortestRest = rest ?? .infinity
    seconds = 0
    return true
  }
}
