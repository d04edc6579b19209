/// One test of a model with a known result.
public struct MovementCase: Hashable, Sendable {
  /// A short name for scripts, such as `rimea-1` or `door-0.8`.
  public var id: String
  /// A title for readers.
  public var title: String
  /// The result; NaN if the test has none.
  public var value: Double
  /// The unit of the value; empty for a dimensionless number.
  public var unit: String
  /// The accepted values.
  public var band: ClosedRange<Double>
  /// The source of the known result, or further details.
  public var note: String

  /// Creates a case from its parts.
  public init(
    _ id: String, _ title: String, value: Double, unit: String = "", band: ClosedRange<Double>, note: String = ""
  ) {
    self.id = id
    self.title = title
    self.value = value
    self.unit = unit
    self.band = band
    self.note = note
  }

  /// Whether the value lies in the band.
  public var isPassed: Bool { band.contains(value) }
}
