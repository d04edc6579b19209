import CordonCore
import CordonGeometry
import CordonNavigation
import CordonVenueTools
import CordonVenues
import Testing

@testable import CordonCrowd
@testable import CordonSimulator

/// Nobody stays in a full space: people wait in front of it, and go on with their plan.
@Suite("Limits of rooms")
struct RoomLimitTests {
  private static let monday = BuildingWalkTests.monday

  /// The maximum number of stays at a destination at a time.
  static func peak(_ stays: some Sequence<Stay>, at destination: Int) -> Int {
    var (now, peak) = (0, 0)
    // At equal times, people leave before others come.
    let changes = stays.filter { $0.destination == destination && $0.start < $0.end }
      .flatMap { [($0.start.milliseconds, 1), ($0.end.milliseconds, -1)] }
    for change in changes.sorted(by: { $0 < $1 }) {
      now += change.1
      peak = max(peak, now)
    }
    return peak
  }

  private static func walk(
    _ itineraries: [Itinerary], limits: [Int: Int], in world: World, minutes: Int64, threads: Int = 1
  ) -> MovementResult {
    var model = CrowdMovement(checksEveryStep: true)
    model.limits = limits
    return model.tracks(
      of: itineraries, fields: RouteFields(for: itineraries, in: world, threads: 1), world: world,
      replication: Replication(start: monday, duration: .minutes(minutes), seed: 1), threads: threads, progress: nil)
  }

  /// A person who arrives, stays at some destinations for a minute each, and leaves by the same door.
  private static func person(
    _ number: Int, at destinations: [Int], in world: World, arrival: Int64 = 0, length: TimeSpan = .minutes(1)
  ) -> Itinerary {
    Itinerary(
      person: number, freeSpeed: 1.3, arrival: monday + .seconds(arrival), entrance: 0,
      stops: destinations.map {
        let spots = world.destinations[$0].spots
        return Itinerary.Stop(
          destination: $0, spot: spots[number % spots.count], leave: monday + .hours(1), length: length)
      }, exit: 0)
  }

  /// Rooms on the floor of entrance 0, with at least six spots.
  private static func rooms(of kind: SpaceKind, in world: World) -> [Int] {
    world.destinations.indices.filter {
      world.destinations[$0].kind == kind && world.destinations[$0].floor == world.entrances[0].place.floor
        && world.destinations[$0].spots.count >= 6
    }
  }

  @Test func theNumberOfAdmittedPeopleNeverExceedsTheLimit() {
    var random = RandomStream(seed: 3, stream: 1, entity: 1)
    var room = RoomAdmission(limit: 3)
    var arrived: [Int] = []
    var admitted: [Int] = []
    for step in 0..<2_000 {
      switch random.nextIndex(below: 4) {
      case 0, 1:
        arrived.append(step)
        if room.request(step) { admitted.append(step) }
        let again = room.request(step)
        #expect(again == room.isAdmitted(step))
      case 2:
        if let one = room.admitted.randomElement(using: &random) { room.remove(one) }
      default:
        // A person who waits gives up.
        if let one = room.waiting.randomElement(using: &random), random.nextUnit() < 0.2 {
          room.remove(one)
          arrived.removeAll { $0 == one }
        }
      }
      while let next = room.admitNext() { admitted.append(next) }
      #expect(room.admitted.count <= 3 && (room.waiting.isEmpty || room.admitted.count == 3), "seed 3, step \(step)")
      #expect(Set(room.waiting).isDisjoint(with: room.admitted))
    }
    // First come, first admitted.
    #expect(admitted.count > 300 && admitted == Array(arrived.prefix(admitted.count)))
  }

