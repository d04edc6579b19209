import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonStorage
import CordonTestSupport
import CordonTesting

/// One phone through an hour of faults, with a model of what must be true after each.
struct FaultRun {
  let seed: UInt64
  /// Two venues, far from each other; one of them is active.
  let venues: [SmallVenue]
  var active = 0
  let sink = InProcessSink(needsToken: true)
  let store: FaultyStore
  var network: ScriptedNetwork
  var random: RandomStream
  var driver: RuntimeDriver
  var configuration = MonitorConfiguration()
  var violations: [String] = []
  /// The floor that each fix reported, by its time.
  var floors: [Instant: FloorOrdinal?] = [:]
  var devices: Set<DeviceID> = []
  var withdrawn: Set<DeviceID> = []
  var kills = 0
  var failures = 0
  /// The last written state that a power loss must not undo, and the number of durable transactions until then.
  private var promises = Promises(MonitorState())
  private var fullCommits = 0
  var east = 0.0
  var north = 0.0

  init(seed: UInt64, on inner: any Store) throws {
    self.seed = seed
    var venues = [SmallVenue(), SmallVenue("annex", center: Coordinate(longitude: 8.60, latitude: 47.40))]
    for index in venues.indices {
      venues[index].rooms = [
        .init("wc", x: 20...30, y: 10...20, recording: .unrecorded), .init("hall", x: -30...0, y: -20...20),
      ]
    }
    self.venues = venues
    store = FaultyStore(inner)
    network = ScriptedNetwork(seed: seed, faultRate: 0.35)
    random = RandomStream(seed: seed, stream: 0xfa)
    sink.inviteCodes = Set(venues.map(\.venue.rawValue))
    sink.venues = Dictionary(uniqueKeysWithValues: venues.map { ($0.venue.rawValue, $0.venue) })
    configuration.maximumRows = random.nextIndex(below: 4) == 0 ? 40 : 100_000
    configuration.batchRows = 1 + random.nextIndex(below: 60)
    configuration.flushAfter = .seconds(Int64(10 + random.nextIndex(below: 200)))
    configuration.thinning = random.nextIndex(below: 2) == 0 ? .zero : .seconds(5)
    let now = ClockReading(wall: Instant(milliseconds: 1_767_254_400_000), monotonic: .zero)
    let runtime = try Runtime(
      configuration: configuration, store: store, entropy: .stream(RandomStream(seed: seed, stream: 0xe7)), at: now)
    driver = RuntimeDriver(runtime, at: now)
    start()
  }

  var venue: SmallVenue { venues[active] }

  /// An invite code for the active venue.
  mutating func invite() { send(.invite(code: venue.venue.rawValue)) }

  var now: ClockReading { driver.now }

  mutating func start() {
    if devices.isEmpty || driver.runtime.monitor.state.consent == nil {
      send(.consent(Consent(version: "1", time: now.wall)))
    }
    send(.venue(venue))
    invite()
    send(.start)
    devices.insert(driver.runtime.device)
  }

  mutating func send(_ event: MonitorEvent) {
    driver.step(event)
    performOutput()
  }

  mutating func performOutput() {
    while let output = driver.nextOutput() {
      for request in output.requests {
        if case .positions(let rows, _) = request.body {
          if driver.runtime.monitor.state.consent == nil { fail("rows are sent without consent") }
          if rows.contains(where: { $0.device != request.device }) { fail("rows of another device are sent") }
        }
        network.send(request, now: now)
      }
    }
    if store.isDead { relaunch() }
    check()
  }

  mutating func pass(_ span: TimeSpan) {
    let end = now.monotonic + span
    while now.monotonic < end {
      var next = min(end, driver.nextTimer ?? end)
      if let arrival = network.nextArrival { next = min(next, arrival) }
      driver.now = now + max(next - now.monotonic, .milliseconds(1))
      for response in network.deliver(to: sink, now: now) {
        driver.receive(response)
        performOutput()
      }
      if let due = driver.nextTimer, due <= now.monotonic { send(.wake) }
    }
  }

  mutating func fix() {
    east = min(max(east + random.nextUniform(in: -12...12), -40), 40)
    north = min(max(north + random.nextUniform(in: -12...12), -30), 30)
    var time = now.wall
    switch random.nextIndex(below: 20) {
    case 0: time = time - .seconds(Int64(random.nextIndex(below: 100)))
    case 1: time = time + .seconds(Int64(random.nextIndex(below: 30)))
    default: break
    }
    let floor = [nil, FloorOrdinal(0), FloorOrdinal(1)][random.nextIndex(below: 3)]
    let accuracy = random.nextIndex(below: 12) == 0 ? nil : random.nextUniform(in: 1...60)
    let fix = Fix(
      coordinate: venue.place(east: east, north: north), accuracy: accuracy, floor: floor, time: time,
      isMocked: random.nextIndex(below: 25) == 0)
    if let old = floors[time], old != floor { return }
    floors[time] = floor
    send(.fix(fix))
    if random.nextIndex(below: 10) == 0 { send(.fix(fix)) }
  }

  mutating func relaunch() {
    kills += 1
    store.reopen()
    // Requests of the dead process may still arrive; their answers have no reader.
    do {
      let entropy = RandomSource.stream(RandomStream(seed: seed, stream: 0xe8, entity: UInt64(kills)))
      let device = try store.devices().first?.id
      driver.kill()
      driver.runtime = try Runtime(
        device: device, configuration: configuration, store: store, entropy: entropy, at: now)
      start()
    } catch {
      fail("relaunch: \(error)")
    }
  }

