/// One published test of an evacuation model.
package struct EvacuationCase: Hashable, Sendable {
  /// A short name for scripts: `nist-2.8`, `rimea-9`.
  package var id: String
  /// The test in a few words.
  package var title: String
  /// What counts as passed.
  package var criterion: String
  /// The result; NaN if the test has none.
  package var value: Double
  /// The unit of the value; empty for a dimensionless number.
  package var unit: String
  /// The accepted values.
  package var band: ClosedRange<Double>
  /// Whether the model has what the test is about. Otherwise the test is listed without a value.
  package var isModelled: Bool

  /// The result of a test.
  package enum Verdict: String, Hashable, Sendable, CaseIterable {
    case pass, fail
    /// The model does not contain what the test is about.
    case notModelled = "not-modelled"
  }

  /// Creates a test with a result.
  package init(
    _ id: String, _ title: String, criterion: String, value: Double, unit: String = "", band: ClosedRange<Double>
  ) {
    self.id = id
    self.title = title
    self.criterion = criterion
    self.value = value
    self.unit = unit
    self.band = band
    isModelled = true
  }

  /// Creates a test of something that the model does not contain.
  package init(_ id: String, _ title: String, notModelled reason: String) {
    self.id = id
    self.title = title
    criterion = reason
    value = .nan
    unit = ""
    band = 0...0
    isModelled = false
  }

  /// The verdict.
  package var verdict: Verdict { !isModelled ? .notModelled : band.contains(value) ? .pass : .fail }
}
