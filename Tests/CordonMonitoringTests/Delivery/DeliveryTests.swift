import CordonCore
import CordonMonitoring
import CordonTestSupport
import CordonTesting
import Testing

@Suite("Delivery")
struct DeliveryTests {
  let start = Instant.testStart
  let venue = SmallVenue()

  @Test func rowsGoOldestFirstInBatches() throws {
    var bench = try makeBench(rows: 25, configuration: { $0.batchRows = 10 }, Self.all(.stored))
    bench.send(.flush)
    #expect(bench.positions.map(\.count) == [10, 10, 5])
    let times = bench.positions.flatMap { $0.map(\.time) }
    #expect(times == times.sorted())
    #expect(bench.runtime.accounting.acknowledged == 25)
  }

  @Test func knownRowsCountAsAcknowledged() throws {
    var bench = try makeBench(Self.all(.known))
    bench.send(.flush)
    #expect(bench.runtime.accounting.acknowledged == 20)
    #expect(try bench.store.locations(of: bench.runtime.device).isEmpty)
  }

  @Test func aRefusedRowIsQuarantinedAndTheOthersAreDelivered() throws {
    var bench = try makeBench { request in
      guard case .positions(let rows, _) = request.body else { return nil }
      let answers = rows.enumerated().map { index, row in
        RowAnswer(id: row.id, status: index == 3 ? .refused(reason: "wrong venue") : .stored)
      }
      return SinkResponse(number: request.number, status: 207, body: .rows(answers))
    }
    bench.send(.flush)
    #expect(bench.runtime.accounting.acknowledged == 19)
    #expect(bench.runtime.accounting.quarantined == 1)
    #expect(try bench.store.locations(of: bench.runtime.device).count == 1)
    let count = bench.positions.count
    bench.wait(.hours(2))
    #expect(bench.positions.count == count, "a quarantined row is not sent again")
  }

  @Test func rowsSurviveALostAnswer() throws {
    var isLost = true
    var bench = try makeBench { request in isLost ? nil : Self.all(.known)(request) }
    bench.send(.flush)
    #expect(bench.positions.count == 1)
    bench.wait(.minutes(3))
    #expect(bench.runtime.accounting.onPhone == 20)
    isLost = false
    bench.wait(.minutes(30))
    #expect(bench.runtime.accounting.acknowledged == 20)
  }

  /// Rows that were leased when the process was killed are sent by the next one, after the end of their lease.
  @Test func rowsSurviveAProcessThatDiesDuringDelivery() throws {
    var dead = try makeBench { _ in nil }
    dead.send(.flush)
    #expect(dead.positions.map(\.count) == [20])
    var configuration = MonitorConfiguration()
    configuration.sinks = [Sink(.cordon, needsActivation: false)]
    let runtime = try Runtime(configuration: configuration, store: dead.store, at: dead.now)
    var next = Bench(runtime: runtime, store: dead.store, now: dead.now, script: Script(Self.all(.known)))
    next.send(.venue(venue))
    next.send(.start)
    next.wait(.hours(1))
    #expect(next.positions.map(\.count) == [20])
    #expect(next.runtime.accounting.acknowledged == 20)
  }

  @Test func aRowWithRetryIsSentAgain() throws {
    var isFirst = true
    var bench = try makeBench { request in
      guard case .positions(let rows, _) = request.body else { return nil }
      let answers = rows.enumerated().map { index, row in
        RowAnswer(id: row.id, status: isFirst && index == 7 ? .retry : .stored)
      }
      isFirst = false
      return SinkResponse(number: request.number, status: 207, body: .rows(answers))
    }
    bench.send(.flush)
    #expect(bench.runtime.accounting.acknowledged == 19)
    #expect(bench.positions.count == 1, "not at once")
    bench.wait(.hours(1))
    #expect(bench.positions.map(\.count) == [20, 1])
    #expect(bench.runtime.accounting.acknowledged == 20)
  }

  @Test func aSuccessWithoutRowStatusesAcknowledgesNothing() throws {
    var bench = try makeBench { SinkResponse(number: $0.number, status: 200) }
    bench.send(.flush)
    #expect(bench.runtime.accounting.onPhone == 20)
  }

