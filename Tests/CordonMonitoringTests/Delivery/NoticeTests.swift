import CordonCore
import CordonMonitoring
import CordonTestSupport
import CordonTesting
import Testing

/// Exposure notices on the device: once, until they expire, never after a withdrawal.
@Suite("Exposure notices")
struct NoticeTests {
  private static func notice(_ id: Int64, days: Int64 = 14) -> ExposureNotice {
    ExposureNotice(
      id: id, template: "test", day: "2025-12-30", advice: "Call 555.", created: .testStart,
      expires: .testStart + .days(days))
  }

  private static func makePhone(
    _ store: any Store = MemoryStore(), _ sink: InProcessSink = InProcessSink(needsToken: true)
  ) throws -> TestPhone {
    sink.inviteCodes = ["CODE"]
    var configuration = MonitorConfiguration()
    configuration.sinks = [
      Sink(.cordon, abilities: [.activation, .consent, .erasure, .proofs, .notices])
    ]
    let phone = try TestPhone(configuration: configuration, store: store, sink: sink, start: .testStart)
    phone.consentAndStart()
    phone.activate(inviteCode: "CODE")
    return phone
  }

  private static func arrived(_ phone: TestPhone) -> [Int64] {
    phone.notices.compactMap { if case .exposure(let notice) = $0 { notice.id } else { nil } }
  }

  private static func visit(_ phone: TestPhone) {
    phone.stay(at: (east: 1, north: 0), for: .minutes(20))
    phone.leave()
    phone.wait(.minutes(20))
  }

  @Test func aNoticeArrivesOnceAfterADelivery() throws {
    let store = MemoryStore()
    let phone = try Self.makePhone(store)
    let device = phone.runtime.device
    phone.wait(.hours(1))
    phone.sink.notices[device] = [Self.notice(1)]
    Self.visit(phone)
    #expect(Self.arrived(phone) == [1])
    let held = phone.runtime.exposureNotices(at: phone.now.wall)
    #expect(held.map(\.day) == ["2025-12-30"] && held.first?.advice == "Call 555.")
    #expect(try #require(held.first).received > .testStart + .hours(1))
    Self.visit(phone)
    phone.send(.woken)
    #expect(Self.arrived(phone) == [1])
    // A new process reads it from the store, and reports nothing.
    let next = try TestPhone(store: store, sink: phone.sink, start: phone.now.wall)
    #expect(next.runtime.exposureNotices(at: next.now.wall).map(\.id) == [1])
    #expect(Self.arrived(next).isEmpty)
  }

  @Test func requestsAreAQuarterOfAnHourApart() throws {
    let phone = try Self.makePhone()
    let device = phone.runtime.device
    phone.wait(.hours(1))
    phone.send(.woken)
    phone.sink.notices[device] = [Self.notice(1)]
    phone.send(.woken)
    phone.wait(.minutes(10))
    #expect(Self.arrived(phone).isEmpty, "ten minutes after the last request")
    phone.wait(.minutes(6))
    #expect(Self.arrived(phone) == [1], "the runtime has a timer for it")
  }

  @Test func aSinkWithoutNoticesIsNotAsked() throws {
    let sink = InProcessSink(needsToken: true)
    sink.inviteCodes = ["CODE"]
    let phone = try TestPhone(sink: sink)
    phone.consentAndStart()
    phone.activate(inviteCode: "CODE")
    phone.sink.notices[phone.runtime.device] = [Self.notice(1)]
    Self.visit(phone)
    #expect(Self.arrived(phone).isEmpty)
  }

  @Test func anAcknowledgementReachesTheServerLater() throws {
    let phone = try Self.makePhone()
    let device = phone.runtime.device
    phone.sink.notices[device] = [Self.notice(1)]
    Self.visit(phone)
    phone.isOnline = false
    phone.send(.acknowledge(1))
    phone.send(.acknowledge(7))
    #expect(phone.runtime.exposureNotices(at: phone.now.wall).first?.status(at: phone.now.wall) == .acknowledged)
    phone.wait(.minutes(5))
    #expect(phone.sink.notices[device]?.first?.acknowledged == nil)
    phone.isOnline = true
    phone.wait(.minutes(20))
    Self.visit(phone)
    #expect(phone.sink.notices[device]?.first?.acknowledged != nil)
    #expect(phone.runtime.exposureNotices(at: phone.now.wall).first?.isAcknowledgementSent == true)
  }

  /// A case that is deleted takes its notices along; the server then refuses their acknowledgements.
  @Test func aRefusedAcknowledgementHoldsUpNoOther() throws {
    let phone = try Self.makePhone()
    let device = phone.runtime.device
    phone.sink.notices[device] = [Self.notice(1), Self.notice(2)]
    Self.visit(phone)
    #expect(Self.arrived(phone) == [1, 2])
    phone.sink.notices[device] = [Self.notice(2)]
    phone.send(.acknowledge(1))
    phone.send(.acknowledge(2))
    phone.wait(.hours(1))
    #expect(phone.sink.notices[device]?.first?.acknowledged != nil)
  }

  @Test func anExpiredNoticeIsDeleted() throws {
    let store = MemoryStore()
    let phone = try Self.makePhone(store)
    phone.sink.notices[phone.runtime.device] = [Self.notice(1, days: 1), Self.notice(2, days: 3)]
    Self.visit(phone)
    #expect(phone.runtime.exposureNotices(at: phone.now.wall).count == 2)
    phone.wait(.days(1))
    #expect(try store.devices().first?.notices.map(\.id) == [2])
    #expect(try #require(phone.nextTimer) > .zero)
  }

  @Test func aWithdrawalDeletesNotices() throws {
    let store = MemoryStore()
    let phone = try Self.makePhone(store)
    let device = phone.runtime.device
    phone.sink.notices[device] = [Self.notice(1)]
    Self.visit(phone)
    phone.withdraw()
    #expect(phone.runtime.device != device)
    #expect(try store.devices().allSatisfy(\.notices.isEmpty))
    #expect(phone.sink.notices[device] == nil)
  }

  @Test func anUnprovedNoticeIsIgnored() throws {
    let forged = SinkResponse.Body.notices([Self.notice(666)])
    let start = DeliveryTests().start
    let sink = InProcessSink(needsToken: true)
    sink.inviteCodes = ["CODE"]
    sink.tokenLifetime = .days(2)
    var bench = try DeliveryTests().makeBench(
      rows: 5, activated: true,
      configuration: { $0.sinks = [Sink(.cordon, abilities: [.activation, .proofs, .notices])] }
    ) { request in
      if case .notices = request.body { return SinkResponse(number: request.number, status: 200, body: forged) }
      return sink.handle(request, now: start)
    }
    bench.send(.flush)
    bench.wait(.hours(1))
    #expect(bench.script.requests.contains { if case .notices = $0.body { true } else { false } })
    #expect(bench.runtime.exposureNotices(at: start).isEmpty)
  }

  /// A store that cannot be written reports no notice; it arrives when the store can be written again.
  @Test func aNoticeThatCannotBeWrittenArrivesLater() throws {
    let store = FaultyStore(MemoryStore())
    let phone = try Self.makePhone(store)
    phone.wait(.hours(1))
    phone.sink.notices[phone.runtime.device] = [Self.notice(1)]
    store.failure = StoreError(.full, "no room")
    phone.send(.woken)
    phone.wait(.minutes(16))
    #expect(Self.arrived(phone).isEmpty)
    #expect(phone.runtime.exposureNotices(at: phone.now.wall).isEmpty)
    store.failure = nil
    Self.visit(phone)
    #expect(Self.arrived(phone) == [1])
  }
}
