/// Number, mean, standard deviation and quantiles of accuracy radii, in constant memory.
///
/// Radii are counted in steps of 0.1 m up to 100 m and of 1 m up to 10 km; larger ones count as 10 km. Quantiles are exact to
/// these steps.
package struct AccuracyStatistics: Hashable, Sendable {
  /// The number of radii.
  package private(set) var count = 0
  private var sum = 0.0
  private var squares = 0.0
  private var bins: [Int] = []

  private static let fine = 1_000
  private static let coarse = 9_900

  init() {}

  /// Adds a radius in metres greater than 0.
  mutating func add(_ radius: Double) {
    if bins.isEmpty { bins = Array(repeating: 0, count: AccuracyStatistics.fine + AccuracyStatistics.coarse + 1) }
    count += 1
    sum += radius
    squares += radius * radius
    bins[AccuracyStatistics.bin(of: radius)] += 1
  }

  private static func bin(of radius: Double) -> Int {
    let tenths = (radius * 10).rounded()
    if tenths < Double(fine) { return Int(tenths) }
    return min(fine + Int(min(radius.rounded(), 1e6)) - 100, fine + coarse)
  }

  private static func value(of bin: Int) -> Double { bin < fine ? Double(bin) / 10 : Double(bin - fine + 100) }

  /// The mean in metres; `nil` without a radius.
  package var mean: Double? { count > 0 ? sum / Double(count) : nil }

  /// The standard deviation of the sample in metres; `nil` for fewer than two radii.
  package var deviation: Double? {
    guard count > 1, let mean else { return nil }
    return (max(squares - Double(count) * mean * mean, 0) / Double(count - 1)).squareRoot()
  }

  /// Returns the smallest radius that a share of all radii does not exceed; `nil` without a radius.
  /// - Parameter share: 0 ... 1.
  package func quantile(_ share: Double) -> Double? {
    guard count > 0 else { return nil }
    let wanted = max(1, Int((share * Double(count)).rounded(.up)))
    var seen = 0
    for (bin, number) in bins.enumerated() where number > 0 {
      seen += number
      if seen >= wanted { return AccuracyStatistics.value(of: bin) }
    }
    return nil
  }
}
