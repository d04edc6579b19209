public import CordonMonitoring
import Foundation

#if canImport(CoreLocation)
  import CoreLocation
#else
  import CordonAppleShims
#endif

/// Requests access to the location and waits for the person's answer.
///
/// Call ``request(always:)`` after the person has agreed to the app's own text. The system asks only once, and people
/// tend to deny a request without a reason. The texts of the request are in Info.plist.
@MainActor
public final class LocationPermission {
  private let manager: CLLocationManager
  private let listener = Listener()

  /// Creates a helper with its own location manager.
  public convenience init() { self.init(manager: CLLocationManager()) }

  init(manager: CLLocationManager) {
    self.manager = manager
    manager.delegate = listener
  }

  /// The current permission.
  public var current: Permission {
    switch manager.authorizationStatus {
    case .authorizedAlways: .always
    case .authorizedWhenInUse: .whenInUse
    default: .none
    }
  }

  /// Whether the person has already answered. The system does not ask again then; the permission can change only in its
  /// settings.
  public var isDecided: Bool { manager.authorizationStatus != .notDetermined }

  /// Requests the permission and returns the result.
  ///
  /// Returns at once if the person has already decided. "While in use" can be widened to "always" once. The system may
  /// delay that question, so the method does not wait for its answer.
  public func request(always: Bool = true) async -> Permission {
    if isDecided {
      if always, current == .whenInUse { manager.requestAlwaysAuthorization() }
      return current
    }
    let changes = listener.changes()
    if always { manager.requestAlwaysAuthorization() } else { manager.requestWhenInUseAuthorization() }
    for await _ in changes where isDecided { break }
    return current
  }

  /// Waits for the answer.
  private final class Listener: NSObject, CLLocationManagerDelegate {
    private let readers = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    func changes() -> AsyncStream<Void> { readers.stream }
    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) { readers.continuation.yield() }
    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {}
    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {}
    func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {}
    func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {}
    func locationManager(_ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion) {}
    func locationManager(
      _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
    ) {}
  }
}
