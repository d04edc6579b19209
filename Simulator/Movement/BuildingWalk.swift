import CordonContacts
import CordonCore
import CordonGeometry
import CordonVenues

/// One run of people with bodies through a building.
///
/// This class decides when people go where; the crowd computes their steps.
final class BuildingWalk {
  let itineraries: [Itinerary]
  let fields: RouteFields
  let world: World
  let plane: FloorPlane
  let crowd: PedestrianCrowd
  let landings: Landings
  let step: Int64
  let end: Int64
  let threads: Int
  let checksEveryStep: Bool
  private let isInterrupted: (@Sendable () -> Bool)?
  var now: Int64
  var events = WalkEvents()
  var walkers: [Walker]
  var recorders: [TrackRecorder]
  var tracks: [Track]
  var rides: [RandomStream]
  var cars: [ElevatorCar]
  /// By vertical way: the people who may be on it; unused for elevators.
  var admissions: [StairAdmission]
  /// By entrance: the people who wait outside, in order of arrival.
  var outside: [[Int]]
  var lines: [Int: ServiceLine] = [:]
  /// The waiting places of people who wait for a car or stairs.
  var waitingSpots: [Int: Place] = [:]
  /// The waiting places by landing, computed when a person first waits there.
  var placesBeforeRides: [Place: [Place]] = [:]
  /// The places of people who are in a car or were called in.
  var carPlaces: [Int: Place] = [:]
  var landingFields: [Place: DistanceField] = [:]
  /// Navigation without some vertical ways, by the set of avoided ways.
  var navigations: [Set<Int>: Navigation] = [:]
  var figures = MovementFigures()
  private var marksAfterPacking = 0
  /// Whether the venue has queues.
  private let hasLines: Bool

  /// The state of a person.
  struct Walker {
    var phase = Phase.away
    var goal = Goal.stop
    /// Index of the next stop of the itinerary.
    var stop = 0
    var floor = 0
    var legs: [RouteLeg] = []
    var leg = 0
    /// Start of the current stay, wait or ride, in milliseconds since 1970.
    var since: Int64 = 0
    /// Time without progress on the way in seconds, counted once a second.
    var stuck = 0
    /// Number of searches for a way since the last progress.
    var tries = 0
    /// The shortest rest of the way so far, in metres, and the time since it last became shorter, in seconds.
    var least = (way: Double.infinity, seconds: 0)
    /// The current or last trip between floors.
    var ride = Ride()
    /// The vertical ways that the person found too crowded on the way to the current goal.
    var avoided: Set<Int> = []
    /// The car that the person is leaving: vertical way and stop.
    var car = (way: -1, stop: -1)
  }

  enum Phase: UInt8 {
    case away, walking, dwelling, waitingForStairs, climbing, alighting, waitingForCar, called, inCar, inLine, served
    case steppingAside
    /// The person has no way to an exit.
    case lockedIn
    case gone
  }

  enum Goal: UInt8 {
    case stop, exit
  }

  init(
    _ itineraries: [Itinerary], fields: RouteFields, world: World, replication: Replication, model: CrowdMovement,
    threads: Int
  ) {
    self.itineraries = itineraries
    self.fields = fields
    self.world = world
    self.threads = threads
    plane = FloorPlane(world)
    crowd = PedestrianCrowd(
      walls: plane.walls, oneWays: plane.oneWays, people: itineraries.count, doorways: plane.doors.count,
      settings: model.settings,
      seed: replication.seed &+ UInt64(replication.number) &* 0x9e37_79b9)
    landings = Landings(world)
    hasLines = itineraries.contains { $0.stops.contains { $0.service != nil } }
    step = model.step
    checksEveryStep = model.checksEveryStep
    isInterrupted = model.isInterrupted
    now = replication.start.milliseconds
    let end = replication.end.milliseconds
    self.end = end
    walkers = Array(repeating: Walker(), count: itineraries.count)
    recorders = itineraries.map { TrackRecorder(person: $0.person, end: end, step: model.step) }
    tracks = Array(repeating: Track(), count: itineraries.count)
    rides = itineraries.indices.map { replication.random(Stream.rides, entity: $0) }
    let landings = landings
    cars = world.routes.navigation.verticals.enumerated().map { way, vertical in
      ElevatorCar(way: way, levels: vertical.stops.map(\.level), capacity: landings.capacity(of: way))
    }
    admissions = landings.flights.enumerated().map { way, flights in
      StairAdmission(capacities: landings.order[way].map { flights.isEmpty ? 0 : flights[$0].capacity })
    }
    outside = Array(repeating: [], count: world.entrances.count)
    for (number, itinerary) in itineraries.enumerated() {
      events.add(.arrival, number, at: itinerary.arrival.milliseconds)
      crowd.join(BuildingWalk.party(of: number, itineraries))
    }
  }

