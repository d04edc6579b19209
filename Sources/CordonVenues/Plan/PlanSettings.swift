/// The settings of the conversion from a map to a plan. Lengths are in metres.
package struct PlanSettings: Hashable, Sendable {
  /// Width of an opening that the map gives as a point.
  package var doorWidth = 1.0
  /// Minimum width of an opening; narrower ones are widened, because a short line in a map is still a door.
  package var minimumDoorWidth = 0.8
  /// Maximum distance between a wall and an opening that leads through it.
  package var doorReach = 0.6
  /// Maximum distance between the two faces of one wall.
  package var wallThickness = 0.4
  /// Maximum width of a gap between two areas that an opening bridges.
  package var passageReach = 0.8
  /// Area below which a space counts as furniture if the map gives its door only as a point, in square metres.
  package var minimumRoomArea = 4.0
  /// Share of a floor's outline that spaces must cover for the rest to count as solid, if the map has no walls, 0 ...
  /// 1.
  package var coveringShare = 0.5
  /// Maximum number of comparisons of edges with areas on one floor, which take a few seconds. Real floors need some
  /// millions.
  package var maximumComparisons = 2_000_000_000.0

  /// Maximum number of landings, because routes are computed between all of them.
  package var maximumLandings = 1_000
  /// Maximum walkable area in square metres, summed over the floors of all landings.
  ///
  /// Each landing stores its distance from every cell of its floor. With ``maximumLandings``, this needs at most half a
  /// gigabyte.
  package var maximumLandingArea = 40_000_000.0

  /// Creates the default settings.
  package init() {}
}
