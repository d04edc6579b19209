/// Reads times of one column, all in one unit.
struct PointClock {
  private enum Scale {
    case seconds, milliseconds, microseconds
  }

  private var scale: Scale?
  /// The range of the numbers that may be times since 1970, as they are written.
  private var least = Double.infinity
  private var largest = 0.0

  init(unit: PointFileOptions.TimeUnit, column: String) {
    switch unit {
    case .seconds: scale = .seconds
    case .milliseconds: scale = .milliseconds
    case .microseconds: scale = .microseconds
    case .auto:
      let name = column.lowercased()
      if name.hasSuffix("_ms") { scale = .milliseconds }
      if name.hasSuffix("_s") { scale = .seconds }
      if name.hasSuffix("_us") { scale = .microseconds }
    }
  }

  /// Milliseconds since 1970.
  @inline(__always)
  mutating func milliseconds(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
    if let whole = NumberParsing.integer(bytes) {
      note(Double(whole))
      if scale == nil { choose(Double(whole)) }
      switch scale {
      case .seconds: return abs(whole) < 1 << 50 ? whole * 1_000 : nil
      case .microseconds: return whole >= 0 ? whole / 1_000 : -((-whole + 999) / 1_000)
      default: return whole
      }
    }
    if let number = NumberParsing.double(bytes) {
      note(number)
      if scale == nil { choose(number) }
      let milliseconds: Double
      switch scale {
      case .seconds: milliseconds = (number * 1_000).rounded()
      case .microseconds: milliseconds = (number / 1_000).rounded(.down)
      default: milliseconds = number.rounded()
      }
      return abs(milliseconds) < 9e15 ? Int64(milliseconds) : nil
    }
    return NumberParsing.instant(bytes)
  }

  @inline(__always)
  private mutating func note(_ number: Double) {
    // Below a hundred million it may be a time since the beginning of the record.
    let size = abs(number)
    guard size >= 1e8 else { return }
    if size < least { least = size }
    if size > largest { largest = size }
  }

  /// Seconds since 1970 have nine or ten digits, milliseconds twelve or thirteen, microseconds more.
  private mutating func choose(_ number: Double) {
    switch abs(number) {
    case ..<1e8: scale = number == number.rounded() ? .milliseconds : .seconds
    case ..<1e11: scale = .seconds
    case ..<1e14: scale = .milliseconds
    default: scale = .microseconds
    }
  }

  /// What is wrong when some times are a hundred times others or more: no record is that long.
  var mixture: String? {
    guard largest > 0, largest / least >= 100 else { return nil }
    return
      "times are in mixed units: they range from \(Int64(least)) to \(Int64(largest)); convert them, or name the unit of one part"
  }
}
