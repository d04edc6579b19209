import CordonContacts
import CordonCore
import CordonGeometry
import CordonVenueTools
import CordonVenues
import Testing

@testable import CordonCrowd
@testable import CordonSimulator

@Suite("People with bodies in buildings")
struct MovementTests {
  static let monday = Instant(milliseconds: 1_763_971_200_000)

  static func truth(
    _ kind: VenueGenerator.Kind, people: Int = 50, minutes: Int64 = 12, model: CrowdMovement, threads: Int = 1
  ) throws -> (World, Truth) {
    let world = try World(venue: VenueGenerator.generate(kind: kind, floors: 3, area: kind.defaultArea, seed: 3))
    let scenario = Scenario(visitors: people, start: monday, duration: .minutes(minutes), seed: 5)
    return (world, try Simulation.truth(world: world, scenario: scenario, model: model, threads: threads))
  }

  static let models = [
    CrowdMovement(checksEveryStep: true),
    CrowdMovement(
      CrowdSettings(model: .anticipationVelocity(AnticipationVelocity())), step: 50, checksEveryStep: true),
  ]

  @Test(
    .long,
    arguments: [
      (VenueGenerator.Kind.office, 0), (.office, 1), (.mall, 0), (.museum, 0), (.hospital, 0), (.station, 0),
      (.station, 1), (.campus, 0),
    ])
  func bodiesNeverOverlapWallsOrOtherBodies(kind: VenueGenerator.Kind, model: Int) throws {
    let (world, truth) = try Self.truth(kind, model: Self.models[model])
    print(kind, model, truth.figures, "stays", truth.people.reduce(0) { $0 + $1.stays.count })
    #expect(truth.figures.isClean, "\(truth.figures)")
    #expect(truth.figures.minimumGap > -1e-6)
    #expect(truth.figures.agentSteps > 1_000)
    let findings = TruthCheck.findings(truth, in: world)
    #expect(findings.isClean, "\(findings)")
    #expect(truth.unreachable == 0)
    // Stops are reached: at most 2 % are abandoned.
    #expect(truth.figures.abandonedStops * 50 <= truth.people.reduce(0) { $0 + $1.stays.count }, "\(truth.figures)")
  }

  @Test(.long) func peopleLeaveAtTheEndOfTheirVisit() throws {
    let (_, truth) = try Self.truth(.station, people: 60, minutes: 45, model: CrowdMovement())
    let overdue = truth.people.filter { person in
      guard !person.hasLeft, let last = person.stays.last else { return false }
      // More than ten minutes on the way count as stuck.
      return last.end < truth.end - .minutes(10)
    }
    #expect(overdue.isEmpty, "\(overdue.count) of \(truth.people.count)")
    #expect(truth.people.count { $0.hasLeft } > 20)
  }

  @Test(arguments: LongTests.areWanted ? [2, 3, 4] : [2])
  func threadsDoNotChangeTracks(threads: Int) throws {
    let (_, one) = try Self.truth(.mall, people: 150, minutes: 5, model: CrowdMovement())
    let (_, many) = try Self.truth(.mall, people: 150, minutes: 5, model: CrowdMovement(), threads: threads)
    #expect(one.segments == many.segments)
    #expect(one.figures == many.figures)
  }
}

@Suite("Track recorder")
struct TrackRecorderTests {
  @Test func keepsEveryPositionWithinTheTolerance() {
    var random = RandomStream(seed: 3, stream: 1)
    var recorder = TrackRecorder(person: 4, end: 1_000_000, step: 100)
    var samples: [(Int64, PlanePoint)] = [(0, PlanePoint(x: 0, y: 0))]
    recorder.begin(at: samples[0].1, floor: 2_000, time: 0)
    var (vx, vy) = (1.0, 0.3)
    for index in 1...600 {
      if index % 37 == 0 { (vx, vy) = (random.nextNormal(), random.nextNormal()) }
      let last = samples[index - 1].1
      let point = PlanePoint(x: last.x + vx * 0.1 + 0.001 * random.nextNormal(), y: last.y + vy * 0.1)
      samples.append((Int64(index) * 100, point))
      recorder.move(to: point, at: Int64(index) * 100)
    }
    recorder.close()
    let pieces = recorder.segments
    #expect(pieces.count < 150)
    #expect(pieces.first?.start == 0 && pieces.last?.end == 60_000)
    #expect(pieces.allSatisfy { $0.device == 4 && $0.floor == 2_000 })
    for (a, b) in zip(pieces, pieces.dropFirst()) {
      #expect(a.end == b.start && a.x1 == b.x0 && a.y1 == b.y0)
    }
    for (time, point) in samples {
      guard let piece = pieces.first(where: { $0.start <= time && time <= $0.end }) else { continue }
      let share = Double(time - piece.start) / Double(piece.end - piece.start)
      #expect(abs(piece.x0 + (piece.x1 - piece.x0) * share - point.x) < TrackRecorder.tolerance + 1e-9)
      #expect(abs(piece.y0 + (piece.y1 - piece.y0) * share - point.y) < TrackRecorder.tolerance + 1e-9)
    }
  }

