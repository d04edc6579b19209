/// A comparison of observed and true contacts among people with devices.
package struct RunAgreement: Hashable, Sendable {
  /// The true contact time in seconds, summed over pairs.
  package var trueSeconds: Double
  /// The observed contact time in seconds, summed over pairs.
  package var observedSeconds: Double
  /// The time in seconds that is both true and observed contact time, summed over pairs.
  package var commonSeconds: Double
  /// The number of pairs above the warning threshold in truth.
  package var truePairs: Int
  /// The number of pairs above the warning threshold in observation.
  package var observedPairs: Int
  /// The number of pairs above the warning threshold in both.
  package var commonPairs: Int
  /// The same comparison by the total contact time of a pair; shortest first.
  package var classes: [DurationClass]

  /// The pairs whose total contact time lies within bounds.
  ///
  /// For recall, a pair belongs to the class of its true time; for precision, to the class of its observed time.
  package struct DurationClass: Hashable, Sendable {
    /// The lower bound in seconds, included.
    package var lower: Double
    /// The upper bound in seconds, excluded; infinite for the last class.
    package var upper: Double
    /// The number of pairs in the class by their true time.
    package var truePairs: Int
    /// The true contact time of those pairs in seconds.
    package var trueSeconds: Double
    /// The observed part of that time in seconds.
    package var foundSeconds: Double
    /// The number of pairs in the class by their observed time.
    package var observedPairs: Int
    /// The observed contact time of those pairs in seconds.
    package var observedSeconds: Double
    /// The true part of that time in seconds.
    package var correctSeconds: Double

    /// Creates a class from its figures.
    package init(
      lower: Double, upper: Double, truePairs: Int, trueSeconds: Double, foundSeconds: Double, observedPairs: Int,
      observedSeconds: Double, correctSeconds: Double
    ) {
      self.lower = lower
      self.upper = upper
      self.truePairs = truePairs
      self.trueSeconds = trueSeconds
      self.foundSeconds = foundSeconds
      self.observedPairs = observedPairs
      self.observedSeconds = observedSeconds
      self.correctSeconds = correctSeconds
    }

    /// The share of observed time that is true; `nil` without observed time.
    package var precision: Double? { RunAgreement.ratio(correctSeconds, observedSeconds) }
    /// The share of true time that is observed; `nil` without true time.
    package var recall: Double? { RunAgreement.ratio(foundSeconds, trueSeconds) }
  }

  /// Creates an agreement from its figures.
  package init(
    trueSeconds: Double, observedSeconds: Double, commonSeconds: Double, truePairs: Int, observedPairs: Int,
    commonPairs: Int, classes: [DurationClass] = []
  ) {
    self.trueSeconds = trueSeconds
    self.observedSeconds = observedSeconds
    self.commonSeconds = commonSeconds
    self.truePairs = truePairs
    self.observedPairs = observedPairs
    self.commonPairs = commonPairs
    self.classes = classes
  }

  /// |observed and true| / |observed|, in seconds; `nil` at 0/0.
  package var precisionSeconds: Double? { RunAgreement.ratio(commonSeconds, observedSeconds) }
  /// |observed and true| / |true|, in seconds; `nil` at 0/0.
  package var recallSeconds: Double? { RunAgreement.ratio(commonSeconds, trueSeconds) }
  /// The share of the observed pairs above the warning threshold that are true; `nil` at 0/0.
  package var precisionPairs: Double? { RunAgreement.ratio(Double(commonPairs), Double(observedPairs)) }
  /// The share of the true pairs above the warning threshold that are observed; `nil` at 0/0.
  package var recallPairs: Double? { RunAgreement.ratio(Double(commonPairs), Double(truePairs)) }

  private static func ratio(_ part: Double, _ whole: Double) -> Double? {
    whole > 0 ? part / whole : nil
  }
}
