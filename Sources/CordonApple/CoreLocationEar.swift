import Cordon
import CordonCore
import CordonMonitoring
import Foundation

#if canImport(CoreLocation)
  import CoreLocation
#else
  import CordonAppleShims
#endif

/// Translates Core Location delegate callbacks into events of the monitor.
final class CoreLocationEar: NSObject, CLLocationManagerDelegate {
  private let venueRegion: String
  private let restRegion: String
  private let troubles: TroubleList
  private let tell: @Sendable (ProviderEvent) -> Void

  init(prefix: String, troubles: TroubleList, tell: @escaping @Sendable (ProviderEvent) -> Void) {
    let options = CoreLocationProvider.Options(regionPrefix: prefix)
    venueRegion = options.venueRegion
    restRegion = options.restRegion
    self.troubles = troubles
    self.tell = tell
  }

  /// Emits all fixes of a delivery, in the order of their times.
  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    for fix in locations.map(Fix.init(_:)).sorted(by: { $0.time < $1.time }) { tell(.fix(fix)) }
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    // A denied permission also arrives as a change of authorization; other failures are temporary.
    troubles.set(
      Trouble(
        "location-failed", "Core Location failed: \(error.localizedDescription).", remedy: "Wait; it goes on by itself."
      ),
      for: "location-failed")
  }

  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
    if region.identifier == venueRegion { tell(.region(.entered)) }
  }

  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
    if region.identifier == venueRegion { tell(.region(.exited)) }
    if region.identifier == restRegion { tell(.leftWakeFence) }
  }

  func locationManager(_ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion) {
    guard region.identifier == venueRegion else { return }
    troubles.set(nil, for: "region-failed")
    // Only "inside" matters here: crossings to the outside have their own callback.
    if state == .inside { tell(.region(.entered)) }
  }

  func locationManager(_ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error)
  {
    guard region?.identifier == venueRegion else { return }
    troubles.set(
      Trouble(
        "region-failed", "The geofence of the venue is not watched: \(error.localizedDescription).",
        remedy: "Let the app watch fewer regions (20 at most), and keep Wi-Fi on."), for: "region-failed")
  }

  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    switch manager.authorizationStatus {
    case .authorizedAlways: tell(.permission(.always))
    case .authorizedWhenInUse: tell(.permission(.whenInUse))
    default: tell(.permission(.none))
    }
    let isReduced = manager.accuracyAuthorization == .reducedAccuracy
    troubles.set(
      isReduced
        ? Trouble(
          "reduced-accuracy", "The app is told only roughly where the device is, so every fix is refused.",
          remedy: "Turn on precise location for this app in the system's settings.") : nil, for: "reduced-accuracy")
  }
}

extension Fix {
  /// Converts Core Location's estimate; its radius is the 68 % error radius.
  ///
  /// A negative radius marks an invalid position; it is passed on, and the monitor refuses the fix. Without a floor,
  /// the floor is unknown, never 0.
  init(_ location: CLLocation) {
    self.init(
      coordinate: Coordinate(longitude: location.coordinate.longitude, latitude: location.coordinate.latitude),
      accuracy: location.horizontalAccuracy, floor: location.floor.map { FloorOrdinal($0.level) },
      time: Instant(milliseconds: Int64((location.timestamp.timeIntervalSince1970 * 1_000).rounded())),
      isMocked: location.sourceInformation?.isSimulatedBySoftware ?? false)
  }
}

/// The current issues by name.
///
/// `@unchecked Sendable` holds because `troubles` is accessed only with `lock` held.
final class TroubleList: @unchecked Sendable {
  private let lock = NSLock()
  private var troubles: [String: Trouble] = [:]

  /// The issues sorted by name, so that their order is stable.
  var list: [Trouble] { lock.withLock { troubles.keys.sorted().compactMap { troubles[$0] } } }

  func set(_ trouble: Trouble?, for name: String) { lock.withLock { troubles[name] = trouble } }
}
