/// A sample of numbers, with its statistics.
package struct Sample: Hashable, Sendable {
  /// The values in ascending order, all finite.
  package let sorted: [Double]

  /// Creates a sample from the finite ones of some values. Complexity: O(*n* log *n*).
  package init(_ values: some Sequence<Double>) { sorted = values.filter(\.isFinite).sorted() }

  /// The number of values.
  package var count: Int { sorted.count }

  /// The arithmetic mean; NaN for an empty sample.
  package var mean: Double { sorted.isEmpty ? .nan : sorted.reduce(0, +) / Double(sorted.count) }

  /// The standard deviation of the sample (division by n - 1); NaN for fewer than two values.
  package var deviation: Double {
    guard sorted.count > 1 else { return .nan }
    let mean = mean
    return (sorted.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(sorted.count - 1)).squareRoot()
  }

  /// The root mean square; NaN for an empty sample.
  package var rootMeanSquare: Double {
    sorted.isEmpty ? .nan : (sorted.reduce(0) { $0 + $1 * $1 } / Double(sorted.count)).squareRoot()
  }

  /// The absolute values.
  package var absolute: Sample { Sample(sorted.map(abs)) }

  /// Returns a quantile, with linear interpolation between neighbouring values; NaN for an empty sample.
  /// - Parameter share: the share of values below the quantile, limited to 0 ... 1.
  package func quantile(_ share: Double) -> Double {
    guard let last = sorted.indices.last else { return .nan }
    let place = min(max(share, 0), 1) * Double(last)
    let low = Int(place)
    let high = min(low + 1, last)
    return sorted[low] + (sorted[high] - sorted[low]) * (place - Double(low))
  }
}