  @Test func aRowMissingFromTheAnswerIsSentAgain() throws {
    var isFirst = true
    var bench = try makeBench { request in
      guard case .positions(let rows, _) = request.body else { return nil }
      let answered = isFirst ? rows.filter { $0.time.milliseconds % 2_000 == 0 } : rows
      isFirst = false
      return SinkResponse(
        number: request.number, status: 207,
        body: .rows(answered.reversed().map { RowAnswer(id: $0.id, status: .stored) }))
    }
    bench.send(.flush)
    #expect(bench.runtime.accounting.acknowledged == 10)
    bench.wait(.hours(1))
    #expect(bench.runtime.accounting.acknowledged == 20)
    #expect(bench.positions.map(\.count) == [20, 10])
  }

  @Test func anUnreadableRowIsFoundByHalving() throws {
    var culprit: FixID?
    var bench = try makeBench(rows: 64) { request in
      guard case .positions(let rows, _) = request.body else { return nil }
      if culprit == nil { culprit = rows[37].id }
      if rows.contains(where: { $0.id == culprit }) {
        return SinkResponse(number: request.number, status: 413, isProved: true)
      }
      return Self.all(.stored)(request)
    }
    bench.send(.flush)
    bench.wait(.minutes(10))
    #expect(bench.runtime.accounting.acknowledged == 63)
    #expect(bench.runtime.accounting.quarantined == 1)
    #expect(try bench.store.locations(of: bench.runtime.device).map(\.id) == [culprit])
    #expect(bench.positions.count < 25)
  }

  @Test(arguments: [429, 500, 503, 0]) func retriesBackOffAndFollowRetryAfter(status: Int) throws {
    var times: [Instant] = []
    var clock = start
    var wait: TimeSpan? = .minutes(40)
    var bench = try makeBench { request in
      guard case .positions = request.body else { return SinkResponse(number: request.number, status: 204) }
      times.append(clock)
      return SinkResponse(number: request.number, status: status, retryAfter: wait)
    }
    func live(_ span: TimeSpan) {
      let end = bench.now.monotonic + span
      while let due = bench.driver.nextTimer, due <= end {
        bench.now = bench.now + (due - bench.now.monotonic)
        clock = bench.now.wall
        bench.send(.wake)
      }
    }
    clock = bench.now.wall
    bench.send(.flush)
    #expect(times.count == 1)
    live(.minutes(39))
    #expect(times.count == 1, "nothing before Retry-After")
    wait = nil
    live(.hours(24))
    // From then on the gaps are between a second and a quarter of an hour.
    let gaps = zip(times.dropFirst(2), times.dropFirst(1)).map { $0 - $1 }
    #expect(gaps.allSatisfy { $0 >= .seconds(1) && $0 <= .minutes(15) + .seconds(1) })
    #expect(times.count > 96 && times.count < 400)
  }

  /// Full jitter: devices that failed together do not retry together.
  @Test func waitsCoverTheirWholeRange() throws {
    var waits: [TimeSpan] = []
    for seed in 0..<60 as Range<UInt64> {
      var configuration = MonitorConfiguration()
      configuration.thinning = .zero
      configuration.sinks = [Sink(.cordon, needsActivation: false)]
      configuration.backoffBase = .minutes(10)
      let runtime = try Runtime(
        device: DeviceID("phone"), configuration: configuration, store: MemoryStore(),
        entropy: .stream(RandomStream(seed: seed, stream: 1)), at: ClockReading(virtual: start))
      var times: [Instant] = []
      var bench = Bench(
        runtime: runtime, store: MemoryStore(), now: ClockReading(virtual: start), script: Script { _ in nil })
      bench.script.answer = { SinkResponse(number: $0.number, status: 503) }
      bench.send(.consent(Consent(version: "1", time: start)))
      bench.send(.venue(venue))
      bench.send(.start)
      bench.send(.region(.entered))
      bench.send(.fix(Fix(coordinate: venue.place(east: 1, north: 1), accuracy: 5, time: start)))
      bench.send(.flush)
      times.append(bench.now.wall)
      let count = bench.positions.count
      while bench.positions.count == count, let due = bench.driver.nextTimer, times.count < 100 {
        bench.now = bench.now + max(due - bench.now.monotonic, .milliseconds(1))
        bench.send(.wake)
        times.append(bench.now.wall)
      }
      waits.append((times.last ?? start) - times[0])
    }
    #expect(waits.allSatisfy { $0 >= .seconds(1) && $0 <= .minutes(10) })
    #expect(waits.count { $0 < .minutes(3) } > 5 && waits.count { $0 > .minutes(7) } > 5)
  }