  @Test func staysAreStillAndTheRunEndCutsTracks() {
    var recorder = TrackRecorder(person: 0, end: 10_000, step: 10_000)
    recorder.begin(at: PlanePoint(x: 1, y: 1), floor: 0, time: 0)
    recorder.move(to: PlanePoint(x: 2, y: 1), at: 1_000)
    recorder.rest(until: 4_000)
    recorder.rest(until: 6_000)
    recorder.move(to: PlanePoint(x: 12, y: 1), at: 16_000)
    recorder.close()
    let pieces = recorder.segments
    #expect(pieces.map(\.end) == [1_000, 6_000, 10_000])
    #expect(pieces[1].x0 == pieces[1].x1)
    #expect(pieces[2].x1 == 6)
  }

  /// A person who stood does not drift through others.
  @Test func aStayBetweenTwoMovesIsASegment() {
    var recorder = TrackRecorder(person: 0, end: 10_000, step: 100)
    recorder.begin(at: PlanePoint(x: 1, y: 1), floor: 0, time: 0)
    recorder.move(to: PlanePoint(x: 1.1, y: 1), at: 100)
    recorder.move(to: PlanePoint(x: 1.2, y: 1), at: 4_000)
    recorder.close()
    #expect(recorder.segments.map(\.start) == [0, 100, 3_900])
    #expect(recorder.segments.map(\.x1) == [1.1, 1.1, 1.2])
  }
}

@Suite("Elevator cars")
struct ElevatorCarTests {
  @Test func callsPeopleInItsDirectionUpToItsCapacity() {
    var car = ElevatorCar(way: 0, levels: [0, 1, 2])
    for person in 0..<10 { car.wait(ElevatorCar.Rider(person: person, from: 0, to: 2, since: 0)) }
    #expect(car.open().isEmpty)
    #expect(car.call().map(\.person) == Array(0..<8))
    for person in 0..<7 { #expect(car.board(person)?.to == 2) }
    // The eighth person was too slow and is first in the queue again.
    #expect(car.close().map(\.person) == [7])
    #expect(car.waiting[0].map(\.person) == [7, 8, 9])
    car.wait(ElevatorCar.Rider(person: 20, from: 1, to: 0, since: 0))
    car.wait(ElevatorCar.Rider(person: 21, from: 1, to: 2, since: 0))
    #expect(car.depart() == ElevatorCar.startTime + ElevatorCar.levelTime + 2 * ElevatorCar.doorTime)
    #expect(car.stop == 1)
    _ = car.open()
    #expect(car.call().map(\.person) == [21])
    #expect(car.board(21) != nil && car.close().isEmpty)
    _ = car.depart()
    #expect(car.stop == 2)
    #expect(car.open().count == 8)
    _ = car.call()
    _ = car.close()
    _ = car.depart()
    #expect(car.stop == 1 && car.direction == -1)
  }

  @Test func callsTheNearestPeopleAfterAllHaveAlighted() {
    var car = ElevatorCar(way: 0, levels: [0, 1])
    for person in 0..<3 { car.wait(ElevatorCar.Rider(person: person, from: 0, to: 1, since: 0)) }
    _ = car.open()
    _ = car.call()
    for person in 0..<3 { #expect(car.board(person) != nil) }
    _ = car.close()
    _ = car.depart()
    for person in 10..<20 { car.wait(ElevatorCar.Rider(person: person, from: 1, to: 0, since: 0)) }
    #expect(!car.isBeingLeft)
    #expect(car.open().map(\.person) == [0, 1, 2] && car.isBeingLeft)
    #expect(!car.leave(1) && !car.leave(0) && !car.leave(0))
    #expect(car.leave(2) && !car.isBeingLeft)
    // The last to arrive stand nearest to the door.
    #expect(car.call { Double(20 - $0) }.map(\.person) == [19, 18, 17, 16, 15, 14, 13, 12])
    #expect(car.waiting[1].map(\.person) == [10, 11])
  }

  @Test func staysIdleWithoutCalls() {
    var car = ElevatorCar(way: 0, levels: [0, 1])
    #expect(car.depart() == nil)
    #expect(car.phase == .idle && car.isUnused)
  }
}

@Suite("Waypoints")
struct CrowdWaypointTests {
  private func point(_ x: Double, _ y: Double) -> PlanePoint { PlanePoint(x: x, y: y) }

  /// Crossing the line outside the doorway, in the next one along the wall, does not pass it.
  @Test func aDoorwayIsPassedOnlyWithinItsWidth() {
    let door = CrowdWaypoint.door(PlaneSegment(point(0, 0), point(1, 0)), toLeft: true)
    #expect(!door.isPassed(x: 0.5, y: 0.2) && door.isPassed(x: 0.5, y: 0.4))
    #expect(door.isPassed(x: -0.4, y: 0.4) && !door.isPassed(x: -15, y: 0.4) && !door.isPassed(x: 15, y: 2))
    let line = CrowdWaypoint.line(PlaneSegment(point(0, 0), point(1, 0)), toLeft: true)
    #expect(line.isPassed(x: -15, y: 0.1))
  }
}
