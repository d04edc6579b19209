/// One figure of a model, compared with a measured value.
public struct ValidationCase: Hashable, Sendable {
  /// The subject, such as a preset or a venue.
  public var subject: String
  /// The figure, with its unit.
  public var figure: String
  /// The model's value.
  public var value: Double
  /// The measured value, or the middle of the band.
  public var reference: Double
  /// The accepted values.
  public var band: ClosedRange<Double>
  /// The source of the reference.
  public var source: String

  /// Creates a case from its parts.
  public init(
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
  public var passes: Bool { band.contains(value) }
}