  mutating func accident() {
    switch random.nextIndex(below: 40) {
    case 0: send(.region(.exited))
    case 1, 2: send(.region(.entered))
    case 3: send(.motion(.still))
    case 4: send(.motion(.moving))
    case 5: send(.network(.none))
    case 6, 7: send(.network(.unmetered))
    case 8: send(.pause(until: random.nextIndex(below: 2) == 0 ? nil : now.wall + .minutes(2)))
    case 9, 10: send(.resume)
    case 11: driver.now.wall = now.wall + .seconds(Int64(random.nextIndex(below: 1_200)) - 600)
    case 12: sink.revokeTokens()
    case 13:
      sink.deactivate(driver.runtime.device)
    case 14, 15:
      store.kill(after: 1 + random.nextIndex(below: 12))
    case 16, 17:
      failures += 1
      store.fail(after: 1 + random.nextIndex(below: 8))
    case 18: send(.flush)
    case 19: relaunch()
    case 20 where random.nextIndex(below: 3) == 0:
      let old = driver.runtime.device
      send(.withdraw)
      if let known = try? store.devices(), !known.contains(where: { $0.id == old }) { withdrawn.insert(old) }
    case 21, 22, 23:
      if driver.runtime.monitor.state.consent == nil { send(.consent(Consent(version: "2", time: now.wall))) }
      invite()
      devices.insert(driver.runtime.device)
    case 24: send(.leftWakeFence)
    case 25, 26:
      active = 1 - active
      send(.venue(venue))
      if random.nextIndex(below: 3) > 0 { invite() }
    case 27: pass(.minutes(6))
    default: break
    }
  }

  mutating func fail(_ text: String) {
    if violations.count < 5 { violations.append("seed \(seed), \(now.monotonic): \(text)") }
  }

  /// The state that a power loss must not undo. It may undo the end of an activation, because the server refuses the
  /// device again.
  private struct Promises: Equatable {
    var consent: Consent?
    var erasures: [DeviceID]
    var isActivated: Bool

    init(_ state: MonitorState) {
      consent = state.consent
      erasures = state.erasures.map(\.device)
      isActivated = state.isActivated
    }
  }

  /// The transaction that changes a promise is durable, also when an effect changed it that appeared while others were
  /// performed.
  private mutating func checkDurability() {
    guard !driver.runtime.hasUnfinishedWrites else { return }
    let now = Promises(driver.runtime.monitor.state)
    var expected = now
    if promises.isActivated, !now.isActivated { expected.isActivated = true }
    if expected != promises, store.fullCommits == fullCommits { fail("\(now) was not made durable") }
    promises = now
    fullCommits = store.fullCommits
  }

  /// Checks the invariants after every step.
  mutating func check() {
    checkDurability()
    let a = driver.runtime.accounting
    if a.fixes != a.refused + a.thinned + a.held + a.stored { fail("fixes do not add up: \(a)") }
    if a.stored < a.acknowledged + a.quarantined + a.expired + a.erased { fail("locations do not add up: \(a)") }
    if !store.confirmed.allSatisfy(sink.hasTaken) { fail("a location went before the sink had it") }
    do {
      let rows = try store.locations(of: driver.runtime.device)
      if UInt64(rows.count) != a.onPhone + a.quarantined { fail("\(rows.count) rows, but \(a)") }
      if rows.count > configuration.maximumRows + 1 { fail("\(rows.count) rows are more than the limit") }
      for row in rows { check(row) }
      for device in withdrawn where try store.device(device) != nil { fail("a withdrawn device is still there") }
      if driver.runtime.monitor.state.consent == nil, !rows.isEmpty, !driver.runtime.hasUnfinishedWrites {
        fail("rows without consent")
      }
    } catch {
      fail("\(error)")
    }
  }

  mutating func check(_ row: Location) {
    guard let venue = venues.first(where: { $0.venue == row.venue }) else { return fail("no such venue: \(row)") }
    let verdict = venue.judge(row.coordinate, floor: row.floor)
    if !verdict.isInside || verdict.recording == .unrecorded { fail("stored outside: \(row)") }
    guard let floor = floors[row.time] else {
      fail("a time that no fix has: \(row)")
      return
    }
    if (floor == nil) != (row.floor == nil) { fail("floor \(String(describing: row.floor)) of a fix with another") }
  }

  /// Lets the phone recover, and checks the final state.
  mutating func finish() throws {
    store.disarm()
    network.faultRate = 0
    if driver.runtime.monitor.state.consent == nil { send(.consent(Consent(version: "3", time: now.wall))) }
    send(.network(.unmetered))
    send(.resume)
    send(.start)
    for round in 0..<24 {
      // A deactivated device needs a new code for each venue; the rows of both must be sent, whichever is active.
      if round == 12 {
        active = 1 - active
        send(.venue(venue))
      }
      if driver.runtime.phase == .needsActivation { invite() }
      pass(.minutes(10))
    }
    send(.stop)
    pass(.hours(1))
    let a = driver.runtime.accounting
    if a.onPhone != 0 {
      fail("the queue did not drain: \(a), phase \(driver.runtime.phase), \(driver.runtime.monitor.state)")
    }
    if a.held != 0 { fail("a fix is still held") }
    if !driver.runtime.monitor.state.erasures.isEmpty { fail("an erasure was not confirmed") }
    for device in withdrawn {
      if !sink.erased.contains(device) { fail("the server was never asked to erase \(device)") }
      if sink.locations.contains(where: { $0.device == device }) { fail("rows of an erased device") }
    }
    let kept = Set(try store.locations(of: driver.runtime.device).map(\.id))
    for id in store.durable where !store.removedByRule.contains(id) && !kept.contains(id) && !sink.hasTaken(id) {
      fail("lost: \(id)")
    }
    for row in sink.locations { check(row) }
  }
}
