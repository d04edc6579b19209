/// The agreement of observation and truth as a sentence that needs no statistics.
package struct WarningSentence: Hashable, Sendable {
  /// The sentence.
  package var text: String
  /// The two numbers in it, of a hundred who should be warned; `nil` when there was nobody to warn.
  package var counts: Counts?

  /// Of a hundred people who should be warned.
  package struct Counts: Hashable, Sendable {
    /// Those who would be. 0 and 100 only when nobody and everybody would.
    package var found: Int
    /// Those who would be warned besides. 0 only when nobody would.
    package var needless: Int
  }

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
    let share = 100 * Double(agreement.commonPairs) / whole
    let isAll = agreement.commonPairs == agreement.truePairs
    let found = isAll ? 100 : agreement.commonPairs == 0 ? 0 : min(max(Int(share.rounded()), 1), 99)
    let needless = extra == 0 ? 0 : max(Int(min(100 * Double(extra) / whole, 1e9).rounded()), 1)
    counts = Counts(found: found, needless: needless)
    let besides = needless == 0 ? "nobody" : String(needless)
    text = "Of 100 people who should be warned, \(found) would be; \(besides) would be warned needlessly."
  }

  private static func pairs(_ count: Int) -> String { count == 1 ? "1 pair" : "\(count) pairs" }

  /// A number without needless decimals.
  static func plain(_ value: Double) -> String {
    var bytes: [UInt8] = []
    bytes.append(value, places: 2)
    return String(decoding: bytes, as: UTF8.self)
  }
}
