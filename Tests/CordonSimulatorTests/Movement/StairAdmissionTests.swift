import CordonCore
import Testing

@testable import CordonCrowd
@testable import CordonSimulator

@Suite("Stair admission")
struct StairAdmissionTests {
  private func trip(_ person: Int, _ from: Int, _ to: Int, since: Int64 = 0) -> StairAdmission.Trip {
    StairAdmission.Trip(person: person, from: from, to: to, since: since)
  }

  @Test func peopleInOneDirectionDoNotWait() {
    var turns = StairAdmission(capacities: [2, 2, 2])
    for person in 0..<50 { turns.wait(trip(person, person % 2, 2)) }
    #expect(turns.admit(at: 0).map(\.person) == Array(0..<50))
    #expect(turns.waiting.isEmpty && turns.on.count == 50)
  }

  @Test func counterflowIsLimitedToTheCapacity() {
    var turns = StairAdmission(capacities: [4, 4, 4])
    turns.wait(trip(0, 1, 0))
    _ = turns.admit(at: 0)
    for person in 1..<10 { turns.wait(trip(person, 0, 1)) }
    #expect(turns.admit(at: 0).map(\.person) == [1, 2, 3])
    #expect(turns.waiting(at: 0) == 6)
    // The floor between has no room for people from farther up either.
    turns.wait(trip(10, 2, 1))
    #expect(turns.admit(at: 0).isEmpty)
    turns.leave(0)
    // All others go the same way now, except the last one.
    #expect(turns.admit(at: 1).map(\.person) == Array(4...9))
    #expect(turns.waiting.map(\.person) == [10])
  }

  @Test func admissionNeedsRoomOnEveryFloorOfTheTrip() {
    var turns = StairAdmission(capacities: [9, 2, 9])
    turns.wait(trip(0, 1, 0))
    turns.wait(trip(1, 1, 0))
    _ = turns.admit(at: 0)
    turns.wait(trip(2, 0, 2))
    #expect(turns.admit(at: 0).isEmpty)
    // A person who reaches another floor leaves room on the previous one.
    turns.pass(0, stop: 0)
    #expect(turns.admit(at: 0).map(\.person) == [2])
    #expect(turns.isOn(2) && !turns.isOn(3))
  }

  @Test func longWaitingPeopleAreNotOvertaken() {
    var turns = StairAdmission(capacities: [1, 5, 5])
    turns.wait(trip(0, 1, 0))
    _ = turns.admit(at: 0)
    turns.wait(trip(1, 0, 1))
    // There is room farther up.
    turns.wait(trip(2, 2, 1, since: 1_000))
    #expect(turns.admit(at: 1_000).map(\.person) == [2])
    turns.leave(2)
    turns.wait(trip(3, 2, 1, since: 59_000))
    #expect(turns.admit(at: 60_000).isEmpty)
    turns.leave(0)
    #expect(turns.admit(at: 61_000).map(\.person) == [1, 3])
  }

  @Test func aPersonIsListedOnce() {
    var turns = StairAdmission(capacities: [1, 1])
    turns.wait(trip(0, 0, 1))
    turns.wait(trip(0, 0, 1))
    #expect(turns.waiting.count == 1)
    turns.enter(trip(0, 0, 1))
    turns.enter(trip(0, 1, 0))
    #expect(turns.waiting.isEmpty && turns.on == [trip(0, 1, 0)])
    turns.leave(0)
    #expect(turns.on.isEmpty)
  }

  /// Random arrivals: the admitted people never exceed the capacity, all of them finish, and all people are admitted.
  @Test(arguments: 1...20)
  func allPeopleFinishTheirTrips(seed: UInt64) {
    var random = RandomStream(seed: seed, stream: 1)
    let stops = 2 + random.nextIndex(below: 4)
    let capacities = (0..<stops).map { _ in 1 + random.nextIndex(below: 4) }
    var turns = StairAdmission(capacities: capacities)
    var places: [Int: (trip: StairAdmission.Trip, stop: Int)] = [:]
    var came = 0
    var done: Set<Int> = []
    for second in 0..<2_000 {
      let time = Int64(second) * 1_000
      if came < 200, random.nextIndex(below: 3) == 0 {
        let from = random.nextIndex(below: stops)
        let to = (from + 1 + random.nextIndex(below: stops - 1)) % stops
        turns.wait(trip(came, from, to, since: time))
        came += 1
      }
      for trip in turns.admit(at: time) { places[trip.person] = (trip, trip.from) }
      let all = turns.on
      for stop in capacities.indices where all.count(where: { $0.stops.contains(stop) }) > capacities[stop] {
        #expect(Set(all.filter { $0.stops.contains(stop) }.map { $0.isUp }).count == 1, "seed \(seed)")
      }
      // Each person moves on by one stop.
      for person in places.keys.sorted() where random.nextIndex(below: 4) == 0 {
        guard let (trip, stop) = places[person] else { continue }
        if stop == trip.to {
          turns.leave(person)
          places[person] = nil
          done.insert(person)
          continue
        }
        let next = stop + (trip.to > stop ? 1 : -1)
        places[person] = (trip, next)
        turns.pass(person, stop: next)
      }
    }
    #expect(came == 200 && done.count == 200, "seed \(seed): \(done.count), \(turns)")
    #expect(turns.on.isEmpty && turns.waiting.isEmpty)
  }

  @Test func earlierArrivalsAreAhead() {
    var turns = StairAdmission(capacities: [1, 1])
    turns.enter(trip(0, 1, 0))
    for person in [4, 2, 7] { turns.wait(trip(person, 0, 1)) }
    turns.wait(trip(5, 1, 0))
    #expect(turns.admit(at: 0).isEmpty)
    let ahead = [4, 2, 7, 5, 9].map { turns.ahead(of: $0) }
    #expect(ahead == [0, 1, 2, 0, 0])
    turns.leave(4)
    #expect(turns.ahead(of: 7) == 1)
  }
}
