import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonTesting
import Testing

/// Generates reports that no correct runtime or provider makes.
private struct Liar {
  var random: RandomStream

  mutating func pick<T>(_ choices: [T]) -> T { choices[random.nextIndex(below: choices.count)] }

  mutating func count() -> Int {
    pick([0, 1, -1, 5, 1_000, .max, .min, .max - 1, random.nextIndex(below: 1_000_000)])
  }

  mutating func instant() -> Instant {
    Instant(milliseconds: pick([0, .min, .max, -1, Specimen.start.milliseconds, .max / 2]))
  }

  mutating func span() -> TimeSpan? {
    pick([nil, .zero, .seconds(-5), .days(1_000_000), TimeSpan(milliseconds: .max), TimeSpan(milliseconds: .min)])
  }

  mutating func number() -> Double {
    pick([0, 0.5, 1, -1, 1e308, -1e308, .nan, .infinity, -.infinity, .leastNonzeroMagnitude])
  }

  mutating func sink() -> SinkID { pick([.cordon, .ingest, SinkID(number: 200)]) }

  mutating func queue() -> QueueSummary {
    QueueSummary(sink: sink(), pending: count(), leased: count(), oldest: pick([nil, instant()]))
  }

  mutating func device() -> DeviceID? { pick([DeviceID("phone"), DeviceID("another")]) }

  mutating func venue() -> VenueID { pick([Specimen.venue.venue, Specimen.otherVenue.venue]) }

  mutating func fix() -> FixID { FixID(high: random.next(), low: random.next()) }

  mutating func outcome() -> CredentialOutcome {
    pick([.granted(until: instant()), .refused, .gone, .failed(retryAfter: span())])
  }

  mutating func delivery() -> DeliveryOutcome {
    pick([
      .judged(acknowledged: count(), quarantined: count(), kept: count(), retryAfter: span()),
      .unreadable(rows: count()), .unauthorized, .forbidden, .gone, .failed(retryAfter: span()),
    ])
  }

  mutating func completion() -> Completion {
    switch random.nextIndex(below: 13) {
    case 11: .purged(waiting: count(), quarantined: count(), queues: [queue()])
    case 12: .reopenedVisit(instant())
    case 0: .known(fix(), purpose: pick([.record, .everywhere]))
    case 1: .reopened
    case 2:
      .expired(
        pick(ExpiryRule.allCases),
        DeletionCount(waiting: count(), quarantined: count(), end: pick([nil, instant()])),
        queues: [queue(), queue()])
    case 3: .wiped(waiting: count(), quarantined: count())
    case 4: .leased(sink: sink(), rows: count(), queue: queue())
    case 5: .delivered(sink: sink(), delivery(), removed: count(), queue: queue(), jitter: number())
    case 6: .token(outcome(), jitter: number())
    case 7: .activation(outcome(), jitter: number(), venue: pick([nil, venue()]))
    case 8:
      .venueTaken(venue(), isActivated: pick([true, false]), tokenEnd: pick([nil, instant()]), queues: [queue()])
    case 9: .consentTold(outcome(), jitter: number())
    default:
      device().map {
        .erasure(device: $0, sink: sink(), isDone: pick([true, false]), retryAfter: span(), jitter: number())
      }
        ?? .reopened
    }
  }

  mutating func event() -> ProviderEvent {
    switch random.nextIndex(below: 12) {
    case 8:
      .visit(
        Visit(
          coordinate: Coordinate(longitude: number(), latitude: number()), accuracy: number(),
          arrival: pick([nil, instant()]), departure: pick([nil, instant()])))
    case 9: .pausedPositioning
    case 10: .leftExitFence
    case 11: .foreground(pick([true, false]))
    case 0: .region(pick([.entered, .exited]))
    case 1: .leftWakeFence
    case 2: .permission(pick([.none, .whenInUse, .always]))
    case 3: .motion(pick([.still, .moving]))
    case 4: .floor(pick([nil, FloorOrdinal(0), FloorOrdinal(thousandths: .min), FloorOrdinal(thousandths: .max)]))
    case 5: .network(pick([.none, .metered, .unmetered]))
    default:
      .fix(
        Fix(
          coordinate: pick([
            Specimen.venue.place(east: 1, north: 0), Coordinate(longitude: number(), latitude: number()),
          ]),
          accuracy: pick([nil, 5, number()]), floor: pick([nil, FloorOrdinal(thousandths: .min)]), time: instant()))
    }
  }
}

@Suite("Forged reports")
struct ForgedReportTests {
  @Test(arguments: 0..<200)
  func anyReportIsHandledAndNoCounterWraps(seed: Int) throws {
    var liar = Liar(random: RandomStream(seed: UInt64(seed), stream: 1))
    var specimen = try Specimen(liar.pick(Phase.allCases))
    for _ in 0..<200 {
      specimen.now = specimen.now + .seconds(Int64(liar.random.nextIndex(below: 400)))
      if liar.random.nextIndex(below: 3) == 0 {
        specimen.tell(.provider(liar.event()))
      } else {
        specimen.complete(liar.completion())
      }
      let counts = specimen.monitor.state.accounting
      #expect(counts.onPhone <= counts.stored)
      #expect(counts.expired >= max(counts.expiredByAge, counts.expiredByRows))
      #expect(MonitorState(decoding: specimen.monitor.state.encoded())?.accounting == counts)
    }
    // Forged reports about the state of a file must not trap either.
    let monitor = Monitor(
      device: specimen.monitor.device, configuration: MonitorConfiguration(), state: specimen.monitor.state)
    #expect(monitor.state.accounting.held == 0)
  }

  @Test func countersSaturate() {
    var counts = Accounting()
    counts.stored = 3
    counts.erased = 14
    #expect(counts.onPhone == 0, "not 18446744073709551605")
    counts.expiredByAge = .max
    counts.expiredByRows = 1
    #expect(counts.expired == .max)
    counts[.outside] = .max
    counts[.future] = 1
    #expect(counts.refused == .max)
    counts.add(counts)
    #expect(counts.expiredByAge == .max)
    #expect(counts.stored == 6)
  }

  @Test(arguments: Phase.allCases)
  func aProviderCanNeitherConsentNorActivate(phase: Phase) throws {
    // A switch without a default: it lists every report that a provider may make.
    func reports(_ event: ProviderEvent) -> String {
      switch event {
      case .fix: "fix"
      case .region: "region"
      case .leftWakeFence: "left wake fence"
      case .permission: "permission"
      case .motion: "motion"
      case .floor: "floor"
      case .network: "network"
      case .visit: "visit"
      case .pausedPositioning: "paused positioning"
      case .leftExitFence: "left exit fence"
      case .foreground: "foreground"
      }
    }
    var liar = Liar(random: RandomStream(seed: 7, stream: 2))
    var specimen = try Specimen(phase)
    let before = specimen.monitor.state
    var seen: Set<String> = []
    for _ in 0..<300 {
      let event = liar.event()
      seen.insert(reports(event))
      specimen.tell(.provider(event))
      let state = specimen.monitor.state
      #expect(state.consent == before.consent && state.isActivated == before.isActivated)
      #expect(state.erasures == before.erasures && state.accounting.erased == before.accounting.erased)
      #expect(specimen.monitor.device == DeviceID("phone"))
    }
    #expect(seen.count == 11)
  }
}
