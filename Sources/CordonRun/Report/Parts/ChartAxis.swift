import CordonCore
import CordonSupport

/// One direction of a chart.
package struct ChartAxis: Sendable {
  /// The text beside the axis, with the unit.
  package let name: String
  private var low: Double?
  private var high: Double?
  private let isLogarithmic: Bool
  private let isClock: Bool
  private var from = 0.0
  private var to = 1.0

  /// Creates an axis.
  ///
  /// - Parameters:
  ///   - name: the text beside the axis, with the unit.
  ///   - low: the lower end; `nil` for 0, or for the smallest value if that is negative.
  ///   - high: the upper end; `nil` for the largest value.
  ///   - isLogarithmic: whether powers of ten have equal distances. Values must then be greater than 0.
  ///   - isClock: whether values are shown as on a clock: minutes as hours and minutes, seconds as minutes and seconds.
  package init(
    _ name: String, low: Double? = nil, high: Double? = nil, isLogarithmic: Bool = false, isClock: Bool = false
  ) {
    self.name = name
    self.low = low
    self.high = high
    self.isLogarithmic = isLogarithmic
    self.isClock = isClock
  }

  /// Returns whether a value has a place on the axis.
  func holds(_ value: Double) -> Bool { value.isFinite && (!isLogarithmic || value > 0) }

  /// Returns the axis with ends for values, between two places of the drawing.
  func fitted(to values: [Double], from: Double, to: Double) -> ChartAxis {
    let usable = values.filter(holds)
    let (least, most) = (usable.min() ?? 0, usable.max() ?? 1)
    var axis = self
    axis.from = from
    axis.to = to
    if isLogarithmic {
      let bottom = ChartAxis.log10(low ?? least).rounded(.down)
      axis.low = bottom
      axis.high = max(ChartAxis.log10(high ?? most).rounded(.up), bottom + 1)
    } else if isClock {
      axis.low = low ?? (least / 60).rounded(.down) * 60
      axis.high = max(high ?? (most / 60).rounded(.up) * 60, (axis.low ?? 0) + 60)
    } else {
      axis.low = low ?? min(least, 0)
      axis.high = max(high ?? most * 1.04, (axis.low ?? 0) + 1e-6)
    }
    return axis
  }

  /// Returns the place of a value in the drawing; one beyond the ends is put at the end.
  func place(_ value: Double) -> Double {
    let (low, high) = (low ?? 0, high ?? 1)
    let shown = isLogarithmic ? ChartAxis.log10(value) : value
    let share = min(max((shown - low) / (high - low), 0), 1)
    return ((from + share * (to - from)) * 10).rounded() / 10
  }

  /// The values with a text at the axis.
  var ticks: [Double] {
    let (low, high) = (low ?? 0, high ?? 1)
    if isLogarithmic { return stride(from: low, through: high, by: 1).map { PortableMath.exp($0 * ChartAxis.ln10) } }
    guard isClock else { return AxisTicks.list(from: low, to: high) }
    let step = [10.0, 15, 30, 60, 120, 180, 240, 360, 600, 1_200, 3_600].first { (high - low) / $0 <= 6 } ?? 7_200
    return Array(stride(from: (low / step).rounded(.up) * step, through: high, by: step))
  }

  /// Returns the text of a tick.
  func label(_ value: Double) -> String {
    if isLogarithmic, value < 0.009_9 { return "1e\(Int(ChartAxis.log10(value).rounded()))" }
    return self.value(value)
  }

  /// Returns a value as text: at most three decimals, more for small values of a logarithmic axis.
  func value(_ value: Double) -> String {
    if isClock {
      let whole = Int(value.rounded())
      return "\(whole / 60):\(whole % 60 < 10 ? "0" : "")\(whole % 60)"
    }
    var scale = 1_000.0
    while isLogarithmic, abs(value) > 0, abs(value) * scale < 100, scale < 1e12 { scale *= 10 }
    let rounded = (value * scale).rounded() / scale
    return rounded == rounded.rounded() && abs(rounded) < 1e12 ? String(Int64(rounded)) : String(rounded)
  }

  private static let ln10 = 2.302_585_092_994_046
  private static func log10(_ value: Double) -> Double { PortableMath.log(max(value, 1e-12)) / ln10 }
}

/// Round numbers on an axis.
package enum AxisTicks {
  /// Returns at most seven multiples of 1, 2 or 5 times a power of ten from `low` to `high`.
  package static func list(from low: Double, to high: Double) -> [Double] {
    let extent = high - low
    guard extent > 0, extent.isFinite else { return [low] }
    var step = 1.0
    while extent / step > 1_000 { step *= 10 }
    while extent / step < 1 { step /= 10 }
    while extent / step > 6 {
      // 1, 2, 5, 10 ...
      step *= leadingDigit(step) == 2 ? 2.5 : 2
    }
    // Few ticks say little: half of a step of 1, 2 or 5 is round too.
    if extent / step < 3 { step /= 2 }
    let first = (low / step).rounded(.up)
    return (0...Int((high / step + 1e-9 - first).rounded(.down))).map { (first + Double($0)) * step }
  }

  private static func leadingDigit(_ value: Double) -> Int {
    var value = value
    while value >= 9.99 { value /= 10 }
    while value < 0.999 { value *= 10 }
    return Int(value.rounded())
  }
}
