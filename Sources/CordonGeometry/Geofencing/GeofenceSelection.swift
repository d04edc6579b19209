public import CordonCore

/// Which of many geofences to hand to a platform that watches only a few.
public enum GeofenceSelection {
  /// How many regions an app may watch on the strictest platform.
  public static let platformLimit = 20

  /// The positions in `geofences` of the nearest ones, nearest first.
  ///
  /// Distance is to the edge of the circle, negative inside of it; equal distances are in the order of the list. Geofences
  /// whose centre or radius is not a number one can measure to are left out; an invalid position gives none. O(n log n).
  public static func nearest(
    to position: Coordinate, among geofences: [Geofence], limit: Int = platformLimit
  ) -> [Int] {
    guard position.isValid, limit > 0 else { return [] }
    let distances = geofences.enumerated().compactMap { index, geofence -> (distance: Double, index: Int)? in
      guard geofence.center.isValid, geofence.radius.isFinite else { return nil }
      return (Geodesic.distance(from: position, to: geofence.center) - geofence.radius, index)
    }
    return distances.sorted { ($0.distance, $0.index) < ($1.distance, $1.index) }.prefix(limit).map(\.index)
  }
}