  @Test func peopleWaitInFrontOfAFullRoomAndThenStay() throws {
    let world = try BuildingWalkTests.world(.office, floors: 1)
    let room = try #require(Self.rooms(of: .meetingRoom, in: world).first)
    let space = world.plan.spaces[try #require(world.destinations[room].space)]
    let itineraries = (0..<7).map { Self.person($0, at: [room], in: world, arrival: Int64($0) * 3) }
    let free = Self.walk(itineraries, limits: [:], in: world, minutes: 12)
    #expect(Self.peak(free.tracks.flatMap(\.stays), at: room) == 7 && free.figures.waitsForRoom == 0)

    let result = Self.walk(itineraries, limits: [room: 2], in: world, minutes: 12)
    #expect(result.figures.isClean, "\(result.figures)")
    #expect(Self.peak(result.tracks.flatMap(\.stays), at: room) == 2)
    #expect(result.tracks.allSatisfy { $0.stays.count == 1 && $0.hasLeft })
    #expect(result.figures.waitsForRoom == 5 && result.figures.roomsGivenUp == 0)
    let waits = result.tracks.flatMap(\.waits).filter { $0.reason == .room(room) }
    #expect(waits.count == 5 && waits.allSatisfy { $0.start < $0.end })
    // Bodies in the room are those of people who were admitted: two at a time, at any second.
    for second in stride(from: 0, to: 720, by: 1) {
      let time = Self.monday.milliseconds + Int64(second) * 1_000 + 500
      let inside = result.tracks.count { track in
        track.segments.contains { segment in
          guard segment.start <= time, time < segment.end else { return false }
          let share = Double(time - segment.start) / Double(segment.end - segment.start)
          return space.contains(
            PlanePoint(
              x: segment.x0 + (segment.x1 - segment.x0) * share, y: segment.y0 + (segment.y1 - segment.y0) * share))
        }
      }
      #expect(inside <= 2, "\(inside) after \(second) s")
    }
  }

  @Test func aPersonGivesUpAndGoesOn() throws {
    let world = try BuildingWalkTests.world(.office, floors: 1)
    let rooms = Self.rooms(of: .meetingRoom, in: world)
    let (room, other) = (rooms[0], rooms[1])
    let itineraries = [
      Self.person(0, at: [room], in: world, length: .minutes(40)),
      Self.person(1, at: [room, other], in: world, arrival: 60),
    ]
    let result = Self.walk(itineraries, limits: [room: 1, other: 1], in: world, minutes: 30)
    #expect(result.tracks[1].stays.map(\.destination) == [other] && result.tracks[1].hasLeft)
    #expect(result.figures.roomsGivenUp == 1)
    let wait = try #require(result.tracks[1].waits.first)
    #expect(abs((wait.end - wait.start).milliseconds - RoomLimits.patience) < 2_000)

    // A stay with a planned end is not worth a wait beyond it.
    var short = itineraries
    short[1].stops[0].length = nil
    short[1].stops[0].leave = Self.monday + .minutes(4)
    let sooner = Self.walk(short, limits: [room: 1, other: 1], in: world, minutes: 10)
    #expect(sooner.tracks[1].stays.map(\.destination) == [other])
    #expect(sooner.tracks[1].waits.first.map { $0.end <= Self.monday + .minutes(4) } == true)
  }

  @Test func peopleWhoPassDoNotCount() throws {
    let world = try BuildingWalkTests.world(.office, floors: 1)
    let entrance = world.entrances[0].place
    let lobby = try #require(
      world.destinations.indices.first { destination in
        world.destinations[destination].space.map {
          world.plan.spaces[$0].contains(world.routes.navigation.center(of: entrance))
        } ?? false
      })
    let room = try #require(Self.rooms(of: .meetingRoom, in: world).first)
    let itineraries =
      (0..<3).map { Self.person($0, at: [lobby], in: world, arrival: Int64($0), length: .minutes(2)) }
      + (3..<6).map { Self.person($0, at: [room], in: world, arrival: 20 + Int64($0)) }
    let result = Self.walk(itineraries, limits: [lobby: 1], in: world, minutes: 15)
    #expect(result.figures.isClean, "\(result.figures)")
    #expect(Self.peak(result.tracks.flatMap(\.stays), at: lobby) == 1)
    #expect(result.tracks.allSatisfy { $0.stays.count == 1 && $0.hasLeft })
    // Those who wait for the lobby do so outside, and others pass them.
    #expect(result.figures.waitsForRoom == 2)
    let arrivals = result.tracks.compactMap { $0.segments.first?.start }
    #expect(arrivals.count == 6 && arrivals[1] > Self.monday.milliseconds + 100_000)
    #expect(arrivals[3...].allSatisfy { $0 < Self.monday.milliseconds + 40_000 })
  }

  @Test func twoFullRoomsDoNotBlockEachOther() throws {
    let world = try BuildingWalkTests.world(.office, floors: 1)
    let rooms = Self.rooms(of: .meetingRoom, in: world)
    let (one, two) = (rooms[0], rooms[1])
    let itineraries = [
      Self.person(0, at: [one, two], in: world), Self.person(1, at: [two, one], in: world),
      Self.person(2, at: [one, two], in: world), Self.person(3, at: [two, one], in: world),
    ]
    let result = Self.walk(itineraries, limits: [one: 1, two: 1], in: world, minutes: 25)
    #expect(result.tracks.allSatisfy { $0.stays.count == 2 && $0.hasLeft }, "\(result.tracks.map(\.stays.count))")
    #expect(Self.peak(result.tracks.flatMap(\.stays), at: one) == 1)
    #expect(Self.peak(result.tracks.flatMap(\.stays), at: two) == 1)
    // The number of threads does not matter.
    let again = Self.walk(itineraries, limits: [one: 1, two: 1], in: world, minutes: 25, threads: 2)
    #expect(again.tracks.map(\.segments) == result.tracks.map(\.segments))
  }

