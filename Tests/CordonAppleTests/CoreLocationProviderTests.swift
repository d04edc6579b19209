#if os(Linux)
  import Cordon
  import CordonAppleShims
  import CordonCore
  import CordonGeometry
  import CordonMonitoring
  import CordonTestSupport
  import CordonTesting
  import Foundation
  import Testing

  @testable import CordonApple

  /// The provider with a stand-in for Core Location: its calls, and its handling of callbacks.
  @Suite("Core Location, with a stand-in", .timeLimit(.minutes(15)))
  @MainActor
  struct CoreLocationProviderTests {
    let manager = CLLocationManager()
    let fence = SmallVenue().geofence

    func driver(_ options: CoreLocationProvider.Options = .init()) -> CoreLocationDriver {
      let manager = UncheckedManager(manager)
      return CoreLocationDriver(options) { manager.value }
    }

    // `@unchecked Sendable` holds because all of it happens on the main actor.
    struct UncheckedManager: @unchecked Sendable {
      let value: CLLocationManager
      init(_ value: CLLocationManager) { self.value = value }
    }

    /// Returns the events that the monitor receives during `body`.
    func heard(_ driver: CoreLocationDriver, _ body: () -> Void) async -> [ProviderEvent] {
      let (stream, continuation) = AsyncStream.makeStream(of: ProviderEvent.self)
      driver.listen(continuation)
      body()
      continuation.finish()
      var events: [ProviderEvent] = []
      for await event in stream { events.append(event) }
      // The first event is the current permission.
      return Array(events.dropFirst())
    }

    func location(_ second: Double, accuracy: Double = 8, floor: Int? = nil, isSimulated: Bool = false) -> CLLocation {
      CLLocation(
        coordinate: CLLocationCoordinate2D(latitude: 47.37, longitude: 8.54), horizontalAccuracy: accuracy,
        timestamp: Date(timeIntervalSince1970: 1_767_254_400 + second), floor: floor.map { CLFloor(level: $0) },
        sourceInformation: CLLocationSourceInformation(
          softwareSimulationState: isSimulated, andExternalAccessoryState: false))
    }

    @Test func everyFixOfADeliveryKeepsItsOwnTime() async {
      let events = await heard(driver()) {
        manager.delegate?.locationManager(
          manager,
          didUpdateLocations: [location(2.25, floor: 3), location(1, accuracy: -1), location(3, isSimulated: true)])
      }
      let fixes = events.compactMap { event -> Fix? in if case .fix(let fix) = event { fix } else { nil } }
      #expect(fixes.map { $0.time.milliseconds % 10_000 } == [1_000, 2_250, 3_000])
      #expect(fixes.map(\.floor) == [nil, FloorOrdinal(3), nil], "an unknown floor is not floor 0")
      #expect(fixes.map(\.accuracy) == [-1, 8, 8], "the monitor refuses a negative one")
      #expect(fixes.map(\.isMocked) == [false, false, true])
      #expect(fixes[0].coordinate == Coordinate(longitude: 8.54, latitude: 47.37))
    }

    @Test func regionsOfOtherMonitorsAreIgnored() async {
      let driver = driver()
      let other = CLCircularRegion(
        center: CLLocationCoordinate2D(latitude: 0, longitude: 0), radius: 100, identifier: "someone.else")
      let events = await heard(driver) {
        driver.perform(.watchRegion(fence))
        driver.perform(.watchWakeFence(center: fence.center, radius: 12))
        for region in [other] + manager.monitoredRegions.sorted(by: { $0.identifier > $1.identifier }) {
          manager.delegate?.locationManager(manager, didEnterRegion: region)
          manager.delegate?.locationManager(manager, didExitRegion: region)
        }
      }
      let words = events.map { "\($0)" }
      #expect(
        words == [
          "\(ProviderEvent.region(.entered))", "\(ProviderEvent.region(.exited))", "\(ProviderEvent.leftWakeFence)",
        ])
    }

    @Test func aDeviceAlreadyInsideTheRegionIsDetected() async throws {
      let driver = driver()
      let events = await heard(driver) {
        driver.perform(.watchRegion(fence))
        for region in manager.monitoredRegions {
          manager.delegate?.locationManager(manager, didDetermineState: .outside, for: region)
          manager.delegate?.locationManager(manager, didDetermineState: .inside, for: region)
        }
      }
      #expect(manager.calls == ["monitor cordon.venue", "state cordon.venue"])
      #expect(events.count == 1)
      let region = try #require(manager.monitoredRegions.first as? CLCircularRegion)
      #expect(region.radius == fence.radius)
      #expect(region.center.latitude == fence.center.latitude)
    }

    @Test func commandsCallCoreLocation() async {
      let driver = driver(.init(runsInBackground: true, regionPrefix: "app"))
      _ = await heard(driver) {
        for command in [
          ProviderCommand.startPositioning, .requestFix, .watchRegion(fence),
          .watchWakeFence(center: fence.center, radius: 12),
          .unwatchWakeFence, .unwatchRegion, .stopPositioning,
        ] {
          driver.perform(command)
        }
      }
      #expect(
        manager.calls == [
          "start", "request", "monitor app.venue", "state app.venue", "monitor app.rest", "unmonitor app.rest",
          "unmonitor app.venue", "stop",
        ])
      #expect(manager.allowsBackgroundLocationUpdates && !manager.pausesLocationUpdatesAutomatically)
      #expect(manager.monitoredRegions.isEmpty)
    }

    /// The status of background refresh in one test: that of the application is in all tests at once.
    @MainActor
    final class Refresh {
      var status = UIBackgroundRefreshStatus.denied
    }

    @Test func disabledBackgroundRefreshIsReported() async throws {
      let refresh = Refresh()
      let driver = driver()
      driver.refreshStatus = { refresh.status }
      _ = await heard(driver) {}
      #expect(driver.issues.list.map(\.code) == ["background-refresh-off"])
      #expect(driver.issues.list.first?.remedy.contains("background app refresh") == true)
      refresh.status = .restricted
      NotificationCenter.default.post(
        name: UIApplication.backgroundRefreshStatusDidChangeNotification, object: nil)
      try await wait { driver.issues.list.first?.remedy.contains("administrator") == true }
      refresh.status = .available
      NotificationCenter.default.post(
        name: UIApplication.backgroundRefreshStatusDidChangeNotification, object: nil)
      try await wait { driver.issues.list.isEmpty }
      // An app that never runs in the background loses nothing.
      refresh.status = .denied
      let front = self.driver(.init(runsInBackground: false))
      front.refreshStatus = { refresh.status }
      _ = await heard(front) {}
      #expect(front.issues.list.isEmpty)
    }

    @Test func permissionIsRequestedAndAwaited() async throws {
      let permission = LocationPermission(manager: manager)
      #expect(!permission.isDecided && permission.current == .none)
      let answer = Task { await permission.request() }
      try await wait { manager.calls == ["always"] }
      // The system first reports that nothing is decided yet.
      manager.delegate?.locationManagerDidChangeAuthorization(manager)
      manager.authorizationStatus = .authorizedWhenInUse
      manager.delegate?.locationManagerDidChangeAuthorization(manager)
      #expect(await answer.value == .whenInUse)
      // It can be widened once, and the method does not wait for that.
      #expect(await permission.request() == .whenInUse)
      #expect(manager.calls == ["always", "always"])
      manager.authorizationStatus = .denied
      #expect(await permission.request() == .none)
    }

    /// The first start watches the region, and so does a restarted app.
    @Test func theRegionIsMonitoredFromTheStart() async throws {
      let manager = UncheckedManager(manager)
      manager.value.authorizationStatus = .authorizedAlways
      let url = try #require(URL(string: "https://server.invalid"))
      var configuration = MonitorConfiguration()
      configuration.sinks = [Sink(.overland)]
      let monitor = try ContactMonitor(
        venue: SmallVenue(), endpoints: [SinkEndpoint(.overland, url: url)],
        provider: CoreLocationProvider(.init()) { manager.value }, store: MemoryStore(), configuration: configuration)
      try await monitor.consent(to: Consent(version: "1", time: monitor.now.wall))
      await monitor.start()
      try await wait { manager.value.calls.contains("monitor cordon.venue") }
      await monitor.stop()
    }

    @Test func permissionAndItsLimitsAreReported() async {
      let driver = driver()
      let events = await heard(driver) {
        for status in [CLAuthorizationStatus.authorizedWhenInUse, .authorizedAlways, .denied, .restricted] {
          manager.authorizationStatus = status
          manager.delegate?.locationManagerDidChangeAuthorization(manager)
        }
        manager.accuracyAuthorization = .reducedAccuracy
        manager.delegate?.locationManagerDidChangeAuthorization(manager)
      }
      let permissions = events.compactMap { event -> Permission? in
        if case .permission(let permission) = event { permission } else { nil }
      }
      #expect(permissions == [.whenInUse, .always, .none, .none, .none])
      #expect(driver.issues.list.map(\.code) == ["reduced-accuracy"])
      manager.accuracyAuthorization = .fullAccuracy
      manager.delegate?.locationManagerDidChangeAuthorization(manager)
      #expect(driver.issues.list.isEmpty)
    }

    @Test func aPolicySetsAccuracyFilterActivityAndPauses() {
      let driver = driver()
      let (_, continuation) = AsyncStream.makeStream(of: ProviderEvent.self)
      driver.listen(continuation)
      var policy = TrackingPolicy()
      policy.desiredAccuracy = .kilometre
      policy.activity = .fitness
      policy.minimumDistance = 50
      policy.pausesAutomatically = true
      driver.perform(.usePolicy(policy))
      driver.perform(.startPositioning)
      #expect(manager.desiredAccuracy == kCLLocationAccuracyKilometer && manager.distanceFilter == 50)
      #expect(manager.activityType == .fitness && manager.pausesLocationUpdatesAutomatically)
      driver.perform(.usePolicy(nil))
      #expect(manager.desiredAccuracy == kCLLocationAccuracyBest && manager.distanceFilter == kCLDistanceFilterNone)
      #expect(manager.activityType == .other && !manager.pausesLocationUpdatesAutomatically)
      for command in [
        ProviderCommand.watchSignificantChanges, .watchVisits, .unwatchVisits, .unwatchSignificantChanges,
      ] {
        driver.perform(command)
      }
      #expect(manager.calls.suffix(4) == ["significant", "visits", "no visits", "no significant"])
    }

    /// Overland restarts tracking when any region is left.
    @Test func thePauseHasARegionOfItsOwn() async {
      let driver = driver()
      let events = await heard(driver) {
        driver.perform(.watchExitFence(center: fence.center, radius: 300))
        for identifier in ["cordon.rest", "another.pause", "cordon.pause"] {
          manager.delegate?.locationManager(
            manager,
            didExitRegion: CLCircularRegion(
              center: CLLocationCoordinate2D(latitude: 0, longitude: 0), radius: 1, identifier: identifier))
        }
      }
      #expect(events == [.leftWakeFence, .leftExitFence])
      #expect(manager.calls.contains("monitor cordon.pause"))
      driver.perform(.unwatchExitFence)
      #expect(manager.monitoredRegions.isEmpty)
    }

    @Test func pausesVisitsAndTheForegroundAreReported() async {
      let place = CLLocationCoordinate2D(latitude: 47.37, longitude: 8.54)
      let arrival = Date(timeIntervalSince1970: 1_767_254_400)
      let events = await heard(driver()) {
        manager.delegate?.locationManagerDidPauseLocationUpdates(manager)
        manager.delegate?.locationManager(
          manager, didVisit: CLVisit(coordinate: place, horizontalAccuracy: 30, arrivalDate: arrival))
        NotificationCenter.default.post(name: UIApplication.didEnterBackgroundNotification, object: nil)
      }
      let visit = Visit(
        coordinate: Coordinate(longitude: 8.54, latitude: 47.37), accuracy: 30,
        arrival: Instant(milliseconds: 1_767_254_400_000), departure: nil)
      #expect(events == [.pausedPositioning, .visit(visit), .foreground(false)])
    }
  }

  @Suite("Motion, network, power and background refresh, with stand-ins", .timeLimit(.minutes(15)))
  struct AppleSensorTests {
    // `@unchecked Sendable` holds because a test moves them from one task.
    struct Unchecked<Value>: @unchecked Sendable {
      let value: Value
      init(_ value: Value) { self.value = value }
    }

    @Test func motion() async {
      let manager = Unchecked(CMMotionActivityManager())
      let motions = CoreMotionProvider { manager.value }.motions()
      for activity in [
        CMMotionActivity(stationary: true), CMMotionActivity(), CMMotionActivity(walking: true),
        CMMotionActivity(stationary: true, automotive: true),
      ] {
        manager.value.handler?(activity)
      }
      var heard: [Motion] = []
      for await motion in motions {
        heard.append(motion)
        if heard.count == 3 { break }
      }
      #expect(heard == [.still, .moving, .moving], "unknown activities are not reported")
    }

    @Test func network() async {
      let monitor = NWPathMonitor()
      var networks = PathConnectivity { monitor }.networks().makeAsyncIterator()
      for (path, state) in [
        (NWPath(status: .satisfied), NetworkState.unmetered), (NWPath(status: .unsatisfied), .none),
        (NWPath(status: .satisfied, isExpensive: true), .metered),
        (NWPath(status: .satisfied, isConstrained: true), .metered),
      ] {
        monitor.pathUpdateHandler?(path)
        #expect(await networks.next() == state)
      }
    }

    @Test func power() async {
      var powers = BatteryPowerProvider().powers().makeAsyncIterator()
      #expect(await powers.next() == PowerState(level: nil, isExternal: false))
    }

    @Test func backgroundLaunchesSendWaitingRows() async throws {
      #expect(BackgroundRefresh.register { nil })
      let scheduler = BGTaskScheduler.shared
      let task = Unchecked(BGTask(identifier: BackgroundRefresh.identifier))
      let handler = try #require(scheduler.handlers[BackgroundRefresh.identifier])
      handler(task.value)
      #expect(scheduler.requests.last?.identifier == BackgroundRefresh.identifier, "the next is requested")
      try await wait { task.value.isSuccessful != nil }
      #expect(task.value.isSuccessful == true)
    }
  }
#endif
