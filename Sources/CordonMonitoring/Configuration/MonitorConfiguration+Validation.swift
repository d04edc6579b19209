public import CordonCore

/// An invalid setting: its name, its value, and the allowed range.
public struct MonitorConfigurationError: CordonError, Hashable {
  /// The name of the field of ``MonitorConfiguration``.
  public var field: String
  /// Its value, as text.
  public var value: String
  /// The range of allowed values, with their unit.
  public var allowed: String

  /// Makes an error of its parts.
  public init(field: String, value: String, allowed: String) {
    self.field = field
    self.value = value
    self.allowed = allowed
  }

  /// `MonitorConfiguration.batchRows is 0; allowed: 1 to 1000000`
  public var description: String { "MonitorConfiguration.\(field) is \(value); allowed: \(allowed)" }

  /// Names the field and its range.
  public var remedy: String { "Set \(field) to a value of \(allowed)." }
}

extension MonitorConfiguration {
  /// Checks every field. A `Runtime` does not validate its configuration. Code that builds one from outside input
  /// validates it first, as `ContactMonitor` does.
  ///
  /// - Throws: an error for the first invalid field, in the order of the declarations.
  public func validate() throws(MonitorConfigurationError) {
    try check("maximumAccuracy", maximumAccuracy, 1...10_000_000, unit: "metres")
    try check("thinning", thinning, .zero ... .days(1))
    try check("minimumDistance", minimumDistance, 0...10_000, unit: "metres")
    try check("futureTolerance", futureTolerance, .zero ... .days(1))
    try check("maximumSpeed", maximumSpeed, 0.1...1_000, unit: "metres per second")
    try check("exitFixes", exitFixes, 1...1_000)
    try check("floorFixes", floorFixes, 1...1_000)
    try check("stillAfter", stillAfter, .seconds(1) ... .days(365))
    try check("heartbeat", heartbeat, .seconds(1) ... .days(1))
    try check("stillRadius", stillRadius, 0.1...1_000, unit: "metres")
    if let flushAfter { try check("flushAfter", flushAfter, .zero ... .days(365)) }
    try check("flushRows", flushRows, 1...1_000_000_000)
    try check("batchRows", batchRows, 1...1_000_000)
    try check("backoffBase", backoffBase, .milliseconds(1) ... .days(1))
    try check("backoffCap", backoffCap, backoffBase ... .days(7))
    try check("requestTimeout", requestTimeout, .milliseconds(100) ... .days(1))
    // If a lease ended while its request is in flight, the rows would be sent twice.
    try check("leaseDuration", leaseDuration, requestTimeout ... .days(7))
    try check("maximumRows", maximumRows, 1...1_000_000_000)
    try check("maximumBytes", maximumBytes, MonitorConfiguration.bytesPerSealedRow...(1 << 40), unit: "bytes")
    try check("maximumAge", maximumAge, .minutes(1) ... .days(3_650))
    guard (1...64).contains(deviceType.utf8.count), !deviceType.unicodeScalars.contains(where: \.isControl) else {
      throw MonitorConfigurationError(
        field: "deviceType", value: "a text of \(deviceType.utf8.count) bytes",
        allowed: "1 to 64 bytes without control characters")
    }
    try check("spaceFixes", spaceFixes, 1...1_000)
    if let dwellAfter { try check("dwellAfter", dwellAfter, .seconds(1) ... .days(7)) }
    try validateOutside()
    for (index, sink) in sinks.enumerated() where sinks[..<index].contains(where: { $0.id == sink.id }) {
      throw MonitorConfigurationError(field: "sinks", value: "\(sink.id) twice", allowed: "each sink once")
    }
  }

  func check<Value: Comparable>(
    _ field: String, _ value: Value, _ range: ClosedRange<Value>, unit: String? = nil
  ) throws(MonitorConfigurationError) {
    // NaN is in no range.
    guard !range.contains(value) else { return }
    let allowed = "\(range.lowerBound) to \(range.upperBound)" + (unit.map { " \($0)" } ?? "")
    throw MonitorConfigurationError(field: field, value: "\(value)", allowed: allowed)
  }
}

extension Unicode.Scalar {
  /// Whether the character moves the cursor or changes how text is shown.
  var isControl: Bool { properties.generalCategory == .control || properties.generalCategory == .format }
}
