import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonTesting
import Testing

@Suite("Consent first, and last")
struct ConsentTests {
  @Test func permissionWithoutConsentStartsNothing() throws {
    let phone = try TestPhone()
    phone.send(.permission(.always))
    phone.send(.start)
    phone.send(.region(.entered))
    #expect(phone.fix(at: (east: 1, north: 0)) == .refused(.noConsent))
    #expect(phone.runtime.phase == .needsConsent)
    #expect(phone.commands.isEmpty)
    #expect(phone.accounting.stored == 0)
  }

  @Test func withdrawalStopsWipesAndErases() throws {
    let store = MemoryStore()
    let sink = InProcessSink(needsToken: true)
    sink.inviteCodes = ["CODE"]
    let phone = try TestPhone(store: store, sink: sink)
    phone.consentAndStart()
    phone.send(.invite(code: "CODE"))
    for step in 0..<20 { phone.stay(at: (east: Double(step), north: 0), for: .seconds(20)) }
    phone.send(.flush)
    let device = phone.runtime.device
    #expect(sink.count > 0)
    phone.isOnline = false
    for step in 0..<20 { phone.stay(at: (east: Double(step), north: 0), for: .seconds(20)) }
    phone.send(.withdraw)
    #expect(phone.commands.last == .unwatchRegion)
    #expect(try store.devices().allSatisfy { $0.id != device })
    #expect(try store.locations(of: phone.runtime.device).isEmpty)
    #expect(phone.fix(at: (east: 1, north: 0)) == .refused(.noConsent))
    #expect(sink.count > 0, "offline, the server still has its rows")
    phone.wait(.hours(3))
    phone.isOnline = true
    phone.wait(.hours(1))
    #expect(sink.erased == [device])
    #expect(sink.count == 0)
    #expect(phone.notices.contains(.erased(device)))
    // Rows that arrive after the erasure are refused.
    let place = phone.venue.place(east: 1, north: 1)
    let late = Location(
      id: FixID(device: device, time: phone.now.wall, coordinate: place, accuracy: 5, floor: nil), device: device,
      venue: phone.venue.venue, coordinate: place, accuracy: 5, floor: nil, time: phone.now.wall)
    let request = SinkRequest(number: 1, device: device, sink: .cordon, body: .positions([late], token: nil))
    #expect(sink.handle(request, now: phone.now.wall).status == 410)
    #expect(sink.count == 0)
  }

  /// A phone of a server that requires invite codes, and its unanswered activation request.
  static func activating() throws -> (TestPhone, SinkRequest) {
    let sink = InProcessSink(needsToken: true)
    sink.inviteCodes = ["CODE"]
    let phone = try TestPhone(store: MemoryStore(), sink: sink)
    phone.consentAndStart()
    var output = MonitorOutput()
    phone.runtime.step(phone.now, .invite(code: "CODE"), into: &output)
    let request = try #require(output.requests.first { if case .activate = $0.body { true } else { false } })
    return (phone, request)
  }

  static func erasure(_ output: MonitorOutput) -> SinkRequest? {
    output.requests.first { if case .erase = $0.body { true } else { false } }
  }

  @Test func unprovableErasuresAreNotRequestedForever() throws {
    let (phone, request) = try Self.activating()
    var output = MonitorOutput()
    phone.runtime.step(phone.now, response: SinkResponse(number: request.number, status: 503), into: &output)
    phone.runtime.step(phone.now, .withdraw, into: &output)
    let erasure = try #require(Self.erasure(output))
    #expect(erasure.body == .erase(secret: nil))
    phone.runtime.step(phone.now, response: SinkResponse(number: erasure.number, status: 403), into: &output)
    #expect(phone.runtime.monitor.state.erasures.isEmpty)
  }

  @Test func erasuresOfNeverActivatedDevicesEnd() throws {
    let (phone, request) = try Self.activating()
    var output = MonitorOutput()
    phone.runtime.step(phone.now, response: phone.sink.handle(request, now: phone.now.wall), into: &output)
    phone.stay(at: (east: 1, north: 0), for: .minutes(2))
    phone.send(.flush)
    let first = phone.runtime.device
    #expect(phone.sink.count > 0)
    phone.send(.withdraw)
    #expect(phone.sink.erased == [first])
    // The next pseudonym never reaches an activation.
    phone.consentAndStart()
    output.removeAll()
    let second = phone.runtime.device
    #expect(second != first)
    phone.runtime.step(phone.now, .withdraw, into: &output)
    let erasure = try #require(Self.erasure(output))
    #expect(erasure.device == second)
    phone.runtime.step(phone.now, response: SinkResponse(number: erasure.number, status: 403), into: &output)
    #expect(phone.runtime.monitor.state.erasures.isEmpty, "nothing can prove it, and there is nothing")
  }