  // MARK: People without bodies

  private static let models: [any MovementModel] = [WayFollowing(), Mesoscopic()]

  private static func move(
    _ itineraries: [Itinerary], by model: any MovementModel, limits: [Int: Int], in world: World, minutes: Int64,
    threads: Int = 1
  ) -> MovementResult {
    var model = model
    model.limits = limits
    return model.tracks(
      of: itineraries, fields: RouteFields(for: itineraries, in: world, threads: 1), world: world,
      replication: Replication(start: monday, duration: .minutes(minutes), seed: 1), threads: threads, progress: nil)
  }

  /// The maximum number of people in a space at the middle of any second.
  private static func peakInside(_ space: Int, of tracks: [Track], in world: World, minutes: Int64) -> Int {
    let outline = world.plan.spaces[space]
    return (0..<minutes * 60).map { second in
      let time = monday.milliseconds + second * 1_000 + 500
      return tracks.count { track in
        track.segments.contains { segment in
          guard segment.start <= time, time < segment.end else { return false }
          let share = Double(time - segment.start) / Double(segment.end - segment.start)
          return outline.contains(
            PlanePoint(
              x: segment.x0 + (segment.x1 - segment.x0) * share, y: segment.y0 + (segment.y1 - segment.y0) * share))
        }
      }
    }.max() ?? 0
  }

  @Test(arguments: [0, 1]) func peopleWithoutBodiesWaitInFrontOfAFullRoom(model: Int) throws {
    let world = try BuildingWalkTests.world(.office, floors: 1)
    let room = try #require(Self.rooms(of: .meetingRoom, in: world).first)
    let space = try #require(world.destinations[room].space)
    let itineraries = (0..<7).map { Self.person($0, at: [room], in: world, arrival: Int64($0) * 3) }
    let free = Self.move(itineraries, by: Self.models[model], limits: [:], in: world, minutes: 12)
    #expect(Self.peakInside(space, of: free.tracks, in: world, minutes: 12) == 7)
    #expect(free.figures.waitsForRoom == 0)

    let result = Self.move(itineraries, by: Self.models[model], limits: [room: 2], in: world, minutes: 12)
    #expect(Self.peakInside(space, of: result.tracks, in: world, minutes: 12) == 2)
    #expect(Self.peak(result.tracks.flatMap(\.stays), at: room) == 2)
    #expect(result.tracks.allSatisfy { $0.stays.count == 1 && $0.hasLeft })
    #expect(result.figures.waitsForRoom == 5 && result.figures.roomsGivenUp == 0)
    let waits = result.tracks.flatMap(\.waits).filter { $0.reason == .room(room) }
    #expect(waits.count == 5 && waits.allSatisfy { $0.start < $0.end })
    // The segments of a person follow each other.
    for track in result.tracks {
      for (one, next) in zip(track.segments, track.segments.dropFirst()) {
        #expect(one.end == next.start && abs(one.x1 - next.x0) < 1e-3 && abs(one.y1 - next.y0) < 1e-3)
      }
    }
    let again = Self.move(itineraries, by: Self.models[model], limits: [room: 2], in: world, minutes: 12, threads: 2)
    #expect(again.tracks.map(\.segments) == result.tracks.map(\.segments))
  }

  @Test(arguments: [0, 1]) func aPersonWithoutABodyGivesUpAndGoesOn(model: Int) throws {
    let world = try BuildingWalkTests.world(.office, floors: 1)
    let rooms = Self.rooms(of: .meetingRoom, in: world)
    let (room, other) = (rooms[0], rooms[1])
    var itineraries = [
      Self.person(0, at: [room], in: world, length: .minutes(40)),
      Self.person(1, at: [room, other], in: world, arrival: 60),
      // With nothing else to do, this person leaves.
      Self.person(2, at: [room], in: world, arrival: 90),
    ]
    let limits = [room: 1, other: 1]
    let result = Self.move(itineraries, by: Self.models[model], limits: limits, in: world, minutes: 30)
    #expect(result.tracks[1].stays.map(\.destination) == [other] && result.tracks[1].hasLeft)
    #expect(result.tracks[2].stays.isEmpty && result.tracks[2].hasLeft)
    #expect(result.figures.roomsGivenUp == 2 && result.tracks.allSatisfy { $0.unreachable == 0 })
    let wait = try #require(result.tracks[1].waits.first)
    #expect((wait.end - wait.start).milliseconds == RoomLimits.patience)

    itineraries[1].stops[0].length = nil
    itineraries[1].stops[0].leave = Self.monday + .minutes(4)
    let sooner = Self.move(itineraries, by: Self.models[model], limits: limits, in: world, minutes: 10)
    #expect(sooner.tracks[1].waits.first.map { $0.end <= Self.monday + .minutes(4) } == true)
  }

