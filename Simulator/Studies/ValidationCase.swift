/// One figure of a model held against what was measured.
public struct ValidationCase: Hashable, Sendable {
  /// What is looked at: a preset, a venue.
  public var subject: String
  /// The figure, with its unit.
  public var figure: String
  /// What the model gives.
  public var value: Double
  /// What was measured, or the middle of the band.
  public var reference: Double
  /// What passes.
  public var band: ClosedRange<Double>
  /// Where the reference is from.
  public var source: String

  /// Takes the parts as they are.
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