  /// The pseudonym stays the same until a withdrawal is written: the second withdrawal concerns the same one.
  @Test func twoWithdrawalsOnAFullDiskAreOneErasure() throws {
    let store = FaultyStore(MemoryStore())
    let sink = InProcessSink(needsToken: true)
    sink.inviteCodes = ["CODE"]
    let phone = try TestPhone(store: store, sink: sink)
    phone.consentAndStart()
    phone.send(.invite(code: "CODE"))
    phone.stay(at: (east: 1, north: 0), for: .minutes(2))
    phone.send(.flush)
    let device = phone.runtime.device
    #expect(sink.count > 0)
    store.failure = StoreError(.full, "no room")
    phone.send(.withdraw)
    phone.send(.consent(Consent(version: "test", time: phone.now.wall)))
    phone.send(.withdraw)
    #expect(sink.erased.isEmpty)
    store.failure = nil
    phone.wait(.hours(2))
    #expect(sink.erased == [device])
    #expect(phone.runtime.monitor.state.erasures.isEmpty)
  }

  /// The response to an activation arrives after the withdrawal: its secret proves the erasure to the sink that gave it,
  /// wherever that sink stands among the others.
  @Test func aLateSecretGoesToItsOwnSink() throws {
    let archive = Sink(SinkID(number: 20), needsActivation: false, abilities: .erasure)
    var bench = try DeliveryTests().makeBench(rows: 0, configuration: { $0.sinks = [archive, Sink(.cordon)] }) {
      if case .activate = $0.body { nil } else { SinkResponse(number: $0.number, status: 503) }
    }
    bench.send(.invite(code: "CODE"))
    let activation = try #require(bench.script.requests.last)
    bench.send(.withdraw)
    bench.driver.receive(
      SinkResponse(
        number: activation.number, status: 200, body: .activated(secret: "secret", venue: nil), isProved: true))
    bench.wait(.minutes(30))
    let erasures = bench.script.requests.filter { if case .erase = $0.body { true } else { false } }
    #expect(erasures.last { $0.sink == .cordon }?.body == .erase(secret: "secret"))
    #expect(erasures.last { $0.sink == archive.id }?.body == .erase(secret: nil))
  }

  /// Requests that are given up and others that are due when the person withdraws, in one step of a phone that slept.
  @Test func nothingIsSentWithAWithdrawal() throws {
    let archive = SinkID(number: 1)
    var bench = try DeliveryTests().makeBench(
      configuration: { $0.sinks = [Sink(.cordon, needsActivation: false), Sink(archive, needsActivation: false)] },
      { request in
        request.sink == archive ? SinkResponse(number: request.number, status: 503) : nil
      })
    bench.send(.flush)
    // One gets no answer, the other is to be repeated.
    #expect(Set(bench.script.requests.map(\.sink)) == [.cordon, archive])
    bench.now = bench.now + .hours(2)
    bench.driver.step(.withdraw)
    let sent = bench.driver.output.requests.contains { if case .positions = $0.body { true } else { false } }
    #expect(!sent)
    let stored = try bench.store.devices().flatMap { device in try bench.store.locations(of: device.id) }
    #expect(stored.isEmpty)
  }

  /// A device that was activated may have rows there, so its erasure is requested until there is a receipt.
  @Test func erasuresOfActivatedDevicesAreRequestedUntilConfirmed() throws {
    let (phone, request) = try Self.activating()
    var output = MonitorOutput()
    phone.runtime.step(phone.now, response: phone.sink.handle(request, now: phone.now.wall), into: &output)
    let device = phone.runtime.device
    phone.runtime.step(phone.now, .withdraw, into: &output)
    let erasure = try #require(Self.erasure(output))
    phone.runtime.step(phone.now, response: SinkResponse(number: erasure.number, status: 403), into: &output)
    let state = phone.runtime.monitor.state
    #expect(state.erasures.map(\.device) == [device])
    #expect(MonitorState(decoding: state.encoded())?.erasures.map(\.device) == [device])
  }

