import Cordon
import CordonCore
import CordonGeometry
import CordonMonitoring
import Foundation

#if canImport(CoreLocation)
  import CoreLocation
#else
  import CordonAppleShims
#endif
#if canImport(UIKit)
  import UIKit
#endif

/// The part of a ``CoreLocationProvider`` that runs on the main queue.
@MainActor
final class CoreLocationDriver: Sendable {
  nonisolated let issues = IssueList()
  private let options: CoreLocationProvider.Options
  private let make: @MainActor @Sendable () -> CLLocationManager
  private var manager: CLLocationManager?
  private var delegate: CoreLocationDelegate?
  private var watching: (any NSObjectProtocol)?
  private var watchingApp: [any NSObjectProtocol] = []
  /// The policy of positioning; `nil` for the rules of venues.
  private var policy: TrackingPolicy?
  #if !os(macOS)
    /// Asks for the status of background refresh; tests have one of their own.
    var refreshStatus: @MainActor () -> UIBackgroundRefreshStatus = { UIApplication.shared.backgroundRefreshStatus }
  #endif

  nonisolated init(
    _ options: CoreLocationProvider.Options, manager: @escaping @MainActor @Sendable () -> CLLocationManager
  ) {
    self.options = options
    make = manager
  }

  func listen(_ continuation: AsyncStream<ProviderEvent>.Continuation) {
    let delegate = CoreLocationDelegate(prefix: options.regionPrefix, issues: issues) { continuation.yield($0) }
    self.delegate = delegate
    let manager = self.manager ?? make()
    self.manager = manager
    manager.delegate = delegate
    // The system does not repeat earlier callbacks.
    delegate.locationManagerDidChangeAuthorization(manager)
    watchBackgroundRefresh()
    watchForeground(continuation)
  }

  /// Reports when the app comes to the foreground and leaves it.
  private func watchForeground(_ continuation: AsyncStream<ProviderEvent>.Continuation) {
    #if !os(macOS)
      let center = NotificationCenter.default
      for watcher in watchingApp { center.removeObserver(watcher) }
      watchingApp = [
        (UIApplication.didEnterBackgroundNotification, false), (UIApplication.willEnterForegroundNotification, true),
      ].map { name, isInForeground in
        center.addObserver(forName: name, object: nil, queue: nil) { _ in
          continuation.yield(.foreground(isInForeground))
        }
      }
    #endif
  }

  /// Watches whether the app may run in the background. Without that permission, entering the venue does not launch the
  /// app.
  private func watchBackgroundRefresh() {
    #if !os(macOS)
      guard options.runsInBackground else { return }
      noteBackgroundRefresh()
      guard watching == nil else { return }
      watching = NotificationCenter.default.addObserver(
        forName: UIApplication.backgroundRefreshStatusDidChangeNotification, object: nil, queue: nil
      ) { [weak self] _ in Task { @MainActor in self?.noteBackgroundRefresh() } }
    #endif
  }

  #if !os(macOS)
    private func noteBackgroundRefresh() {
      let status = refreshStatus()
      let remedy =
        status == .restricted
        ? "Ask the device's administrator to allow background refresh."
        : "Turn on background app refresh for this app in the system's settings."
      let issue = MonitorIssue(
        "background-refresh-off",
        "The app gets no background time, so an arrival may be missed and rows are sent late.",
        remedy: remedy)
      issues.set(status == .available ? nil : issue, for: "background-refresh-off")
    }
  #endif

  func perform(_ command: ProviderCommand) {
    guard let manager else { return }
    switch command {
    case .startPositioning:
      apply(policy, to: manager)
      #if !os(macOS)
        manager.allowsBackgroundLocationUpdates = options.runsInBackground
      #endif
      manager.startUpdatingLocation()
    case .usePolicy(let policy):
      self.policy = policy
      apply(policy, to: manager)
    case .watchSignificantChanges: manager.startMonitoringSignificantLocationChanges()
    case .unwatchSignificantChanges: manager.stopMonitoringSignificantLocationChanges()
    case .watchVisits: manager.startMonitoringVisits()
    case .unwatchVisits: manager.stopMonitoringVisits()
    case .watchExitFence(let center, let radius):
      let region = CLCircularRegion(center: center.coreLocation, radius: radius, identifier: options.pauseRegion)
      region.notifyOnEntry = false
      manager.startMonitoring(for: region)
    case .unwatchExitFence: forget(options.pauseRegion, manager)
    case .stopPositioning: manager.stopUpdatingLocation()
    case .requestFix: manager.requestLocation()
    case .watchRegion(let geofence):
      let region = CLCircularRegion(
        center: geofence.center.coreLocation, radius: min(geofence.radius, manager.maximumRegionMonitoringDistance),
        identifier: options.venueRegion)
      manager.startMonitoring(for: region)
      // A device that is already inside does not cross the boundary.
      manager.requestState(for: region)
    case .unwatchRegion: forget(options.venueRegion, manager)
    case .watchWakeFence(let center, let radius):
      // Smaller regions are not detected reliably, and motion is detected sooner anyway.
      let region = CLCircularRegion(
        center: center.coreLocation, radius: max(radius, 100), identifier: options.restRegion)
      region.notifyOnEntry = false
      manager.startMonitoring(for: region)
    case .unwatchWakeFence: forget(options.restRegion, manager)
    }
  }

  /// Sets the accuracy, the filter, the activity and pauses.
  private func apply(_ policy: TrackingPolicy?, to manager: CLLocationManager) {
    manager.desiredAccuracy = policy?.desiredAccuracy.coreLocation ?? kCLLocationAccuracyBest
    let distance = policy?.minimumDistance ?? 0
    manager.distanceFilter = distance > 0 ? distance : kCLDistanceFilterNone
    #if !os(macOS)
      manager.activityType = policy?.activity.coreLocation ?? .other
      manager.pausesLocationUpdatesAutomatically = policy?.pausesAutomatically ?? false
    #endif
  }

  private func forget(_ identifier: String, _ manager: CLLocationManager) {
    for region in manager.monitoredRegions where region.identifier == identifier { manager.stopMonitoring(for: region) }
  }
}

extension CoreLocationProvider.Options {
  /// The identifier of the venue's region.
  var venueRegion: String { regionPrefix + ".venue" }
  /// The identifier of the region around a place of rest.
  var restRegion: String { regionPrefix + ".rest" }
  /// The identifier of the region around the place where positioning paused.
  var pauseRegion: String { regionPrefix + ".pause" }
}

extension TrackingPolicy.Accuracy {
  var coreLocation: CLLocationAccuracy {
    switch self {
    case .navigation: kCLLocationAccuracyBestForNavigation
    case .best: kCLLocationAccuracyBest
    case .tenMetres: kCLLocationAccuracyNearestTenMeters
    case .hundredMetres: kCLLocationAccuracyHundredMeters
    case .kilometre: kCLLocationAccuracyKilometer
    case .threeKilometres: kCLLocationAccuracyThreeKilometers
    }
  }
}

#if !os(macOS)
  extension TrackingPolicy.Activity {
    var coreLocation: CLActivityType {
      switch self {
      case .other: .other
      case .car: .automotiveNavigation
      case .fitness: .fitness
      case .navigation: .otherNavigation
      case .air: .airborne
      }
    }
  }
#endif

extension Coordinate {
  var coreLocation: CLLocationCoordinate2D { CLLocationCoordinate2D(latitude: latitude, longitude: longitude) }
}