  @Test func remainingRowsAreSentOnLeaving() throws {
    var bench = try makeBench(Self.all(.stored))
    #expect(bench.positions.isEmpty)
    bench.send(.region(.exited))
    #expect(bench.runtime.accounting.acknowledged == 20)
  }

  @Test(arguments: [TimeSpan.seconds(1), .minutes(5)]) func aTimerFlushesRows(after span: TimeSpan) throws {
    var bench = try makeBench(configuration: { $0.flushAfter = span }, Self.all(.stored))
    bench.wait(span)
    #expect(bench.runtime.accounting.acknowledged == 20)
  }

  @Test func aDisabledTimerFlushesNothing() throws {
    var bench = try makeBench(configuration: { $0.flushAfter = nil }, Self.all(.stored))
    bench.wait(.days(2))
    #expect(bench.positions.isEmpty)
    bench.send(.flush)
    #expect(bench.runtime.accounting.acknowledged == 20)
  }

  @Test(arguments: [nil, "wheelchair-tag"]) func emptyBatchesAreSentUnlessDisabled(type: String?) throws {
    let sink = InProcessSink(needsToken: true)
    let bench = try makeBench(rows: 0, activated: true, configuration: { if let type { $0.deviceType = type } }) {
      [start] in sink.handle($0, now: start)
    }
    let told = bench.script.requests.compactMap { request -> String? in
      if case .activate(_, let type) = request.body { type } else { nil }
    }
    #expect(told == [type ?? "phone"])
  }

  @Test func nothingIsSentWithoutANetworkOrOverAMeteredOne() throws {
    var bench = try makeBench(configuration: { $0.sendsOnMetered = false }, Self.all(.stored))
    bench.send(.network(.none))
    bench.send(.flush)
    bench.send(.network(.metered))
    bench.send(.flush)
    #expect(bench.positions.isEmpty)
    bench.send(.network(.unmetered))
    #expect(bench.runtime.accounting.acknowledged == 20)
  }

  @Test func fiveHundredRowsDoNotWait() throws {
    var bench = try makeBench(
      rows: 0,
      configuration: {
        $0.flushAfter = nil
        $0.flushRows = 50
      }, Self.all(.stored))
    for index in 0..<50 {
      #expect(bench.positions.isEmpty)
      bench.now = bench.now + .seconds(5)
      let place = venue.place(east: Double(index % 20), north: 3)
      bench.send(.fix(Fix(coordinate: place, accuracy: 5, time: bench.now.wall)))
    }
    #expect(bench.positions.map(\.count) == [50])
  }

  @Test func oneTokenServesManyBatches() throws {
    let sink = InProcessSink(needsToken: true)
    sink.inviteCodes = ["CODE"]
    var bench = try makeBench(rows: 40, activated: true, configuration: { $0.batchRows = 5 }) { [start] in
      sink.handle($0, now: start)
    }
    bench.send(.flush)
    #expect(bench.positions.count == 8)
    #expect(bench.tokens == 1)
    #expect(bench.runtime.accounting.acknowledged == 40)
  }

