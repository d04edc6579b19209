import CordonCore

/// The rule by which a concentration moves from one change of occupancy to the next.
package enum UpdateRule: String, Hashable, Sendable, CaseIterable {
  /// The solution of the mass balance: nothing is lost.
  case exact
  /// The mean over the interval of what was emitted in it becomes the level at its end, as in ArchABM 0.4.1.
  ///
  /// The levels stay between half of the exact ones and these, depending on how often the occupancy changes. Only for
  /// comparisons with ArchABM.
  case intervalMean = "interval-mean"
}

/// The concentration of one gas in one space, above that outdoors, and its integral over time.
struct GasState {
  /// The concentration above the outdoor one.
  var level = 0.0
  /// The integral of ``level`` over the hours since the start.
  var integral = 0.0

  /// Advances over an interval with a constant source.
  /// - Parameters:
  ///   - hours: the length of the interval.
  ///   - source: the increase of the concentration per hour without losses.
  ///   - rate: the share of the concentration that is removed per hour.
  func advanced(hours: Double, source: Double, rate: Double, rule: UpdateRule) -> GasState {
    let x = rate * hours
    let (f1, f2, kept) = (DecayFunctions.f1(x), DecayFunctions.f2(x), PortableMath.exp(-x))
    var next = self
    switch rule {
    case .exact:
      next.level = level * kept + source * hours * f1
      next.integral += level * hours * f1 + source * hours * hours * f2
    case .intervalMean:
      next.level = level * kept + source * hours * f2
      next.integral += next.level * hours
    }
    return next
  }
}
