internal import NIOConcurrencyHelpers

/// How long requests took, in steps.
final class Latencies: Sendable {
  static let bounds: [Double] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

  struct Counts {
    var buckets = [Int](repeating: 0, count: Latencies.bounds.count + 1)
    var sum = 0.0
    var count = 0
  }

  private let state = NIOLockedValueBox(Counts())

  func add(_ seconds: Double) {
    state.withLockedValue { counts in
      var index = 0
      while index < Self.bounds.count, seconds > Self.bounds[index] { index += 1 }
      counts.buckets[index] += 1
      counts.sum += seconds
      counts.count += 1
    }
  }

  var counts: Counts { state.withLockedValue { $0 } }
}