  @Test func anExpiredTokenIsRenewedOnceForABatch() throws {
    let sink = InProcessSink(needsToken: true)
    sink.inviteCodes = ["CODE"]
    var bench = try makeBench(rows: 10, activated: true) { [start] in sink.handle($0, now: start) }
    bench.send(.flush)
    sink.revokeTokens()
    bench.now = bench.now + .seconds(5)
    bench.send(.fix(Fix(coordinate: venue.place(east: 1, north: 1), accuracy: 5, time: bench.now.wall)))
    bench.send(.flush)
    #expect(bench.tokens == 2)
    #expect(bench.positions.map(\.count) == [10, 1, 1], "refused with the old token, taken with the new")
    #expect(bench.runtime.accounting.acknowledged == 11)
  }

  @Test func aRefusedFreshTokenIsNotRequestedAgainAtOnce() throws {
    var bench = try makeBench(rows: 10, activated: true) { [start] request in
      switch request.body {
      case .activate:
        SinkResponse(
          number: request.number, status: 200, body: .activated(secret: "s", venue: nil), isProved: true)
      case .token:
        SinkResponse(
          number: request.number, status: 200, body: .token("t", expires: start + .hours(100)), isProved: true)
      default: SinkResponse(number: request.number, status: 401)
      }
    }
    bench.send(.flush)
    #expect(bench.positions.count <= 2)
    bench.wait(.hours(1))
    #expect(bench.positions.count < 40)
    #expect(bench.runtime.accounting.onPhone == 10)
  }

  @Test func anUnavailableTokenStrandsNoRows() throws {
    let sink = InProcessSink(needsToken: true)
    sink.inviteCodes = ["CODE"]
    var isDown = true
    var bench = try makeBench(rows: 10, activated: true) { [start] request in
      if case .token = request.body, isDown { return SinkResponse(number: request.number, status: 500) }
      return sink.handle(request, now: start)
    }
    bench.send(.flush)
    bench.wait(.minutes(30))
    #expect(bench.runtime.accounting.onPhone == 10)
    #expect(bench.tokens > 1 && bench.tokens < 60)
    isDown = false
    bench.wait(.minutes(30))
    #expect(bench.runtime.accounting.acknowledged == 10)
  }

  @Test func aDeactivatedDeviceKeepsItsQueueForTheNextCode() throws {
    let sink = InProcessSink(needsToken: true)
    sink.inviteCodes = ["CODE", "AGAIN"]
    var bench = try makeBench(rows: 10, activated: true) { [start] in sink.handle($0, now: start) }
    sink.deactivate(bench.runtime.device)
    bench.send(.flush)
    #expect(bench.runtime.phase == .needsActivation)
    #expect(bench.runtime.accounting.onPhone == 10)
    bench.send(.invite(code: "AGAIN"))
    bench.wait(.minutes(1))
    #expect(bench.runtime.accounting.acknowledged == 10)
  }

  @Test func anErasedDeviceIsWiped() throws {
    var bench = try makeBench { request in
      guard case .positions = request.body else { return SinkResponse(number: request.number, status: 204) }
      return SinkResponse(number: request.number, status: 410, isProved: true)
    }
    let device = bench.runtime.device
    bench.send(.flush)
    #expect(bench.runtime.device != device)
    #expect(bench.runtime.accounting.erased == 20)
    #expect(bench.runtime.monitor.state.consent == nil)
  }

  @Test func anOptionalSinkNeverBlocksADeletion() throws {
    let sinks = [Sink(.cordon, needsActivation: false), Sink(.overland, isRequired: false)]
    var bench = try makeBench(configuration: { $0.sinks = sinks }) { request in
      request.sink == .overland ? nil : Self.all(.stored)(request)
    }
    bench.send(.flush)
    #expect(bench.runtime.accounting.acknowledged == 20)
    #expect(try bench.store.locations(of: bench.runtime.device).isEmpty)
  }

  @Test func everyRequiredSinkMustAcknowledgeALocation() throws {
    var isDown = true
    let sinks = [Sink(.cordon, needsActivation: false), Sink(.file)]
    var bench = try makeBench(configuration: { $0.sinks = sinks }) { request in
      request.sink == .file && isDown ? nil : Self.all(.stored)(request)
    }
    bench.send(.flush)
    #expect(bench.runtime.accounting.acknowledged == 0)
    #expect(bench.runtime.accounting.onPhone == 20)
    isDown = false
    bench.wait(.hours(1))
    #expect(bench.runtime.accounting.acknowledged == 20)
    #expect(bench.positions.filter { $0.count == 20 }.count >= 2)
  }

