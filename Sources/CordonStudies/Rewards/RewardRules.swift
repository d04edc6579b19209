package import CordonCore
package import CordonSupport

/// The rules by which participants earn credits, and credits are paid.
package struct RewardRules: Hashable, Sendable {
  /// The valid minutes of one credit.
  package var minutesPerCredit: Int64 = 60
  /// Days with fewer valid minutes earn nothing.
  package var minimumMinutes: Int64 = 60
  /// The most minutes of a day that count.
  package var maximumMinutes: Int64 = 960
  /// The time after the end of a day for which late data still count for it.
  package var closesAfter: TimeSpan = .hours(48)
  /// The worth of a credit in the smallest unit of the currency.
  package var unitsPerCredit: Int64 = 10
  /// The currency: a code of ISO 4217, or the symbol of a token.
  package var currency = "EUR"
  /// The smallest number of credits that is paid.
  package var minimumPayout: Int64 = 50
  /// Larger amounts need the approval of an administrator, in the smallest unit.
  package var approvalAbove: Int64 = 2_000
  /// The most that one participant receives, in the smallest unit.
  package var participantLimit: Int64 = 20_000
  /// The most that the study pays, in the smallest unit.
  package var budget: Int64 = 1_000_000

  /// Creates the default rules.
  package init() {}

  /// Returns the credits for the valid time of a day: whole ones, from the minimum up to the maximum.
  package func credits(validMilliseconds: Int64) -> Int64 {
    let minutes = validMilliseconds / 60_000
    guard minutes >= minimumMinutes else { return 0 }
    return min(minutes, maximumMinutes) / minutesPerCredit
  }

  private static let keys = [
    "minutes_per_credit", "minimum_minutes", "maximum_minutes", "closes_after_hours", "units_per_credit", "currency",
    "minimum_payout", "approval_above", "participant_limit", "budget",
  ]

  init(_ fields: StudyFields) throws(StudyError) {
    try fields.only(Self.keys)
    let money: ClosedRange<Int64> = 0...1_000_000_000_000
    minutesPerCredit = try fields.optionalInteger("minutes_per_credit", 1...1_440) ?? minutesPerCredit
    minimumMinutes = try fields.optionalInteger("minimum_minutes", 1...1_440) ?? minimumMinutes
    maximumMinutes = try fields.optionalInteger("maximum_minutes", 1...1_440) ?? maximumMinutes
    closesAfter = .hours(try fields.optionalInteger("closes_after_hours", 0...720) ?? 48)
    unitsPerCredit = try fields.optionalInteger("units_per_credit", 1...1_000_000) ?? unitsPerCredit
    currency = try fields.optionalText("currency", 3...8) ?? currency
    minimumPayout = try fields.optionalInteger("minimum_payout", 1...1_000_000) ?? minimumPayout
    approvalAbove = try fields.optionalInteger("approval_above", money) ?? approvalAbove
    participantLimit = try fields.optionalInteger("participant_limit", money) ?? participantLimit
    budget = try fields.optionalInteger("budget", money) ?? budget
    guard minimumMinutes <= maximumMinutes else {
      throw StudyError(.badField, "at least minimum_minutes", field: fields.place("maximum_minutes"))
    }
    guard currency.utf8.allSatisfy({ (0x41...0x5a).contains($0) || (0x30...0x39).contains($0) }) else {
      throw StudyError(.badField, "upper-case letters and digits, such as EUR", field: fields.place("currency"))
    }
  }

  /// The document of the rules.
  package var json: JSONValue {
    [
      "minutes_per_credit": .integer(minutesPerCredit), "minimum_minutes": .integer(minimumMinutes),
      "maximum_minutes": .integer(maximumMinutes), "closes_after_hours": .integer(closesAfter.milliseconds / 3_600_000),
      "units_per_credit": .integer(unitsPerCredit), "currency": .string(currency),
      "minimum_payout": .integer(minimumPayout), "approval_above": .integer(approvalAbove),
      "participant_limit": .integer(participantLimit), "budget": .integer(budget),
    ]
  }
}
