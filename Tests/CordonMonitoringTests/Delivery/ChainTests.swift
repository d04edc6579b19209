import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonTesting
import Testing

@Suite("A phone's day, through runtime, store and sink")
struct ChainTests {
  @Test func everyFixIsAccountedFor() throws {
    let phone = try TestPhone()
    phone.consentAndStart()
    #expect(phone.runtime.phase == .armed)
    for step in 0..<60 { phone.stay(at: (east: Double(step % 30), north: 2), for: .seconds(10)) }
    phone.stay(at: (east: 200, north: 0), for: .seconds(30))
    phone.leave()
    phone.send(.stop)
    let a = phone.accounting
    #expect(a.fixes == a.refused + a.thinned + a.held + a.stored)
    #expect(a.stored > 50)
    #expect(a.held == 0)
    #expect(a[.outside] > 0)
    #expect(a.acknowledged == a.stored)
    #expect(UInt64(phone.sink.count) == a.stored)
    #expect(phone.sink.locations.allSatisfy { phone.venue.judge($0.coordinate, floor: nil).isInside })
  }

  @Test func anHourSeatedIsOneLocation() throws {
    let phone = try TestPhone()
    phone.consentAndStart()
    let start = phone.now.wall
    phone.stay(at: (east: 3, north: 4), for: .minutes(60))
    phone.leave()
    let last = try #require(phone.sink.locations.last)
    let end = try #require(last.stillUntil)
    #expect(end - start >= .minutes(59))
    #expect(phone.sink.count < 70)
    let a = phone.accounting
    #expect(a.fixes == a.refused + a.thinned + a.held + a.stored)
    #expect(a.onPhone == 0)
  }

  @Test func unknownMotionIsNotRest() throws {
    let phone = try TestPhone()
    phone.consentAndStart()
    phone.stay(at: (east: 1, north: 0), for: .seconds(10))
    // No sensor reports motion; the fixes show it.
    for step in 0..<120 { phone.stay(at: (east: Double(step % 4) * 14 - 21, north: 2), for: .seconds(10)) }
    #expect(phone.runtime.phase == .tracking)
    #expect(!phone.notices.contains(.phase(.resting)))
  }
}