  /// Returns the members of a party if `number` is the lowest of them, and nothing otherwise.
  private static func party(of number: Int, _ itineraries: [Itinerary]) -> [Int] {
    var party = [number]
    var next = itineraries[number].companion
    while let other = next, other != number {
      guard other > number, itineraries.indices.contains(other), party.count < itineraries.count else { return [] }
      party.append(other)
      next = itineraries[other].companion
    }
    return next == number ? party : []
  }

  /// Runs the walk to its end.
  func run(progress: (@Sendable (Double) -> Void)?) -> MovementResult {
    let begin = now
    var told = 0
    var tick: Int64 = 0
    while now < end {
      while let event = events.next(until: now) { handle(event) }
      let percent = Int((now - begin) * 100 / max(end - begin, 1))
      if percent > told {
        told = percent
        progress?(Double(percent) / 100)
      }
      guard crowd.walkerCount > 0 else {
        // If no person walks, time skips to the next event.
        guard let next = events.nextTime, next < end else { break }
        now += max((next - now + step - 1) / step, 1) * step
        continue
      }
      stepEverybody()
      tick += step
      if tick >= 1_000 {
        tick -= 1_000
        lookAfterTheStuck()
        lookAfterStairs()
        if hasLines { joinLines() }
        packWays()
        if let isInterrupted, isInterrupted() {
          figures.interruptedAt = now
          break
        }
      }
    }
    now = end
    finish()
    progress?(1)
    let made = crowd.figures
    figures.agentSteps = made.personSteps
    figures.overlaps = made.overlaps
    figures.minimumGap = made.minimumGap
    figures.wallCrossings = made.wallCrossings
    return MovementResult(tracks: tracks, figures: figures)
  }

  private func stepEverybody() {
    crowd.step(seconds: Double(step) / 1_000, threads: threads)
    now += step
    for walker in crowd.walkers {
      let number = Int(walker)
      let floor = walkers[number].floor
      let point = plane.local(crowd.position(of: number), floor: floor)
      recorders[number].move(to: point, at: now)
      if checksEveryStep, !world.plan.isWalkable(point, floor: floor) { figures.outside += 1 }
    }
    for number in crowd.arrived { arrived(number) }
    for number in crowd.lost {
      switch walkers[number].phase {
      case .walking, .called, .climbing, .alighting:
        figures.detours += 1
        lookForTheWay(number)
      default: break
      }
    }
  }

  private func handle(_ event: WalkEvents.Event) {
    let number = event.number
    switch event.kind {
    case .arrival:
      let entrance = itineraries[number].entrance
      outside[entrance].append(number)
      if outside[entrance].count == 1 { comeIn(through: entrance) }
    case .entrance: comeIn(through: number)
    case .departure: if walkers[number].phase == .dwelling { wantToGo(number) }
    case .stepOff: if walkers[number].phase == .climbing { changeFloor(number) } else { getOff(number) }
    case .stepOn: stepOn(number)
    case .carPasses: carPasses(number)
    case .served: endService(number)
    case .carOpens: carOpens(number)
    case .carCloses: if now >= cars[number].closesAt { carCloses(number) }
    case .goOn:
      if walkers[number].phase == .steppingAside {
        walkers[number].phase = .walking
        lookForTheWay(number)
      }
    }
  }

  /// Admits the first person in front of an entrance if there is room behind it.
  private func comeIn(through entrance: Int) {
    guard let number = outside[entrance].first else { return }
    let place = world.entrances[entrance].place
    let point = plane.center(of: place)
    guard crowd.isFree(point, radius: 0.2, margin: 0.02) else {
      events.add(.entrance, entrance, at: now + 3 * step)
      return
    }
    outside[entrance].removeFirst()
    if !outside[entrance].isEmpty { events.add(.entrance, entrance, at: now + step) }
    let itinerary = itineraries[number]
    crowd.place(number, at: point, freeSpeed: itinerary.freeSpeed)
    walkers[number].floor = place.floor
    walkers[number].phase = .walking
    recorders[number].begin(
      at: world.entrances[entrance].position, floor: world.plan.floors[place.floor].ordinal.thousandths, time: now)
    goOn(number)
  }

  /// Closes all tracks at the end of the run.
  private func finish() {
    for number in itineraries.indices {
      switch walkers[number].phase {
      case .away, .gone: break
      case .dwelling: noteStay(number, until: end)
      case .inLine, .waitingForStairs, .waitingForCar, .called, .served: noteWait(number, until: end)
      case .walking, .climbing, .alighting, .inCar, .lockedIn, .steppingAside: break
      }
      if walkers[number].phase != .gone, recorders[number].hasBegun { recorders[number].rest(until: end) }
      recorders[number].close()
      tracks[number].segments = recorders[number].segments
    }
  }

  /// Removes unused waypoints from the pool.
  private func packWays() {
    guard crowd.marks.count > marksAfterPacking * 2 + 4_096 else { return }
    crowd.packWays()
    marksAfterPacking = crowd.marks.count
  }
}
