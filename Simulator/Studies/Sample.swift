/// Numbers that were measured, and what is said of them.
public struct Sample: Hashable, Sendable {
  /// In ascending order, all finite.
  public let sorted: [Double]

  /// Takes the finite ones of the values.
  public init(_ values: some Sequence<Double>) { sorted = values.filter(\.isFinite).sorted() }

  /// How many.
  public var count: Int { sorted.count }

  /// The arithmetic mean; not a number for none.
  public var mean: Double { sorted.isEmpty ? .nan : sorted.reduce(0, +) / Double(sorted.count) }

  /// The standard deviation of the sample (division by n - 1); not a number for fewer than two.
  public var deviation: Double {
    guard sorted.count > 1 else { return .nan }
    let mean = mean
    return (sorted.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(sorted.count - 1)).squareRoot()
  }

  /// The square root of the mean square; not a number for none.
  public var rootMeanSquare: Double {
    sorted.isEmpty ? .nan : (sorted.reduce(0) { $0 + $1 * $1 } / Double(sorted.count)).squareRoot()
  }

  /// The absolute values.
  public var absolute: Sample { Sample(sorted.map(abs)) }

  /// The value below which the share `share` lies, linear between neighbours; not a number for none.
  public func quantile(_ share: Double) -> Double {
    guard let last = sorted.indices.last else { return .nan }
    let place = min(max(share, 0), 1) * Double(last)
    let low = Int(place)
    let high = min(low + 1, last)
    return sorted[low] + (sorted[high] - sorted[low]) * (place - Double(low))
  }
}