  @Test(arguments: [0, 1]) func twoFullRoomsDoNotBlockPeopleWithoutBodies(model: Int) throws {
    let world = try BuildingWalkTests.world(.office, floors: 1)
    let rooms = Self.rooms(of: .meetingRoom, in: world)
    let (one, two) = (rooms[0], rooms[1])
    let itineraries = (0..<4).map { Self.person($0, at: $0 % 2 == 0 ? [one, two] : [two, one], in: world) }
    let result = Self.move(itineraries, by: Self.models[model], limits: [one: 1, two: 1], in: world, minutes: 25)
    #expect(result.tracks.allSatisfy { $0.stays.count == 2 && $0.hasLeft }, "\(result.tracks.map(\.stays.count))")
    for room in [one, two] {
      let space = try #require(world.destinations[room].space)
      #expect(Self.peakInside(space, of: result.tracks, in: world, minutes: 25) == 1)
    }
  }

  @Test(arguments: [0, 1]) func peopleWithoutBodiesWaitOutsideForALobby(model: Int) throws {
    let world = try BuildingWalkTests.world(.office, floors: 1)
    let entrance = world.routes.navigation.center(of: world.entrances[0].place)
    let lobby = try #require(
      world.destinations.indices.first { destination in
        world.destinations[destination].space.map { world.plan.spaces[$0].contains(entrance) } ?? false
      })
    let itineraries = (0..<3).map {
      Self.person($0, at: [lobby], in: world, arrival: Int64($0), length: .minutes($0 == 0 ? 20 : 2))
    }
    let result = Self.move(itineraries, by: Self.models[model], limits: [lobby: 1], in: world, minutes: 30)
    // Both gave up in front of the door, with nothing else to do: they never came in.
    #expect(result.figures.waitsForRoom == 2 && result.figures.roomsGivenUp == 2)
    #expect(result.tracks[0].stays.count == 1 && result.tracks[1...].allSatisfy(\.segments.isEmpty))
  }

  @Test func peopleWithoutBodiesLeaveAQueueThatCloses() throws {
    let world = try BuildingWalkTests.world(.office, floors: 1)
    let rooms = Self.rooms(of: .meetingRoom, in: world)
    let (desk, other) = (rooms[0], rooms[1])
    let hours = ServerHours([Self.monday.milliseconds..<(Self.monday + .minutes(5)).milliseconds])
    let station = ServiceStation(name: "desk", servers: [.init(destination: desk, hours: hours)])
    let itineraries = (0..<4).map { number in
      var one = Self.person(number, at: [desk, other], in: world)
      one.stops[0].service = .minutes(3)
      one.stops[0].station = 0
      return one
    }
    let result = Mesoscopic().tracks(
      of: itineraries,
      fields: RouteFields(for: itineraries, in: world, stations: [station], threads: 1), world: world,
      replication: Replication(start: Self.monday, duration: .minutes(30), seed: 1), threads: 1, progress: nil)
    #expect(result.figures.unserved > 0)
    #expect(result.tracks.allSatisfy { $0.hasLeft && $0.unreachable == 0 })
  }

  /// A morning in the waiting areas of the sample hospital.
  @Test func nobodyStaysInAFullWaitingArea() throws {
    let world = try World(venue: VenueGenerator.generate(kind: .hospital, floors: 2, area: 3_000, seed: 2))
    let scenario = try Scenario(
      parsing: """
        time: {start: 2026-01-12T08:00, duration: 40m, zone: Europe/Berlin}
        populations:
          - {name: patients, size: 60, arrival: {window: [08:00, 08:15]}, visit: 30m, groups: {share: 0.4, size: 2}}
        activities:
          - {name: wait, kinds: [waiting-area], duration: {min: 3m, max: 8m}, weight: 3}
          - {name: registration, kinds: [lobby], served: true, duration: 20s, repeat: {max: 1}}
        policies: {capacity: {waiting-area: 4}}
        """)
    let truth = try Simulation.truth(world: world, scenario: scenario)
    let stays = truth.people.flatMap(\.stays)
    let areas = world.destinations.indices.filter { world.destinations[$0].kind == .waitingArea }
    let peaks = areas.map { Self.peak(stays, at: $0) }
    #expect(peaks.allSatisfy { $0 <= 4 } && peaks.contains(4), "\(peaks)")
    #expect(truth.figures.waitsForRoom > 0, "\(truth.figures)")
  }
}
