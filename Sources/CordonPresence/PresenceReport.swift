package import CordonCore

/// The presence of a person: the result of ``PresenceStream``.
package struct PresenceReport: Sendable {
  /// The days by date, with those between them that have no fix.
  package var days: [PresenceDay]
  /// What became of the fixes.
  package var counts: PresenceStream.Counts
  /// The gaps between fixes.
  package var gaps: GapLog
  /// The accuracy radii of fixes in buildings.
  package var indoors: AccuracyStatistics
  /// The accuracy radii of fixes outside of buildings.
  package var outdoors: AccuracyStatistics
  /// The number of fixes without an accuracy.
  package var withoutAccuracy: Int
  /// Whether a home was given.
  package var hasHome: Bool
  /// The filtered path for a drawing; empty without a timeline.
  package var track: [[Coordinate]]
  /// The visits by time; empty without rules of movement.
  package var visits: [PresenceVisit]
  /// The trips by time; empty without rules of movement.
  package var trips: [PresenceTrip]
}
