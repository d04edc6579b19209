/// Probabilities of being within reach, interpolated: what integrals over time use.
///
/// Corners 1/32 apart in (distance / s, measured / s), computed when first asked for, and bilinear
/// between them: the error is below 1e-4.
struct ProbabilityTable {
  private static let perUnit = 32.0
  private static let limit = 16.0
  private static let side = Int(limit * perUnit) + 2
  private var corners = [Double](repeating: .nan, count: side * side)

  /// P(true distance <= ratio s) at a measured distance of noncentrality s.
  mutating func within(ratio: Double, noncentrality: Double) -> Double {
    guard ratio < ProbabilityTable.limit, noncentrality < ProbabilityTable.limit else {
      return ContactProbability.within(ratio: ratio, noncentrality: noncentrality)
    }
    let (r, c) = (ratio * ProbabilityTable.perUnit, noncentrality * ProbabilityTable.perUnit)
    let (row, column) = (Int(r), Int(c))
    let (u, v) = (r - Double(row), c - Double(column))
    let low = corner(row, column) * (1 - v) + corner(row, column + 1) * v
    let high = corner(row + 1, column) * (1 - v) + corner(row + 1, column + 1) * v
    return low * (1 - u) + high * u
  }

  @inline(__always)
  private mutating func corner(_ row: Int, _ column: Int) -> Double {
    let place = row &* ProbabilityTable.side &+ column
    let known = corners[place]
    if !known.isNaN { return known }
    let value = ContactProbability.within(
      ratio: Double(row) / ProbabilityTable.perUnit, noncentrality: Double(column) / ProbabilityTable.perUnit)
    corners[place] = value
    return value
  }
}