  /// The second format did not record whether a server ever accepted the device: acknowledged rows show it.
  @Test func aStateOfTheSecondFormatAssumesTheWorst() throws {
    for acknowledged: UInt64 in [0, 3] {
      var state = MonitorState()
      state.accounting.acknowledged = acknowledged
      var bytes = state.encoded()
      bytes[0] = 2
      let read = try #require(MonitorState(decoding: bytes))
      #expect(read.wasActivated == (acknowledged > 0))
      #expect(read.accounting == state.accounting)
    }
  }

  @Test func aLateActivationProvesTheErasure() throws {
    let (phone, request) = try Self.activating()
    let device = phone.runtime.device
    var output = MonitorOutput()
    phone.runtime.step(phone.now, .withdraw, into: &output)
    let first = try #require(Self.erasure(output))
    phone.runtime.step(phone.now, response: SinkResponse(number: first.number, status: 403), into: &output)
    #expect(phone.runtime.monitor.state.erasures.map(\.device) == [device], "the answer may still bring the secret")
    let answer = phone.sink.handle(request, now: phone.now.wall)
    phone.runtime.step(phone.now, response: answer, into: &output)
    #expect(phone.runtime.monitor.state.isActivated == false, "the new name is nobody's yet")
    phone.wait(.hours(1))
    #expect(phone.sink.erased == [device])
    #expect(phone.runtime.monitor.state.erasures.isEmpty)
  }

  @Test func anUnprovedAnswerIsNotAReceipt() throws {
    let (phone, request) = try Self.activating()
    let device = phone.runtime.device
    var output = MonitorOutput()
    phone.runtime.step(phone.now, response: phone.sink.handle(request, now: phone.now.wall), into: &output)
    phone.runtime.step(phone.now, .withdraw, into: &output)
    let erasure = try #require(Self.erasure(output))
    phone.runtime.step(phone.now, response: SinkResponse(number: erasure.number, status: 410), into: &output)
    #expect(phone.runtime.monitor.state.erasures.map(\.device) == [device])
    phone.wait(.hours(1))
    #expect(phone.sink.erased == [device])
  }

  @Test func aWithdrawalStoresNothingFirst() throws {
    let phone = try TestPhone()
    phone.consentAndStart()
    phone.stay(at: (east: 1, north: 0), for: .minutes(1))
    phone.fix(at: (east: 1, north: 0))
    #expect(phone.accounting.held == 1)
    phone.sleep(.minutes(10))
    let stored = phone.accounting.stored
    phone.send(.withdraw)
    #expect(phone.accounting.stored == stored, "what was held is due, and is dropped")
    #expect(phone.accounting.held == 0)
  }

  @Test func aNewConsentCreatesANewDevice() throws {
    let phone = try TestPhone()
    phone.consentAndStart()
    let device = phone.runtime.device
    phone.stay(at: (east: 1, north: 0), for: .minutes(2))
    phone.send(.withdraw)
    phone.consentAndStart()
    phone.stay(at: (east: 1, north: 0), for: .minutes(2))
    phone.leave()
    #expect(phone.runtime.device != device)
    #expect(phone.sink.count > 0)
    #expect(phone.sink.locations.allSatisfy { $0.device == phone.runtime.device })
  }

  @Test func recordingWithoutSharingSendsNothing() throws {
    let phone = try TestPhone()
    phone.send(.consent(Consent(version: "1", purposes: .record, time: phone.now.wall)))
    phone.send(.start)
    phone.stay(at: (east: 1, north: 0), for: .minutes(20))
    phone.send(.flush)
    #expect(phone.accounting.stored > 0)
    #expect(phone.sink.batchCount == 0)
  }

  @Test func pausingIsNotWithdrawing() throws {
    let phone = try FixRuleTests.tracking()
    phone.fix(at: (east: 1, north: 0))
    phone.send(.pause(until: nil))
    #expect(phone.accounting.onPhone == 1)
    #expect(phone.runtime.monitor.state.consent != nil)
    #expect(try FixRuleTests.rows(phone).count == 1)
  }

  @Test func theStateSurvivesTheProcess() throws {
    let store = MemoryStore()
    let first = try TestPhone(store: store)
    first.isOnline = false
    first.consentAndStart()
    first.stay(at: (east: 1, north: 0), for: .minutes(2))
    first.send(.withdraw)
    let written = try #require(try store.devices().first)
    #expect(MonitorState(decoding: written.state)?.erasures.count == 1)
    let second = try TestPhone(store: store, sink: first.sink, start: first.now.wall + .hours(1))
    #expect(second.runtime.device == first.runtime.device)
    #expect(second.runtime.monitor.state.consent == nil)
    second.wait(.hours(1))
    #expect(second.runtime.monitor.state.erasures.isEmpty)
    #expect(first.sink.erased.count == 1)
  }

