package import CordonCore

/// The selection of geofences for a platform that monitors only a few.
package enum GeofenceSelection {
  /// The maximum number of regions of an app on the strictest platform.
  package static let platformLimit = 20

  /// Returns the indices of the nearest geofences, nearest first.
  ///
  /// The distance is that to the edge of the circle, negative inside it; equal distances keep the order of the list.
  /// Geofences with an invalid centre or radius are left out, and an invalid position gives an empty result.
  ///
  /// Complexity: O(*n* log *n*).
  /// - Parameters:
  ///   - position: the position of the device.
  ///   - geofences: the geofences to choose from.
  ///   - limit: the maximum number of results.
  package static func nearest(
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