  @Test func eachSystemWakeSendsWaitingRows() throws {
    var bench = try makeBench(rows: 3, Self.all(.stored))
    #expect(bench.positions.isEmpty)
    bench.send(.wake)
    #expect(bench.positions.isEmpty, "a timer alone sends what is due, and no more")
    bench.send(.woken)
    #expect(bench.runtime.accounting.acknowledged == 3)
  }

  @Test func resumingSendsWaitingRows() throws {
    var bench = try makeBench(rows: 3, Self.all(.stored))
    bench.send(.network(.none))
    bench.send(.pause(until: nil))
    bench.send(.network(.unmetered))
    bench.send(.resume)
    #expect(bench.runtime.accounting.acknowledged == 3)
  }

  @Test func aTokenIsRenewedOnceForEveryExpiry() throws {
    let sink = InProcessSink(needsToken: true)
    sink.inviteCodes = ["CODE"]
    sink.tokenLifetime = .hours(1)
    var clock = start
    var bench = try makeBench(rows: 0, activated: true) { sink.handle($0, now: clock) }
    for index in 0..<36 {
      // Ten minutes of walking, then the rest is sent: six hours in all.
      for step in 0..<4 {
        bench.now = bench.now + .seconds(150)
        clock = bench.now.wall
        let place = venue.place(east: Double((index * 4 + step) % 20), north: 3)
        bench.send(.fix(Fix(coordinate: place, accuracy: 5, time: bench.now.wall)))
      }
      bench.send(.flush)
    }
    #expect(bench.runtime.accounting.onPhone == 0)
    #expect(bench.tokens == 7, "one to begin with, and one for each hour")
  }

  @Test func aTokenIsRequestedOnlyOnceAtATime() throws {
    let sink = InProcessSink(needsToken: true)
    sink.inviteCodes = ["CODE"]
    var bench = try makeBench(rows: 10, activated: true) { [start] request in
      if case .token = request.body { return nil }
      return sink.handle(request, now: start)
    }
    for event in [MonitorEvent.flush, .woken, .wake, .network(.metered), .flush] { bench.send(event) }
    for step in 0..<5 {
      bench.now = bench.now + .seconds(2)
      let place = venue.place(east: Double(step), north: 1)
      bench.send(.fix(Fix(coordinate: place, accuracy: 5, time: bench.now.wall)))
    }
    #expect(bench.tokens == 1)
    #expect(bench.positions.isEmpty)
  }

  @Test func anEmptyQueueSendsNothing() throws {
    var bench = try makeBench(rows: 0, Self.all(.stored))
    bench.send(.flush)
    bench.send(.woken)
    bench.send(.region(.exited))
    bench.wait(.hours(3))
    #expect(bench.positions.isEmpty)
  }

  @Test func everyOutcomeIsReported() throws {
    var status = 503
    var bench = try makeBench { request in
      status == 207 ? Self.all(.stored)(request) : SinkResponse(number: request.number, status: status)
    }
    bench.now = bench.now + .hours(1)
    #expect(bench.sendListening(.flush).contains(.delivery(.cordon, .failed(retryAfter: nil))))
    status = 207
    bench.now = bench.now + .hours(1)
    let told = bench.sendListening(.flush)
    #expect(told.contains(.delivery(.cordon, .judged(acknowledged: 20, quarantined: 0, kept: 0, retryAfter: nil))))
  }

  @Test func nothingIsSentBeforeActivation() throws {
    let sink = InProcessSink(needsToken: true)
    var bench = try makeBench(rows: 10, configuration: { $0.sinks = [Sink(.cordon)] }) { [start] in
      sink.handle($0, now: start)
    }
    bench.send(.flush)
    bench.wait(.hours(5))
    #expect(bench.script.requests.isEmpty, "not even to another server")
    #expect(bench.runtime.phase == .needsActivation)
  }
}
