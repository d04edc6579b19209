/// One question to a model with a known answer.
public struct MovementCase: Hashable, Sendable {
  /// A short name for scripts: `rimea-1`, `door-0.8`.
  public var id: String
  /// What is asked, for people.
  public var title: String
  /// What came out; not a number when nothing did.
  public var value: Double
  /// The unit of the value; empty for a number without one.
  public var unit: String
  /// What passes.
  public var band: ClosedRange<Double>
  /// Where the answer is known from, or what else is worth knowing.
  public var note: String

  /// Takes the values as they are.
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
