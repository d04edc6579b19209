// The part of Core Location that CordonApple uses, so that CordonApple is compiled and tested without the framework.
// Names, types and optionality follow Apple's documentation; tests control the behaviour.
package import Foundation

package typealias CLLocationDegrees = Double
package typealias CLLocationDistance = Double
package typealias CLLocationAccuracy = Double

package let kCLLocationAccuracyBest: CLLocationAccuracy = -1
package let kCLLocationAccuracyBestForNavigation: CLLocationAccuracy = -2
package let kCLLocationAccuracyNearestTenMeters: CLLocationAccuracy = 10
package let kCLLocationAccuracyHundredMeters: CLLocationAccuracy = 100
package let kCLLocationAccuracyKilometer: CLLocationAccuracy = 1_000
package let kCLLocationAccuracyThreeKilometers: CLLocationAccuracy = 3_000
package let kCLDistanceFilterNone: CLLocationDistance = -1

package struct CLLocationCoordinate2D: Sendable {
  package var latitude: CLLocationDegrees
  package var longitude: CLLocationDegrees
  package init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

package class CLFloor: NSObject {
  package let level: Int
  package init(level: Int) { self.level = level }
}

package class CLLocationSourceInformation: NSObject {
  package let isSimulatedBySoftware: Bool
  package init(softwareSimulationState isSoftware: Bool, andExternalAccessoryState isAccessory: Bool) {
    isSimulatedBySoftware = isSoftware
  }
}

package class CLLocation: NSObject {
  package let coordinate: CLLocationCoordinate2D
  package let horizontalAccuracy: CLLocationAccuracy
  package let timestamp: Date
  package let floor: CLFloor?
  package let sourceInformation: CLLocationSourceInformation?

  package init(
    coordinate: CLLocationCoordinate2D, horizontalAccuracy: CLLocationAccuracy, timestamp: Date, floor: CLFloor? = nil,
    sourceInformation: CLLocationSourceInformation? = nil
  ) {
    self.coordinate = coordinate
    self.horizontalAccuracy = horizontalAccuracy
    self.timestamp = timestamp
    self.floor = floor
    self.sourceInformation = sourceInformation
  }
}

package class CLVisit: NSObject {
  package let coordinate: CLLocationCoordinate2D
  package let horizontalAccuracy: CLLocationAccuracy
  package let arrivalDate: Date
  package let departureDate: Date

  package init(
    coordinate: CLLocationCoordinate2D, horizontalAccuracy: CLLocationAccuracy, arrivalDate: Date = .distantPast,
    departureDate: Date = .distantFuture
  ) {
    self.coordinate = coordinate
    self.horizontalAccuracy = horizontalAccuracy
    self.arrivalDate = arrivalDate
    self.departureDate = departureDate
  }
}

package class CLRegion: NSObject {
  package let identifier: String
  package var notifyOnEntry = true
  package var notifyOnExit = true
  init(identifier: String) { self.identifier = identifier }
}

package class CLCircularRegion: CLRegion {
  package let center: CLLocationCoordinate2D
  package let radius: CLLocationDistance
  package init(center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String) {
    self.center = center
    self.radius = radius
    super.init(identifier: identifier)
  }
}

package enum CLAuthorizationStatus: Int32, Sendable {
  case notDetermined, restricted, denied, authorizedAlways, authorizedWhenInUse
}

package enum CLAccuracyAuthorization: Int, Sendable { case fullAccuracy, reducedAccuracy }

package enum CLRegionState: Int, Sendable { case unknown, inside, outside }

package enum CLActivityType: Int, Sendable { case other = 1, automotiveNavigation, fitness, otherNavigation, airborne }

package protocol CLLocationManagerDelegate: NSObjectProtocol {
  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])
  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)
  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion)
  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion)
  func locationManager(_ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion)
  func locationManager(_ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error)
  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)
  func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager)
  func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit)
}

// Optional requirements, as all of the protocol are in the framework.
extension CLLocationManagerDelegate {
  package func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) {}
  package func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {}
}

package class CLLocationManager: NSObject {
  package weak var delegate: (any CLLocationManagerDelegate)?
  package var desiredAccuracy = kCLLocationAccuracyBest
  package var distanceFilter = kCLDistanceFilterNone
  package var activityType = CLActivityType.other
  package var pausesLocationUpdatesAutomatically = true
  package var allowsBackgroundLocationUpdates = false
  package var authorizationStatus = CLAuthorizationStatus.notDetermined
  package var accuracyAuthorization = CLAccuracyAuthorization.fullAccuracy
  package var maximumRegionMonitoringDistance: CLLocationDistance = 400_000

  /// The calls so far, in order.
  package private(set) var calls: [String] = []
  package private(set) var monitoredRegions: Set<CLRegion> = []

  package override init() {}

  package func startUpdatingLocation() { calls.append("start") }
  package func stopUpdatingLocation() { calls.append("stop") }
  package func requestLocation() { calls.append("request") }
  package func requestAlwaysAuthorization() { calls.append("always") }
  package func requestWhenInUseAuthorization() { calls.append("whenInUse") }
  package func startMonitoring(for region: CLRegion) {
    calls.append("monitor \(region.identifier)")
    if let old = monitoredRegions.first(where: { $0.identifier == region.identifier }) { monitoredRegions.remove(old) }
    monitoredRegions.insert(region)
  }
  package func stopMonitoring(for region: CLRegion) {
    calls.append("unmonitor \(region.identifier)")
    if let old = monitoredRegions.first(where: { $0.identifier == region.identifier }) { monitoredRegions.remove(old) }
  }
  package func startMonitoringSignificantLocationChanges() { calls.append("significant") }
  package func stopMonitoringSignificantLocationChanges() { calls.append("no significant") }
  package func startMonitoringVisits() { calls.append("visits") }
  package func stopMonitoringVisits() { calls.append("no visits") }
  package func requestState(for region: CLRegion) { calls.append("state \(region.identifier)") }
}
