/// One test of a model with a known result.
package struct MovementCase: Hashable, Sendable {
  /// A short name for scripts, such as `rimea-1` or `door-0.8`.
  package var id: String
  /// A title for readers.
  package var title: String
  /// The result; NaN if the test has none.
  package var value: Double
  /// The unit of the value; empty for a dimensionless number.
  package var unit: String
  /// The accepted values.
  package var band: ClosedRange<Double>
  /// The source of the known result, or further details.
  package var note: String

  /// Creates a case from its parts.
  package init(
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
  package var isPassed: Bool { band.contains(value) }
}
