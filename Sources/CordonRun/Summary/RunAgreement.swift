/// How well observed contacts match the true ones, among people who carry devices.
public struct RunAgreement: Hashable, Sendable {
  /// Seconds of true contact, summed over pairs.
  public var trueSeconds: Double
  /// Seconds of observed contact, summed over pairs.
  public var observedSeconds: Double
  /// Seconds during which a pair was in contact and was observed to be.
  public var commonSeconds: Double
  /// Pairs whose true contacts reach the warning threshold.
  public var truePairs: Int
  /// Pairs whose observed contacts reach it.
  public var observedPairs: Int
  /// Pairs that reach it in both.
  public var commonPairs: Int
  /// The same comparison, split by how long a pair was in contact; shortest first.
  public var classes: [DurationClass]

  /// Pairs whose contacts add up to a length within bounds.
  ///
  /// For recall a pair belongs to the class of its true time, for precision to that of its observed time.
  public struct DurationClass: Hashable, Sendable {
    /// Seconds, included.
    public var lower: Double
    /// Seconds, excluded; infinite for the last class.
    public var upper: Double
    /// Pairs in the class by their true time.
    public var truePairs: Int
    /// Seconds of true contact of those pairs.
    public var trueSeconds: Double
    /// Seconds of that which were observed.
    public var foundSeconds: Double
    /// Pairs in the class by their observed time.
    public var observedPairs: Int
    /// Seconds of observed contact of those pairs.
    public var observedSeconds: Double
    /// Seconds of that which were true.
    public var correctSeconds: Double

    /// Takes the figures as they are.
    public init(
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

    /// The share of observed seconds that were true; `nil` when nothing was observed.
    public var precision: Double? { RunAgreement.ratio(correctSeconds, observedSeconds) }
    /// The share of true seconds that were observed; `nil` when there were none.
    public var recall: Double? { RunAgreement.ratio(foundSeconds, trueSeconds) }
  }

  /// Takes the figures as they are.
  public init(
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
  public var precisionSeconds: Double? { RunAgreement.ratio(commonSeconds, observedSeconds) }
  /// |observed and true| / |true|, in seconds; `nil` at 0/0.
  public var recallSeconds: Double? { RunAgreement.ratio(commonSeconds, trueSeconds) }
  /// The same for pairs that reach the warning threshold.
  public var precisionPairs: Double? { RunAgreement.ratio(Double(commonPairs), Double(observedPairs)) }
  /// The same for pairs that reach the warning threshold.
  public var recallPairs: Double? { RunAgreement.ratio(Double(commonPairs), Double(truePairs)) }

  private static func ratio(_ part: Double, _ whole: Double) -> Double? {
    whole > 0 ? part / whole : nil
  }
}
