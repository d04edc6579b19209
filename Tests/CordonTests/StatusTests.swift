import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonTesting
import Testing

@testable import Cordon

/// The explanation of missing data: every cause has its code, a sentence and a remedy in the snapshot.
@Suite("The status snapshot")
struct StatusTests {
  /// A phone and its status.
  final class Asked {
    let phone: TestPhone
    var record = DeliveryRecord()
    /// The issues that a location provider would report.
    var issues: [MonitorIssue] = []
    /// The end of its stream.
    var end: MonitorStatus.ProviderEnd?
    /// The sinks with an endpoint.
    var endpoints: Set<SinkID>? = [.cordon]

    let venue = SmallVenue()

    init(
      needsToken: Bool = false, knowsVenue: Bool = true, store: any Store = MemoryStore(),
      configuration change: (inout MonitorConfiguration) -> Void = { _ in }
    ) throws {
      let sink = InProcessSink(needsToken: needsToken)
      sink.inviteCodes = ["CODE"]
      var configuration = MonitorConfiguration()
      configuration.sinks = [Sink(.cordon, needsActivation: needsToken)]
      change(&configuration)
      phone = try TestPhone(in: venue, configuration: configuration, store: store, sink: sink, isVenueKnown: knowsVenue)
    }

    var status: MonitorStatus { MonitorStatus(phone.runtime, record, around, at: phone.now) }
    private var around: MonitorStatus.Surroundings { .init(endpoints: endpoints, issues: issues, providerEnd: end) }

    func answers(_ status: Int, from sink: SinkID = .cordon) {
      record.note(
        SinkResponse(number: 1, status: status), to: .positions([], token: nil), from: sink, at: phone.now.wall)
    }

    func record(_ count: Int) {
      phone.send(.region(.entered))
      for step in 0..<count {
        phone.wait(.seconds(6))
        phone.fix(at: (east: Double(step), north: 1))
      }
    }
  }

  private func expect(_ code: String, _ asked: Asked, _ place: SourceLocation = #_sourceLocation) {
    let status = asked.status
    #expect(status.issues.map(\.code).contains(code), "\(status.issues.map(\.code))", sourceLocation: place)
    for issue in status.issues {
      #expect(issue.sentence.hasSuffix(".") && issue.remedy.hasSuffix("."), "\(issue)", sourceLocation: place)
    }
    #expect(status.sentence == status.issues.first?.sentence, sourceLocation: place)
    #expect(status.remedy == status.issues.first?.remedy, sourceLocation: place)
  }

  @Test func consentAndActivation() throws {
    let asked = try Asked(needsToken: true)
    expect("off", asked)
    asked.phone.send(.start)
    expect("no-consent", asked)
    asked.phone.send(.consent(Consent(version: "1", purposes: .record, time: asked.phone.now.wall)))
    expect("no-consent-to-share", asked)
    expect("not-activated", asked)
    asked.phone.send(.consent(Consent(version: "1", purposes: .share, time: asked.phone.now.wall)))
    asked.record.note(MonitorNotice.inviteRefused)
    expect("invite-refused", asked)
    asked.phone.send(.invite(code: "CODE"))
    asked.record.note(
      SinkResponse(number: 2, status: 200, body: .activated(secret: "s", venue: nil)),
      to: .activate(code: "CODE", type: "phone"),
      from: .cordon, at: .epoch)
    #expect(asked.status.issues.isEmpty)
    #expect(asked.status.isActivated && asked.status.consent?.purposes == [.record, .share])
  }

  @Test func permissionAndTheSystem() throws {
    let asked = try Asked()
    asked.phone.consentAndStart()
    #expect(asked.status.issues.isEmpty)
    asked.phone.send(.permission(.none))
    expect("no-permission", asked)
    asked.phone.send(.permission(.whenInUse))
    expect("when-in-use", asked)
    #expect(asked.status.permission == .whenInUse)
    asked.phone.send(.permission(.always))
    // The provider's own issues are passed on unchanged.
    for code in ["reduced-accuracy", "background-refresh-off", "region-failed"] {
      asked.issues = [MonitorIssue(code, "So it is.", remedy: "Do that.")]
      expect(code, asked)
    }
    asked.issues = []
    asked.phone.send(.pause(until: nil))
    expect("paused", asked)
  }

