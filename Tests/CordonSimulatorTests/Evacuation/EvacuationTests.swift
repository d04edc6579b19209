import CordonCore
import CordonRun
import CordonVenueTools
import CordonVenues
import Testing

@testable import CordonCrowd
@testable import CordonSimulator

@Suite("Evacuations")
struct EvacuationTests {
  static func venue(_ kind: VenueGenerator.Kind = .office, floors: Int = 1, area: Double = 600) throws -> Venue {
    try VenueGenerator.generate(kind: kind, floors: floors, area: area, seed: 3)
  }

  /// Runs one or several replicas of an evacuation.
  static func run(
    _ venue: Venue, replicas: Int = 1, threads: Int = 1, seed: UInt64 = 1, change: (inout Evacuation) -> Void
  ) throws -> EvacuationReport {
    var scenario = Scenario()
    scenario.visitors = nil
    scenario.seed = seed
    var evacuation = Evacuation()
    evacuation.occupants = .people(30)
    evacuation.limit = .minutes(10)
    change(&evacuation)
    scenario.evacuation = evacuation
    let study = try EvacuationStudy(venue: venue, scenario: scenario)
    return try #require(try study.run(replicas: replicas, threads: threads))
  }

  /// People who have queued for long look for another way, and still count as out as far from the exit as others.
  @Test func aLongQueueKeepsTheFlowOfTheExit() throws {
    var building = ValidationBuilding()
    building.room("Hall", x: 0...10, y: 0...10)
    building.door("exit", from: (10, 4.5), to: (10, 5.5), rooms: ["Hall"])
    var random = RandomStream(seed: 1, stream: 9, entity: 0)
    let people = ValidationBuilding.crowd(160, x: 0...9.9, y: 0...10, speeds: &random)
    let result = try building.evacuate(people, model: CrowdMovement(), seconds: 300, isInterrupted: { false })
    let times = result.times
    try #require(times.count == 160)
    #expect(60 / (times[150] - times[90]) > 1.2, "the exit passes 1.33 people a second")
  }

  @Test func everybodyLeavesAfterTheirPreMovementTime() throws {
    let report = try Self.run(Self.venue()) {
      $0.alarmDelay = .fixed(.seconds(20))
      $0.preMovement = [
        .init(population: nil, delay: DurationRule(.uniform, minimum: .seconds(5), maximum: .seconds(60)))
      ]
    }
    let replica = try #require(report.replicas.first)
    #expect(replica.people.count == 30)
    #expect(replica.alarm == 20)
    for person in replica.people {
      #expect(person.status == .out && person.exit != nil)
      #expect(person.setOff >= 25 && person.setOff <= 80)
      let out = try #require(person.out)
      // Nobody is faster than the way at free speed.
      #expect(out >= person.setOff + person.distance / person.speed - 0.3, "\(person)")
    }
    #expect(replica.inside.first == 30 && replica.inside.last == 0)
    #expect(replica.spaces.allSatisfy { $0.cleared != nil })
    #expect(report.figure("last_out_s")?.mean == replica.people.compactMap(\.out).max())
    let exits = replica.passages.filter { $0.place.kind == .exit }
    #expect(exits.map(\.times.count).reduce(0, +) == 30)
  }

  @Test func peopleWhoHaveNotSetOffAtTheLimitAreInside() throws {
    let report = try Self.run(Self.venue()) {
      $0.limit = .seconds(10)
      $0.preMovement = [.init(population: nil, delay: .fixed(.seconds(40)))]
    }
    let replica = try #require(report.replicas.first)
    #expect(replica.people.allSatisfy { $0.status == .inside } && replica.inside.last == 30)
    #expect(!replica.spaces.isEmpty && replica.spaces.allSatisfy { $0.cleared == nil })
  }

  @Test func nobodyMovesBeforeTheyGo() throws {
    let report = try Self.run(Self.venue()) { $0.preMovement = [.init(population: nil, delay: .fixed(.seconds(40)))] }
    let start = report.start.milliseconds
    for segment in report.segments where segment.start < start + 40_000 {
      #expect(segment.x0 == segment.x1 && segment.y0 == segment.y1 && segment.end <= start + 40_000)
    }
  }

  @Test func equalSeedsGiveEqualReportsWithAnyNumberOfThreads() throws {
    let venue = try Self.venue()
    let one = try Self.run(venue, replicas: 3, threads: 1) { $0.limit = .minutes(8) }
    let two = try Self.run(venue, replicas: 3, threads: 2) { $0.limit = .minutes(8) }
    let other = try Self.run(venue, seed: 2) { $0.limit = .minutes(8) }
    #expect(one.replicas == two.replicas && one.segments == two.segments)
    #expect(one.replicas[0] != one.replicas[1])
    #expect(one.replicas[0].people != other.replicas[0].people)
    let last = try #require(one.figure("last_out_s"))
    #expect(last.count == 3 && last.margin.isFinite && last.minimum <= last.mean && last.mean <= last.maximum)
  }

