package import CordonCore

/// The rules of presence: one definition for screens, tables and uploads.
package struct PresenceRules: Sendable {
  /// The homes of the person; without one, neither time at home nor time away is known.
  package var homes: HomeHistory
  /// The rule for outdoors.
  package var outdoors: OutdoorRule
  /// The longest time between two fixes that still belongs to the first one. The time of longer gaps is unknown.
  package var maximumGap: TimeSpan
  /// The shortest gap in the analysis of gaps.
  package var reportedGap: TimeSpan
  /// The most that the time between two fixes adds to the valid minutes.
  package var validCap: TimeSpan
  /// The width of the bins of a day's timeline; `nil` for no timeline.
  package var timelineBin: TimeSpan?
  /// The rules of visits and trips; `nil` to find none.
  package var movement: MovementRules?

  /// The published length of a gap.
  package static let publishedGap = TimeSpan.minutes(5)

  /// Creates rules with the published constants.
  package init(homes: HomeHistory = HomeHistory(), outdoors: OutdoorRule = OutdoorRule()) {
    self.homes = homes
    self.outdoors = outdoors
    maximumGap = PresenceRules.publishedGap
    reportedGap = PresenceRules.publishedGap
    validCap = PresenceRules.publishedGap
    timelineBin = nil
    movement = nil
  }
}