  /// Without a venue, positions outside are needed: a receiver that delivers nothing is reported.
  @Test func theProviderIsReportedOutsideOfVenues() throws {
    let asked = try Asked(knowsVenue: false) { configuration in
      configuration.everywhere = TrackingPolicy()
      configuration.sinks = [Sink(.overland, purposes: .everywhere)]
    }
    asked.endpoints = [.overland]
    asked.phone.send(
      .consent(Consent(version: "1", purposes: [.record, .share, .everywhere], time: asked.phone.now.wall)))
    asked.phone.send(.start)
    #expect(asked.status.phase == .needsVenue)
    #expect(asked.status.issues.isEmpty && asked.status.sentence.hasPrefix("Recording."))
    asked.issues = [MonitorIssue("no-gpsd", "There is no connection to gpsd.", remedy: "Start gpsd.")]
    expect("no-gpsd", asked)
    asked.issues = []
    asked.end = .finished
    expect("provider-ended", asked)
  }

  @Test func theGeofenceAndTheFixes() throws {
    let asked = try Asked()
    asked.phone.consentAndStart()
    #expect(asked.status.phase == .armed)
    #expect(asked.status.sentence.contains("Waiting to enter the venue") && asked.status.remedy == nil)
    asked.phone.send(.region(.entered))
    expect("no-fixes", asked)
    asked.phone.accuracy = 120
    asked.phone.wait(.seconds(10))
    asked.phone.fix(at: (east: 1, north: 1))
    expect("refused-too_inaccurate", asked)
    #expect(asked.status.accounting[.tooInaccurate] == 1)
    asked.phone.accuracy = 5
    for step in 0..<4 {
      asked.phone.wait(.seconds(6))
      asked.phone.fix(at: (east: Double(step), north: 1))
    }
    #expect(asked.status.issues.isEmpty && asked.status.lastKept != nil)
    #expect(asked.status.sentence.hasPrefix("Recording."))
  }

  /// Every reason has its remedy: a new one cannot be forgotten.
  @Test(arguments: RefusalReason.allCases) func everyRefusalHasARemedy(reason: RefusalReason) {
    #expect(reason.remedy.hasSuffix("."))
  }

  @Test func deliveryWithTheAgeOfTheQueue() throws {
    let asked = try Asked()
    asked.phone.consentAndStart()
    asked.phone.isOnline = false
    asked.record(10)
    asked.phone.wait(.minutes(12))
    for (status, code) in [(0, "offline"), (401, "token-refused"), (403, "forbidden"), (503, "server-fault")] {
      asked.answers(status)
      expect(code, asked)
    }
    let waiting = asked.status
    #expect(waiting.accounting.onPhone > 5)
    let oldest = try #require(waiting.queues.first?.oldest)
    #expect(waiting.time - oldest >= .minutes(12))
    #expect(waiting.lastAnswer?.status == 503 && waiting.lastDelivery == nil)
    asked.phone.isOnline = true
    asked.phone.wait(.hours(1))
    let done = asked.phone.now.wall
    asked.record.note(
      SinkResponse(number: 3, status: 207, body: .rows([])), to: .positions([], token: nil), from: .cordon, at: done)
    #expect(asked.status.lastDelivery == done)
    #expect(!asked.status.issues.contains { ["offline", "server-fault"].contains($0.code) })
    asked.phone.sink.judge = { _ in .refused(reason: "no") }
    asked.record(3)
    asked.phone.send(.flush)
    asked.phone.wait(.hours(1))
    expect("quarantined", asked)
    asked.phone.isOnline = false
    asked.phone.send(.withdraw)
    expect("erasure-pending", asked)
  }

  @Test(arguments: [
    (StoreError.Kind.full, "disk-full"), (.locked, "store-locked"), (.failed, "store-failed"),
  ])
  func theStoreAndTheLastError(kind: StoreError.Kind, code: String) throws {
    let asked = try Asked(store: FaultyStore(MemoryStore()))
    asked.phone.consentAndStart()
    let store = try #require(asked.phone.store as? FaultyStore)
    #expect(!asked.phone.runtime.hasLeftovers)
    store.failure = StoreError(kind, "it says so")
    asked.phone.send(.pause(until: nil))
    for case .storeFailed(let error) in asked.phone.notices { asked.record.note(.storeFailed(error)) }
    expect(code, asked)
    #expect(asked.status.lastError?.kind == kind)
    #expect(asked.status.hasUnfinishedWrites)
    // Without other events the write is repeated by itself, until it succeeds.
    asked.phone.wait(.minutes(3))
    #expect(asked.status.hasUnfinishedWrites)
    store.failure = nil
    asked.phone.wait(.minutes(1))
    #expect(!asked.status.hasUnfinishedWrites)
    // Parts of the failed write may lie in the files.
    #expect(asked.phone.runtime.hasLeftovers)
    asked.phone.wait(.hours(1))
    #expect(!asked.phone.runtime.hasLeftovers)
  }
}
