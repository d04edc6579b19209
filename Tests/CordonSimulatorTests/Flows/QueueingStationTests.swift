import CordonCore
import Testing

@testable import CordonCrowd

@Suite("Queueing stations")
struct QueueingStationTests {
  @Test func customersAreServedInOrderOfArrivalByTheServerThatWasFreeLongest() {
    var station = QueueingStation(servers: [.always, .always])
    for customer in 0..<4 { station.join(customer, at: 100) }
    let first = [station.callNext(at: 100), station.callNext(at: 100), station.callNext(at: 100)]
    #expect(first.map { $0?.customer } == [0, 1, nil] && first.map { $0?.server } == [0, 1, nil])
    #expect(station.waiting == [2, 3] && station.served == [0, 1])
    #expect(station.complete(1, at: 160) == 1)
    #expect(station.complete(0, at: 170) == 0)
    let next = station.callNext(at: 200)
    #expect(next == QueueingStation.Call(customer: 2, server: 1, waited: 100))
    #expect(station.server(of: 2) == 1 && station.server(of: 3) == nil)
    #expect(station.complete(3, at: 210) == nil)
  }

  @Test func appointmentsComeFirstInTheOrderOfTheirTimes() {
    var station = QueueingStation(servers: [.always], order: .appointment)
    station.join(0, at: 1_000)
    station.join(1, at: 1_100, appointment: 1_500)
    station.join(2, at: 1_200, appointment: 900)
    station.join(3, at: 1_300)
    #expect(station.waiting == [2, 0, 3, 1])
    var plain = QueueingStation(servers: [.always])
    plain.join(0, at: 1_000)
    plain.join(1, at: 1_100, appointment: 900)
    #expect(plain.waiting == [0, 1])
  }

  @Test func serversWorkWithinTheirHours() {
    let late = ServerHours([5_000..<9_000])
    var station = QueueingStation(servers: [late, ServerHours([0..<1_000, 6_000..<7_000])])
    let services = station.serve(
      [(500, 1_000), (600, 1_000), (700, 1_000), (800, 3_000), (900, 100), (8_999, 10)].map {
        QueueingStation.Visit(arrival: $0.0, duration: $0.1)
      })
    // The first service goes on after the hours of its server; the next ones wait for an opening.
    #expect(services == [500..<1_500, 5_000..<6_000, 6_000..<7_000, 6_000..<9_000, nil, nil])
    #expect(station.waiting == [4, 5] && !station.opens(from: 9_000) && station.opens(from: 8_999))
    #expect(station.record.longest == 4 && station.record.begun == 4 && station.record.joined == 6)
  }

  @Test func aCustomerWhoWithdrawsIsNotServed() {
    var station = QueueingStation(servers: [.always])
    for customer in 0..<3 { station.join(customer, at: 0) }
    let withdrew = [station.withdraw(1, at: 10), station.withdraw(1, at: 10)]
    #expect(withdrew == [true, false])
    let called = [station.callNext(at: 20)?.customer, station.callNext(at: 20)?.customer]
    #expect(called == [0, nil])
    station.complete(0, at: 50)
    #expect(station.callNext(at: 50)?.customer == 2)
    #expect(station.record.withdrawn == 1 && station.record.meanLength == (30 + 20 + 30) / 50.0)
  }

  @Test func aLongQueueKeepsItsOrder() {
    var station = QueueingStation(servers: [.always])
    for customer in 0..<500 { station.join(customer, at: Int64(customer)) }
    var served: [Int] = []
    var now: Int64 = 500
    while let call = station.callNext(at: now) {
      served.append(call.customer)
      now += 1
      station.complete(call.customer, at: now)
      if served.count == 200 { station.join(500, at: now) }
    }
    #expect(served == Array(0...500))
  }
}
