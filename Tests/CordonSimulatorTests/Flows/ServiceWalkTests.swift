import CordonCore
import CordonGeometry
import CordonNavigation
import CordonVenues
import Testing

@testable import CordonCrowd
@testable import CordonSimulator
@testable import CordonVenueTools

/// Stations in the movement models: the same queue, with and without bodies.
@Suite("Services in movement models")
struct ServiceWalkTests {
  let world: World
  let desk: Int
  let hall: Int

  enum Model: CaseIterable {
    case bodies, ways, times

    var movement: any MovementModel {
      switch self {
      case .bodies: CrowdMovement()
      case .ways: WayFollowing()
      case .times: Mesoscopic()
      }
    }
  }

  init() throws {
    let world = try BuildingWalkTests.world(.mall, floors: 1)
    self.world = world
    let desk = try BuildingWalkTests.destination(on: world.entrances[0].place.floor, in: world)
    self.desk = desk
    let group = world.destinations[desk].group
    hall = try #require(
      world.destinations.indices.filter { $0 != desk && world.destinations[$0].group == group }
        .max { world.destinations[$0].spots.count < world.destinations[$1].spots.count })
  }

  private func itineraries(
    _ arrivals: [Double], services: [Double], waitsInHall: Bool = false
  ) -> [Itinerary] {
    zip(arrivals, services).enumerated().map { person, times in
      let arrival = BuildingWalkTests.monday + .milliseconds(Int64(times.0 * 1_000))
      let spots = world.destinations[desk].spots
      var service = Itinerary.Stop(
        destination: desk, spot: spots[person % spots.count], leave: arrival,
        service: .milliseconds(Int64(times.1 * 1_000)))
      service.station = 0
      var wait = Itinerary.Stop(
        destination: hall, spot: world.destinations[hall].spots[person % world.destinations[hall].spots.count],
        leave: arrival)
      wait.station = 0
      wait.isUntilCalled = true
      return Itinerary(
        person: person, freeSpeed: 1.34, arrival: arrival, entrance: 0,
        stops: waitsInHall ? [wait, service] : [service],
        exit: 0)
    }
  }

  private func result(
    _ itineraries: [Itinerary], _ station: ServiceStation, _ model: Model, minutes: Int64 = 60
  ) -> MovementResult {
    model.movement.tracks(
      of: itineraries, fields: RouteFields(for: itineraries, in: world, stations: [station], threads: 2), world: world,
      replication: Replication(start: BuildingWalkTests.monday, duration: .minutes(minutes), seed: 1), threads: 2,
      progress: nil)
  }

  private func station(_ servers: [ServerHours], isCalled: Bool = false) -> ServiceStation {
    ServiceStation(
      name: "registration", servers: servers.map { ServiceStation.Server(destination: desk, hours: $0) },
      callsPeople: isCalled)
  }

  /// The same station without a world, for arrivals at the queue as they happened, gives the same services.
  @Test(arguments: Model.allCases, [1, 2]) func aWalkWaitsAsTheStationDoes(model: Model, servers: Int) throws {
    var random = RandomStream(seed: 5, stream: 1)
    var time = 0.0
    let arrivals = (0..<30).map { _ in
      time += random.nextExponential(mean: 40 / Double(servers))
      return time
    }
    let services = arrivals.map { _ in random.nextExponential(mean: 32) }
    let station = station(Array(repeating: .always, count: servers))
    let result = result(itineraries(arrivals, services: services), station, model)
    #expect(result.tracks.allSatisfy { $0.waits.count == 1 && $0.stays.count == 1 && $0.hasLeft })
    #expect(result.figures.overlaps == 0 && result.figures.wallCrossings == 0)
    let order = result.tracks.indices.sorted { a, b in
      (result.tracks[a].waits[0].start, result.tracks[a].waits[0].end, a)
        < (result.tracks[b].waits[0].start, result.tracks[b].waits[0].end, b)
    }
    var alone = station.station
    let expected = alone.serve(
      order.map { person in
        QueueingStation.Visit(
          arrival: result.tracks[person].waits[0].start.milliseconds,
          duration: Int64(services[person] * 1_000))
      })
    for (person, service) in zip(order, expected) {
      let service = try #require(service)
      let track = result.tracks[person]
      // Bodies move in steps of 0.1 s, and each service before may end one step later.
      #expect(abs(track.waits[0].end.milliseconds - service.lowerBound) <= 2_000, "\(person)")
      #expect(abs((track.stays[0].end - track.stays[0].start).seconds - services[person]) < 0.2)
      #expect(track.stays[0].start == track.waits[0].end)
    }
    #expect(result.tracks.contains { $0.waits[0].end - $0.waits[0].start > .seconds(20) })
    if servers == 2 {
      // Two people are served at the same time, at different places.
      #expect(
        result.tracks.contains { one in
          result.tracks.contains { other in
            one.stays[0].start < other.stays[0].start && other.stays[0].start < one.stays[0].end
          }
        })
    }
  }

  @Test(arguments: Model.allCases) func peopleWaitElsewhereUntilTheyAreCalled(model: Model) throws {
    let arrivals = [0.0, 2, 4, 6]
    let itineraries = itineraries(arrivals, services: [60, 60, 60, 60], waitsInHall: true)
    let result = result(itineraries, station([.always], isCalled: true), model)
    try #require(result.tracks.allSatisfy { !$0.stays.isEmpty })
    let tracks = result.tracks.sorted { $0.stays[$0.stays.count - 1].start < $1.stays[$1.stays.count - 1].start }
    for track in tracks {
      #expect(track.hasLeft && track.waits.count == 1)
      #expect(track.waits[0].reason == .station(0, destination: hall))
      try #require(track.stays.map(\.destination).last == desk)
      // The wait in the hall ends with the call.
      if track.stays.count == 2 {
        #expect(track.stays[0].destination == hall && track.stays[0].end == track.waits[0].end)
      }
      #expect(track.stays[track.stays.count - 1].start > track.waits[0].end)
    }
    for (one, next) in zip(tracks, tracks.dropFirst()) {
      // The next person is called when the one before leaves the desk.
      #expect(next.waits[0].end == one.stays.last?.end)
    }
  }

  @Test(arguments: Model.allCases) func aDeskServesWithinItsHours(model: Model) throws {
    let start = BuildingWalkTests.monday.milliseconds
    let hours = ServerHours([(start + 600_000)..<(start + 900_000)])
    let result = result(
      itineraries([0, 30, 60, 1_000], services: [200, 200, 200, 200]), station([hours]), model)
    let served = result.tracks.filter { !$0.stays.isEmpty }
    #expect(served.count == 2 && served.allSatisfy { $0.stays[0].start.milliseconds >= start + 600_000 })
    // Two people find the desk closed for good and leave.
    #expect(result.figures.unserved == 2)
    #expect(result.tracks.allSatisfy { $0.hasLeft && $0.waits.count == 1 })
  }

  @Test(arguments: [Model.ways, .times]) func threadsDoNotChangeTheQueue(model: Model) {
    let arrivals = (0..<40).map { Double($0 * 7 % 60) }
    let itineraries = itineraries(arrivals, services: arrivals.map { _ in 20 })
    let fields = RouteFields(for: itineraries, in: world, stations: [station([.always, .always])], threads: 1)
    let replication = Replication(start: BuildingWalkTests.monday, duration: .minutes(20), seed: 1)
    let results = [1, 3].map { threads in
      model.movement.tracks(
        of: itineraries, fields: fields, world: world, replication: replication, threads: threads, progress: nil)
    }
    #expect(results[0].tracks.map(\.waits) == results[1].tracks.map(\.waits))
    #expect(results[0].tracks.map(\.segments) == results[1].tracks.map(\.segments))
  }
}
