public import CordonMonitoring
import Foundation

#if canImport(CoreLocation)
  import CoreLocation
#else
  import CordonAppleShims
#endif

/// Asks for access to the location, and waits for the person's answer.
///
/// Call ``request(always:)`` after the person has agreed to the app's own text: the system asks once only, and somebody who
/// is asked without a reason refuses. The texts are those of Info.plist.
@MainActor
public final class LocationPermission {
  private let manager: CLLocationManager
  private let listener = Listener()

  /// A helper with a location manager of its own.
  public convenience init() { self.init(manager: CLLocationManager()) }

  init(manager: CLLocationManager) {
    self.manager = manager
    manager.delegate = listener
  }

  /// What is granted at the moment.
  public var current: Permission {
    switch manager.authorizationStatus {
    case .authorizedAlways: .always
    case .authorizedWhenInUse: .whenInUse
    default: .none
    }
  }

  /// Whether the person has answered before; the system does not ask again then, only its settings help.
  public var isDecided: Bool { manager.authorizationStatus != .notDetermined }

  /// Asks, and returns what was granted. Returns at once when the person has decided before, except that "while in use" can
  /// be widened to "always" once; the system may delay that question, so this does not wait for it.
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