  @Test func exitsPassTheirFlowOnly() throws {
    var scenario = Scenario()
    scenario.visitors = nil
    scenario.evacuation = Evacuation()
    let study = try EvacuationStudy(venue: Self.venue(), scenario: scenario)
    let closed = study.exits.dropFirst().map { Policies.Target(name: $0.id, line: 0) }
    let report = try Self.run(Self.venue()) {
      $0.occupants = .people(60)
      $0.preMovement = [.init(population: nil, delay: .fixed(.zero))]
      $0.closedExits = closed
      $0.exitFlow = 0.5
    }
    let exit = try #require(report.exits.first)
    #expect(report.exits.dropFirst().allSatisfy { $0.isClosed })
    let passage = try #require(report.replicas[0].passages.first { $0.place.kind == .exit })
    #expect(passage.times.count == 60)
    let flow = Double(passage.times.count - 1) / (passage.times[59] - passage.times[0])
    #expect(flow <= 0.5 * exit.width * 1.02, "\(flow)")
    // The exit is the bottleneck, and it has its name.
    #expect(report.passages.first?.place.kind == .exit)
    #expect(report.passages.first?.place.name == exit.name)
  }

  @Test func peopleWhoCannotUseStairsNeedHelp() throws {
    let report = try Self.run(Self.venue(floors: 2)) {
      $0.occupants = .people(24)
      $0.preMovement = [.init(population: nil, delay: .fixed(.zero))]
      $0.mobility = [.init(name: "wheelchair", share: 0.5, speed: 0.7, stairs: 0)]
    }
    let people = report.replicas[0].people
    let exitFloors = Set(report.exits.map(\.floor))
    let above = people.filter { !exitFloors.contains($0.floor) }
    #expect(above.contains { $0.mobility == 1 } && above.contains { $0.mobility == 0 })
    for person in people {
      let needsHelp = person.mobility == 1 && !exitFloors.contains(person.floor)
      #expect(person.status == (needsHelp ? .needsHelp : .out), "\(person)")
    }
    #expect(report.replicas[0].passages.contains { $0.place.kind == .stairs })
    let slow = people.filter { $0.mobility == 1 }.map(\.speed)
    #expect(Sample(slow).mean < 0.85 * Sample(people.filter { $0.mobility == 0 }.map(\.speed)).mean)
  }

  /// Smoke with a dose stops people in it, also those who have not set off, and no others.
  @Test func smokeStopsPeopleAfterAFullDose() throws {
    var smoke = Smoke(extinction: 5, dosePerMinute: 4)
    #expect(abs(smoke.pace - 0.5963) < 1e-4)
    smoke.extinction = 50
    #expect(smoke.pace == 0.1)
    let report = try Self.run(Self.venue()) {
      $0.preMovement = [.init(population: nil, delay: .fixed(.seconds(40)))]
      $0.smoke = [.init(target: .init(name: "office", line: 0), smoke: smoke)]
    }
    let people = report.replicas[0].people
    let spaces = report.venue.spaces
    let offices = Set(spaces.indices.filter { spaces[$0].kind == "office" }.map { Int32($0) })
    #expect(people.contains { $0.status == .incapacitated } && people.contains { $0.status == .out })
    for person in people where offices.contains(person.space) {
      #expect(person.status == .incapacitated && person.distance == 0, "\(person)")
    }
    #expect(report.figure("people_incapacitated")?.mean == Double(people.count { $0.status == .incapacitated }))
    #expect(report.parameters.contains { $0.name == "Smoke, office" })
    #expect(throws: ScenarioError.self) {
      try Self.run(Self.venue()) { $0.smoke = [.init(target: .init(name: "attic", line: 7), smoke: smoke)] }
    }
  }

  @Test func groupsMeetAndLeaveTogether() throws {
    let report = try Self.run(Self.venue()) {
      $0.groupShare = 0.8
      $0.groupSize = 3...3
      $0.preMovement = [
        .init(population: nil, delay: DurationRule(.uniform, minimum: .seconds(1), maximum: .seconds(50)))
      ]
    }
    let people = report.replicas[0].people
    let groups = Dictionary(grouping: people.filter { $0.group != nil }) { $0.group ?? 0 }
    #expect(groups.count >= 3)
    for group in groups.values {
      let last = group.map(\.setOff).max() ?? 0
      #expect(Set(group.map(\.exit)).count == 1)
      // The first one to leave waits for the last one to set off.
      #expect(group.allSatisfy { $0.out ?? 0 >= last })
      #expect((group.compactMap(\.out).max() ?? 0) - (group.compactMap(\.out).min() ?? 0) < 15)
    }
  }
}
