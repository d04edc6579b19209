/// The agreement of observation and truth as a sentence that needs no statistics.
package struct WarningSentence: Hashable, Sendable {
  /// The sentence.
  package var text: String
  /// The share of those to be warned who were, 0 ... 1; `nil` when there was nobody to warn.
  package var found: Double?
  /// Needless warnings for each one that was due; `nil` when there was nobody to warn.
  package var needless: Double?

  /// - Parameters:
  ///   - agreement: `nil` when the truth is not known.
  ///   - distance: metres.
  ///   - minutes: how long a pair must be near in all.
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
    found = Double(agreement.commonPairs) / whole
    needless = Double(extra) / whole
    let k = Int((100 * Double(agreement.commonPairs) / whole).rounded())
    let m = Int((100 * Double(extra) / whole).rounded())
    // All and none are said only when they are exact.
    let kept = agreement.commonPairs == agreement.truePairs ? 100 : agreement.commonPairs == 0 ? 0 : min(max(k, 1), 99)
    let more = extra == 0 ? 0 : max(m, 1)
    text =
      "Of 100 people who should be warned, \(kept) would be; \(more == 0 ? "nobody" : String(more)) would be warned needlessly."
  }

  private static func pairs(_ count: Int) -> String { count == 1 ? "1 pair" : "\(count) pairs" }

  /// A number without needless decimals.
  static func plain(_ value: Double) -> String {
    var bytes: [UInt8] = []
    bytes.append(value, places: 2)
    return String(decoding: bytes, as: UTF8.self)
  }
}
