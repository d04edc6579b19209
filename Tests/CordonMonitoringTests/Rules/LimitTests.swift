import CordonCore
import CordonMonitoring
import CordonTesting
import Testing

@Suite("Limits of what a phone keeps")
struct LimitTests {
  private let delivery = DeliveryTests()

  @Test func limitsRemoveAndReportTheOldestRows() throws {
    var bench = try delivery.makeBench(
      rows: 130,
      configuration: {
        $0.maximumRows = 100
        $0.flushAfter = nil
      }, DeliveryTests.all(.stored))
    let a = bench.runtime.accounting
    #expect(a.expiredByRows > 0 && a.onPhone <= 100)
    #expect(a.stored == a.onPhone + a.expired)
    let kept = try bench.store.locations(of: bench.runtime.device)
    #expect(kept.last?.time == bench.now.wall)
    bench.send(.network(.none))
    bench.wait(.days(15))
    #expect(bench.runtime.accounting.expiredByAge == UInt64(kept.count))
  }

  @Test func everyLimitReportsAnEvent() throws {
    for rule in [ExpiryRule.age, .rows, .bytes] {
      var bench = try delivery.makeBench(
        rows: 0,
        configuration: {
          $0.flushAfter = nil
          if rule == .rows { $0.maximumRows = 10 }
          if rule == .bytes { $0.maximumBytes = 10 * MonitorConfiguration.bytesPerRow }
          if rule == .age { $0.maximumAge = .hours(1) }
        }, DeliveryTests.all(.stored))
      bench.send(.network(.none))
      var told: [MonitorNotice] = []
      for index in 0..<14 {
        bench.now = bench.now + .seconds(5)
        let place = delivery.venue.place(east: Double(index % 20), north: 3)
        told += bench.sendListening(.fix(Fix(coordinate: place, accuracy: 5, time: bench.now.wall)))
      }
      let end = ClockReading(virtual: delivery.start + .hours(3))
      while let time = bench.driver.nextWake(by: end) {
        bench.now = time
        told += bench.sendListening(.wake)
      }
      let counts = told.compactMap { notice -> Int? in
        guard case .expired(let named, let count) = notice else { return nil }
        #expect(named == rule)
        return count
      }
      #expect(!counts.isEmpty, "\(rule)")
      #expect(UInt64(counts.reduce(0, +)) == bench.runtime.accounting.expired, "\(rule)")
    }
  }

  /// Rows that could not be deleted while the disk was full are deleted soon after, not an hour later.
  @Test func aFullDiskDelaysExpiryByAMinute() throws {
    var configuration = MonitorConfiguration()
    configuration.sinks = [Sink(.cordon, needsActivation: false)]
    configuration.maximumAge = .minutes(20)
    let store = FaultyStore(MemoryStore())
    let phone = try TestPhone(configuration: configuration, store: store)
    phone.isOnline = false
    phone.consentAndStart()
    phone.stay(at: (east: 1, north: 0), for: .minutes(10))
    phone.wait(.minutes(40))
    store.failure = StoreError(.full, "no room")
    phone.wait(.minutes(30))
    #expect(phone.accounting.expiredByAge == 0)
    store.failure = nil
    phone.wait(.minutes(3))
    #expect(phone.accounting.expiredByAge > 0)
    let rows = try store.locations(of: phone.runtime.device)
    #expect(rows.allSatisfy { $0.time >= phone.now.wall - .minutes(24) })
  }

  @Test func aStayContinuesAfterItsRowExpired() throws {
    var configuration = MonitorConfiguration()
    configuration.sinks = [Sink(.cordon, needsActivation: false)]
    configuration.maximumAge = .minutes(20)
    let store = MemoryStore()
    let phone = try TestPhone(configuration: configuration, store: store)
    phone.isOnline = false
    phone.consentAndStart()
    phone.stay(at: (east: 1, north: 0), for: .minutes(5 * 60 + 30))
    #expect(phone.accounting.expiredByAge > 0)
    #expect(phone.accounting.acknowledged == 0)
    let rows = try store.locations(of: phone.runtime.device)
    #expect(Int(phone.accounting.onPhone) == rows.count)
    let last = try #require(rows.last)
    #expect((last.stillUntil ?? last.time) > phone.now.wall - .minutes(10), "the stay is still being recorded")
  }
}
