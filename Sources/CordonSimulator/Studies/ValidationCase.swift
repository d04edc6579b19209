/// One figure of a model, compared with a measured value.
package struct ValidationCase: Hashable, Sendable {
  /// The subject, such as a preset or a venue.
  package var subject: String
  /// The figure, with its unit.
  package var figure: String
  /// The model's value.
  package var value: Double
  /// The measured value, or the middle of the band.
  package var reference: Double
  /// The accepted values.
  package var band: ClosedRange<Double>
  /// The source of the reference.
  package var source: String

  /// Creates a case from its parts.
  package init(
    subject: String, figure: String, value: Double, reference: Double, band: ClosedRange<Double>, source: String
  ) {
    self.subject = subject
    self.figure = figure
    self.value = value
    self.reference = reference
    self.band = band
    self.source = source
  }

  /// Whether the value lies in the band.
  package var passes: Bool { band.contains(value) }
}
