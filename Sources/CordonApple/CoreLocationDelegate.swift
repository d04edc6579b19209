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
final class CoreLocationDelegate: NSObject, CLLocationManagerDelegate {
  private let venueRegion: String
  private let restRegion: String
  private let pauseRegion: String
  private let issues: IssueList
  private let report: @Sendable (ProviderEvent) -> Void

  init(prefix: String, issues: IssueList, report: @escaping @Sendable (ProviderEvent) -> Void) {
    let options = CoreLocationProvider.Options(regionPrefix: prefix)
    venueRegion = options.venueRegion
    restRegion = options.restRegion
    pauseRegion = options.pauseRegion
    self.issues = issues
    self.report = report
  }

  /// Emits all fixes of a delivery, in the order of their times.
  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    for fix in locations.map(Fix.init(_:)).sorted(by: { $0.time < $1.time }) { report(.fix(fix)) }
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    // A denied permission also arrives as a change of authorization; other failures are temporary.
    issues.set(
      MonitorIssue(
        "location-failed", "Core Location failed: \(error.localizedDescription).",
        remedy: "Wait; positioning resumes by itself."
      ),
      for: "location-failed")
  }

  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
    if region.identifier == venueRegion { report(.region(.entered)) }
  }

  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
    if region.identifier == venueRegion { report(.region(.exited)) }
    if region.identifier == restRegion { report(.leftWakeFence) }
    if region.identifier == pauseRegion { report(.leftExitFence) }
  }

  func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) { report(.pausedPositioning) }

  /// Emits a visit. The system marks an unknown arrival by the distant past, and a visit that lasts by the distant
  /// future.
  func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {
    report(
      .visit(
        Visit(
          coordinate: Coordinate(longitude: visit.coordinate.longitude, latitude: visit.coordinate.latitude),
          accuracy: visit.horizontalAccuracy,
          arrival: visit.arrivalDate == .distantPast ? nil : Instant(visit.arrivalDate),
          departure: visit.departureDate == .distantFuture ? nil : Instant(visit.departureDate))))
  }

  func locationManager(_ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion) {
    guard region.identifier == venueRegion else { return }
    issues.set(nil, for: "region-failed")
    // Only "inside" matters here: crossings to the outside have their own callback.
    if state == .inside { report(.region(.entered)) }
  }

  func locationManager(_ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error)
  {
    guard region?.identifier == venueRegion else { return }
    issues.set(
      MonitorIssue(
        "region-failed", "The geofence of the venue is not watched: \(error.localizedDescription).",
        remedy: "Let the app watch fewer regions (20 at most), and keep Wi-Fi on."), for: "region-failed")
  }

  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    switch manager.authorizationStatus {
    case .authorizedAlways: report(.permission(.always))
    case .authorizedWhenInUse: report(.permission(.whenInUse))
    default: report(.permission(.none))
    }
    let isReduced = manager.accuracyAuthorization == .reducedAccuracy
    issues.set(
      isReduced
        ? MonitorIssue(
          "reduced-accuracy", "The app receives only approximate positions, so every fix is refused.",
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
      time: Instant(location.timestamp), isMocked: location.sourceInformation?.isSimulatedBySoftware ?? false)
  }
}

extension Instant {
  /// Converts a date, rounded to milliseconds.
  fileprivate init(_ date: Date) {
    self.init(milliseconds: Int64((date.timeIntervalSince1970 * 1_000).rounded()))
  }
}

/// The current issues by name.
///
/// `@unchecked Sendable` holds because `issues` is accessed only with `lock` held.
final class IssueList: @unchecked Sendable {
  private let lock = NSLock()
  private var issues: [String: MonitorIssue] = [:]

  /// The issues sorted by name, so that their order is stable.
  var list: [MonitorIssue] { lock.withLock { issues.keys.sorted().compactMap { issues[$0] } } }

  func set(_ issue: MonitorIssue?, for name: String) { lock.withLock { issues[name] = issue } }
}
