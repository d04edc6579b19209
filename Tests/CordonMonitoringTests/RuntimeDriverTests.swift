import CordonCore
import CordonMonitoring
import CordonTesting
import Testing

@Suite("The driver of a runtime")
struct RuntimeDriverTests {
  let start = ClockReading(virtual: Instant(milliseconds: 1_767_254_400_000))
  let venue = SmallVenue()

  private func driver(sinks: [Sink] = [Sink(.cordon, needsActivation: false)]) throws -> RuntimeDriver {
    var configuration = MonitorConfiguration()
    configuration.thinning = .zero
    configuration.sinks = sinks
    let runtime = try Runtime(
      device: DeviceID("phone"), configuration: configuration, store: MemoryStore(),
      entropy: .stream(RandomStream(seed: 1, stream: 1)), at: start)
    var driver = RuntimeDriver(runtime, at: start)
    driver.step(.consent(Consent(version: "1", purposes: [.record, .share], time: start.wall)))
    driver.step(.venue(venue))
    driver.step(.start)
    driver.step(.region(.entered))
    return driver
  }

  private func tracking(rows: Int, sinks: [Sink] = [Sink(.cordon, needsActivation: false)]) throws -> RuntimeDriver {
    var driver = try driver(sinks: sinks)
    for index in 0..<rows {
      let time = driver.now + .seconds(5)
      let place = venue.place(east: Double(index), north: 3)
      driver.step(.fix(Fix(coordinate: place, accuracy: 5, floor: FloorOrdinal(0), time: time.wall)), at: time)
    }
    while let output = driver.nextOutput() {
      for request in output.requests { driver.receive(Self.stored(request)) }
    }
    return driver
  }

  private func requests(of driver: inout RuntimeDriver) -> [SinkRequest] { driver.nextOutput()?.requests ?? [] }

  private static func stored(_ request: SinkRequest) -> SinkResponse {
    guard case .positions(let rows, _) = request.body else {
      return SinkResponse(number: request.number, status: 204)
    }
    return SinkResponse(
      number: request.number, status: 207, body: .rows(rows.map { RowAnswer(id: $0.id, status: .stored) }))
  }

  @Test func outputComesInRounds() throws {
    var driver = try driver()
    // All of the steps so far are one round.
    let first = driver.nextOutput()
    #expect(first?.commands.contains(.startPositioning) == true)
    #expect(first?.notices.contains(.phase(.tracking)) == true)
    #expect(driver.output.isEmpty)

    driver = try tracking(rows: 3, sinks: [Sink(.cordon, needsActivation: false), Sink(.overland)])
    driver.step(.flush)
    let requests = requests(of: &driver)
    #expect(requests.map(\.sink) == [.cordon, .overland])
    // What responses lead to is the next round, whatever is still to be sent of this one.
    for request in requests { driver.receive(Self.stored(request)) }
    let next = driver.nextOutput()
    #expect(next?.notices.count { if case .delivery = $0 { true } else { false } } == 2)
    let last = driver.nextOutput()
    #expect(last?.requests == nil)
  }

  @Test func theClockStopsAtEachTimer() throws {
    var driver = try tracking(rows: 3)
    let end = driver.now + .hours(2)
    var times = [driver.now.monotonic]
    // Each failure sets a timer.
    var failures = 5
    while driver.advance(to: end) {
      times.append(driver.now.monotonic)
      #expect(driver.now.wall.milliseconds == driver.now.monotonic.milliseconds)
      while let output = driver.nextOutput() {
        for request in output.requests {
          failures -= 1
          driver.receive(failures >= 0 ? SinkResponse(number: request.number, status: 503) : Self.stored(request))
        }
      }
    }
    #expect(times.count > 5)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    #expect(driver.now == end)
    #expect(driver.runtime.accounting.acknowledged == 3)
    #expect(driver.nextTimer.map { $0 > end.monotonic } ?? true)
  }

  /// A process that slept past its timer fires it at once, and no clock goes back for it.
  @Test func aTimerThatIsOverdueFiresNow() throws {
    var driver = try tracking(rows: 3)
    let due = try #require(driver.nextTimer)
    driver.now = driver.now + (due - driver.now.monotonic) + .hours(1)
    let slept = driver.now
    #expect(driver.nextWake(by: slept) == slept + .milliseconds(1))
    let hasFired = driver.advance(to: slept)
    #expect(hasFired)
    #expect(driver.now == slept + .milliseconds(1))
    // An end in the past moves nothing.
    while driver.advance(to: start) {}
    #expect(driver.now == slept + .milliseconds(1))
  }

  @Test func responsesArriveWhenTheyAreDue() throws {
    var driver = try tracking(rows: 3, sinks: [Sink(.cordon, needsActivation: false), Sink(.overland)])
    driver.step(.flush)
    let requests = requests(of: &driver)
    #expect(requests.count == 2 && driver.hasRequestsInFlight)
    // The first takes longer than the second.
    driver.hold(Self.stored(requests[0]), until: driver.now.monotonic + .seconds(9))
    driver.hold(Self.stored(requests[1]), until: driver.now.monotonic + .seconds(2))
    let sent = driver.now
    #expect(driver.nextResponse == sent.monotonic + .seconds(2))
    var arrivals: [(after: Int64, sinks: [SinkID])] = []
    for second in Int64(0)..<10 {
      while driver.receiveHeld(at: sent + .seconds(second)) {
        #expect(driver.now == sent + .seconds(second))
        let notices = driver.nextOutput()?.notices ?? []
        arrivals.append((second, notices.compactMap { if case .delivery(let sink, _) = $0 { sink } else { nil } }))
      }
      #expect(driver.hasRequestsInFlight == (second < 9))
    }
    #expect(arrivals.map(\.after) == [2, 9])
    #expect(arrivals.map(\.sinks) == [[.overland], [.cordon]])
    #expect(driver.nextResponse == nil)
  }

  @Test func aProcessThatEndsLosesWhatWasOnItsWay() throws {
    var driver = try tracking(rows: 3)
    driver.step(.flush)
    let requests = requests(of: &driver)
    driver.hold(Self.stored(requests[0]), until: driver.now.monotonic + .seconds(1))
    driver.step(.stop)
    driver.kill()
    #expect(driver.nextResponse == nil && driver.output.isEmpty)
    let hasReceived = driver.receiveHeld(at: driver.now + .hours(1))
    #expect(!hasReceived)
  }

  /// A request that nobody answers is in flight until the runtime gives it up.
  @Test func aRequestIsInFlightUntilItIsGivenUp() throws {
    var driver = try tracking(rows: 3)
    #expect(!driver.hasRequestsInFlight)
    driver.step(.flush)
    driver.step(.network(.none))
    _ = driver.nextOutput()
    #expect(driver.hasRequestsInFlight)
    let end = driver.now + .seconds(60)
    while driver.advance(to: end) { _ = driver.nextOutput() }
    #expect(!driver.hasRequestsInFlight)
  }
}
