/// The agreement of observation and truth as a sentence without statistical terms.
package struct WarningSentence: Hashable, Sendable {
  /// The sentence.
  package var text: String
  /// The two numbers of the sentence; `nil` if the truth is unknown or nobody should be warned.
  package var counts: Counts?

  /// The warnings per hundred people who should be warned.
  package struct Counts: Hashable, Sendable {
    /// The number of people correctly warned. 0 and 100 only if the exact share is zero or one.
    package var found: Int
    /// The number of people needlessly warned. 0 only if there are none.
    package var needless: Int
  }

  /// Creates a sentence.
  ///
  /// - Parameters:
  ///   - agreement: the agreement; `nil` if the truth is unknown.
  ///   - distance: the maximum distance of a contact in metres.
  ///   - minutes: the total contact time of a pair that triggers a warning, in minutes.
  package init(_ agreement: RunAgreement?, distance: Double, minutes: Double) {
    let rule = "\(WarningSentence.plain(minutes)) minutes or more within \(WarningSentence.plain(distance)) m"
    guard let agreement else {
      text = "Where people really were is not known here, so nobody can say how many warnings would be right."
      return
    }
    let extra = agreement.observedPairs - agreement.commonPairs
    guard agreement.truePairs > 0 else {
      text = "Nobody spent \(rule) of somebody else, so there was nobody to warn"
      text +=
        extra == 0 ? ", and nobody would be warned." : "; \(WarningSentence.pairs(extra)) would be warned needlessly."
      return
    }
    let whole = Double(agreement.truePairs)
    let share = 100 * Double(agreement.commonPairs) / whole
    let isAll = agreement.commonPairs == agreement.truePairs
    let found = isAll ? 100 : agreement.commonPairs == 0 ? 0 : min(max(Int(share.rounded()), 1), 99)
    let needless = extra == 0 ? 0 : max(Int(min(100 * Double(extra) / whole, 1e9).rounded()), 1)
    counts = Counts(found: found, needless: needless)
    let besides = needless == 0 ? "nobody" : String(needless)
    text = "Of every 100 people who should be warned, \(found) would be; \(besides) would be warned needlessly."
  }

  private static func pairs(_ count: Int) -> String { count == 1 ? "1 pair" : "\(count) pairs" }

  /// Returns a number without needless decimals.
  static func plain(_ value: Double) -> String {
    var bytes: [UInt8] = []
    bytes.append(value, places: 2)
    return String(decoding: bytes, as: UTF8.self)
  }
}
