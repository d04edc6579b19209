import CordonCommandLine
import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonVenues

/// One device of the demo: the runtime of real devices, a store in memory, and a person who walks from room to room.
struct DemoClient {
  private var driver: RuntimeDriver
  private var walk: DemoWalk
  private var random: RandomStream
  private var isPositioning = false

  /// Standard deviation of a position along each axis, in metres, and the accuracy that a fix reports.
  private static let noise = 0.4
  private static let accuracy = 3.0

  private static var configuration: MonitorConfiguration {
    var configuration = MonitorConfiguration()
    configuration.deviceType = "demo"
    // The page shows each second, and nobody stays anywhere for longer than about a minute.
    configuration.thinning = .zero
    configuration.stillAfter = .days(1)
    // Ten minutes of a walk, while the server is busy.
    configuration.maximumRows = 600
    return configuration
  }

  /// A device whose person has agreed and has entered an invite code.
  init(
    number: Int, seed: UInt64, ways: DemoWays, gate: some VenueGate, inviteCode: String, at now: ClockReading
  ) throws {
    var random = RandomStream(seed: seed, stream: 0xde40, entity: UInt64(number))
    let (name, speed) = (String(random.next(), radix: 36), DemoWalk.speed(&random))
    walk = DemoWalk(ways, speed: speed, &random)
    self.random = random
    let runtime = try Runtime(
      device: DeviceID("demo-\(name)"), configuration: DemoClient.configuration, store: MemoryStore(),
      entropy: .stream(RandomStream(seed: seed, stream: 0xde41, entity: UInt64(number))), at: now)
    driver = RuntimeDriver(runtime, at: now)
    driver.step(.consent(Consent(version: "demo", time: now.wall)))
    driver.step(.venue(gate))
    driver.step(.invite(code: inviteCode))
    driver.step(.start)
  }

  /// The count of fixes by outcome.
  var accounting: Accounting { driver.runtime.accounting }
  var device: DeviceID { driver.runtime.device }

  /// Walks for some seconds until now, with a fix each, and asks for everything to be sent.
  mutating func walk(seconds: Int64, in ways: inout DemoWays, until now: ClockReading) {
    for second in 1...max(1, seconds) {
      _ = walk.step(&ways, &random)
      if walk.isBetweenFloors { continue }
      let noisy = PlanePoint(
        x: walk.point.x + random.nextNormal() * DemoClient.noise,
        y: walk.point.y + random.nextNormal() * DemoClient.noise)
      guard isPositioning else { continue }
      let fix = Fix(
        coordinate: ways.plan.frame.unproject(noisy), accuracy: DemoClient.accuracy,
        floor: ways.plan.floors[walk.floor].ordinal, time: now.wall - .seconds(seconds - second))
      driver.step(.fix(fix), at: now)
    }
    driver.step(.flush, at: now)
  }

  /// Performs what the runtime asks for, until it asks for nothing more.
  /// - Parameter send: sends a request to the server, and returns the response.
  /// - Throws: when the server refuses the device.
  mutating func performOutput(send: (SinkRequest) async -> SinkResponse) async throws {
    while let output = driver.nextOutput() {
      var crossing: RegionCrossing?
      for command in output.commands {
        switch command {
        case .startPositioning: isPositioning = true
        case .stopPositioning: isPositioning = false
        // The whole walk lies within the geofence.
        case .watchRegion: crossing = .entered
        case .unwatchRegion: crossing = nil
        default: break
        }
      }
      if output.notices.contains(.inviteRefused) || output.notices.contains(.deactivated) {
        throw CommandError("the server refused the device \(device)")
      }
      for request in output.requests { driver.receive(await send(request)) }
      if let crossing { driver.step(.region(crossing)) }
    }
  }
}
