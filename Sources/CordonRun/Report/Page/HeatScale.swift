/// The limits of the six classes of a heat map: round numbers, finer at the low end.
struct HeatScale {
  /// The upper limits, each included. The last one is not below the maximum value.
  let limits: [Double]

  /// Creates a scale.
  ///
  /// - Parameters:
  ///   - maximum: the maximum value to show.
  ///   - least: the power of ten of the smallest limit.
  init(maximum: Double, least: Double = 0.1) {
    guard maximum.isFinite, maximum > 0 else {
      limits = [1]
      return
    }
    var limits: [Double] = []
    for index in 1...6 {
      let share = Double(index) / 6
      let limit = HeatScale.roundedUp(maximum * share * share.squareRoot(), least: least)
      if limit > limits.last ?? 0 { limits.append(limit) }
    }
    self.limits = limits
  }

  /// Returns 0 for no value, otherwise 1 ... 6.
  func level(of value: Double) -> Int {
    guard value > 0 else { return 0 }
    return (limits.firstIndex { value <= $0 } ?? limits.count - 1) + 1
  }

  /// Returns the next number of the form 1, 1.5, 2, 3, 4, 5, 6, 8 times a power of ten; at least `least`.
  private static func roundedUp(_ value: Double, least: Double) -> Double {
    var scale = 1.0
    while value / scale > 10 { scale *= 10 }
    while value / scale < 1, scale > least * 1.5 { scale /= 10 }
    for step in [1, 1.5, 2, 3, 4, 5, 6, 8] where value <= step * scale * (1 + 1e-9) {
      return (step * scale * 1e6).rounded() / 1e6
    }
    return 10 * scale
  }
}