  @Test func eachPurposeHasItsOwnVersion() throws {
    let phone = try TestPhone()
    let start = phone.now.wall
    phone.send(.consent(Consent(version: "record-1", purposes: .record, time: start)))
    phone.wait(.hours(1))
    phone.send(.consent(Consent(version: "share-3", purposes: .share, time: phone.now.wall)))
    let consent = try #require(phone.runtime.monitor.state.consent)
    #expect(consent.record == Consent.Grant(version: "record-1", time: start))
    #expect(consent.share == Consent.Grant(version: "share-3", time: start + .hours(1)))
    #expect(MonitorState(decoding: phone.runtime.monitor.state.encoded()) == phone.runtime.monitor.state)
  }

  @Test func eachConsentIsReportedToTheServer() throws {
    let sink = InProcessSink(needsToken: true)
    sink.inviteCodes = ["CODE"]
    let phone = try TestPhone(sink: sink)
    phone.consentAndStart()
    #expect(sink.consents.isEmpty, "nothing leaves before the device is activated")
    phone.isOnline = false
    phone.send(.invite(code: "CODE"))
    phone.wait(.minutes(5))
    phone.isOnline = true
    phone.wait(.minutes(30))
    #expect(sink.consents[phone.runtime.device]?.share?.version == "test")
    phone.send(.consent(Consent(version: "2", time: phone.now.wall)))
    phone.wait(.minutes(1))
    #expect(sink.consents[phone.runtime.device]?.record?.version == "2")
  }

  /// A server deletes a consent with its activation: the phone reports it again with the next one.
  @Test func aNewActivationReportsTheConsentAgain() throws {
    let sink = InProcessSink(needsToken: true)
    sink.inviteCodes = ["CODE"]
    let phone = try TestPhone(sink: sink)
    phone.consentAndStart()
    phone.send(.invite(code: "CODE"))
    phone.wait(.minutes(5))
    #expect(sink.consents[phone.runtime.device] != nil)
    sink.deactivate(phone.runtime.device)
    phone.stay(at: (east: 1, north: 0), for: .hours(2))
    #expect(phone.runtime.phase == .needsActivation)
    #expect(sink.consents.isEmpty)
    phone.send(.invite(code: "CODE"))
    phone.wait(.hours(1))
    #expect(sink.consents[phone.runtime.device]?.share?.version == "test")
    #expect(phone.accounting.onPhone == 0)
  }

  @Test func aConsentToRecordingAloneIsNotReported() throws {
    let sink = InProcessSink()
    let phone = try TestPhone(sink: sink)
    phone.send(.consent(Consent(version: "1", purposes: .record, time: phone.now.wall)))
    phone.send(.start)
    phone.stay(at: (east: 1, north: 0), for: .minutes(20))
    #expect(sink.consents.isEmpty)
  }

  @Test func consentToSharingCanBeWithdrawnAlone() throws {
    let sink = InProcessSink(needsToken: true)
    sink.inviteCodes = ["CODE"]
    let phone = try TestPhone(sink: sink)
    phone.consentAndStart()
    phone.send(.invite(code: "CODE"))
    for step in 0..<10 { phone.stay(at: (east: Double(step * 2), north: 0), for: .seconds(20)) }
    phone.send(.flush)
    let sent = sink.count
    #expect(sent > 0)
    phone.send(.retract(.share))
    #expect(sink.consents[phone.runtime.device]?.purposes == .record, "the server receives the reduced consent")
    for step in 0..<10 { phone.stay(at: (east: Double(step * 2), north: 0), for: .seconds(20)) }
    phone.send(.flush)
    phone.wait(.hours(1))
    #expect(sink.count == sent)
    #expect(phone.accounting.onPhone > 0)
    phone.send(.consent(Consent(version: "2", purposes: .share, time: phone.now.wall)))
    phone.wait(.hours(1))
    #expect(phone.accounting.onPhone == 0)
    phone.send(.retract(.record))
    #expect(phone.runtime.monitor.state.consent == nil)
    #expect(sink.count == 0, "without recording there is nothing left to agree to: it is a withdrawal")
  }
}
