import CordonCore
import CordonMonitoring
import CordonTesting
import Testing

/// The rule for effects that appear while effects are performed, see `Runtime.perform`.
@Suite("The order of effects")
struct EffectOrderTests {
  /// A phone in the venue with rows, without a network.
  private func phoneWithRows() throws -> (TestPhone, FaultyStore) {
    var configuration = MonitorConfiguration()
    configuration.thinning = .zero
    configuration.maximumAge = .minutes(50)
    configuration.sinks = [Sink(.cordon, needsActivation: false)]
    let store = FaultyStore(MemoryStore())
    let phone = try TestPhone(configuration: configuration, store: store)
    phone.consentAndStart()
    phone.send(.network(.none))
    phone.enter()
    phone.stay(at: (east: 1, north: 1), for: .minutes(1))
    return (phone, store)
  }

  /// The same phone after its process slept: its rows are too old, and everything is due at once when it wakes.
  private func phoneWithOldRows() throws -> (TestPhone, FaultyStore) {
    let (phone, store) = try phoneWithRows()
    phone.sleep(.hours(2))
    return (phone, store)
  }

  @Test func effectsThatFollowComeLastAndInTheSameTransaction() throws {
    let (phone, store) = try phoneWithOldRows()
    let rows = phone.accounting.onPhone
    #expect(rows > 5)
    let before = phone.notices.count
    var calls: [String] = []
    store.onWrite = { calls.append($0) }
    phone.leave()
    store.onWrite = nil
    // The rows were deleted first, but the notice of it follows from the deletion: it waits for all that was there.
    #expect(phone.notices.dropFirst(before).suffix(2) == [.phase(.armed), .expired(.age, count: Int(rows))])
    // One transaction; the state is written last.
    #expect(calls.first == "begin" && calls.suffix(2) == ["save state", "commit"])
    #expect(calls.count { $0 == "begin" } == 1 && calls.count { $0 == "commit" } == 1 && calls.contains("expire"))
    // The state that was written counts what followed.
    let record = try #require(try store.device(phone.runtime.device))
    #expect(MonitorState(decoding: record.state)?.accounting.expiredByAge == rows)
  }

  @Test(arguments: ["begin", "expire", "save state", "commit"])
  func whenOneEffectFailsNoneHappened(call: String) throws {
    let (phone, store) = try phoneWithOldRows()
    let (rows, before) = (phone.accounting.onPhone, phone.notices.count)
    let failure = StoreError(.full, "scripted")
    store.onWrite = { [unowned store] in store.failure = $0 == call ? failure : store.failure }
    phone.leave()
    #expect(phone.notices.dropFirst(before).contains(.storeFailed(failure)))
    #expect(phone.accounting.expired == 0 && phone.accounting.onPhone == rows)
    #expect(try store.locations(of: phone.runtime.device).count == Int(rows))
    // It happens once the store works again.
    store.onWrite = nil
    store.failure = nil
    phone.wait(.minutes(5))
    #expect(phone.accounting.expiredByAge == rows && phone.accounting.onPhone == 0)
  }

  @Test(arguments: ["begin", "expire", "save state", "commit"])
  func theProviderFollowsTheStateWhenAWriteFails(call: String) throws {
    let (healthy, _) = try phoneWithOldRows()
    let (phone, store) = try phoneWithOldRows()
    let before = (healthy.commands.count, phone.commands.count)
    healthy.leave()
    store.onWrite = { [unowned store] in store.failure = $0 == call ? StoreError(.full, "scripted") : store.failure }
    phone.leave()
    let expected = Array(healthy.commands.dropFirst(before.0))
    #expect(expected.contains(.stopPositioning))
    #expect(Array(phone.commands.dropFirst(before.1)) == expected)
    #expect(phone.notices.contains(.phase(.armed)) && phone.runtime.phase == healthy.runtime.phase)
  }

  @Test func aRequestIsGivenOutOnlyWithItsTransaction() throws {
    let (phone, store) = try phoneWithRows()
    let failure = StoreError(.full, "scripted")
    var calls: [String] = []
    store.onWrite = { [unowned store] in
      calls.append($0)
      if $0 == "commit" { store.failure = failure }
    }
    phone.send(.network(.unmetered))
    phone.send(.flush)
    #expect(calls.contains("lease") && phone.sink.batchCount == 0)
    store.onWrite = nil
    store.failure = nil
    phone.stay(at: (east: 1, north: 1), for: .minutes(30))
    #expect(phone.sink.batchCount > 0)
  }
}
