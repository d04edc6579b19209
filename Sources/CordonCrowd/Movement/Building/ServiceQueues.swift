import CordonCore
import CordonGeometry
import CordonNavigation
import CordonVenues

/// The service points of a building: people stand in line in front of the servers, or wait until a server calls them.
///
/// ``QueueingStation`` decides who is served next; this class moves the people.
final class ServiceQueues {
  private let state: WalkState
  weak var coordinator: (any WalkCoordinator)?
  /// The queues by key, each created when a person first heads for it.
  private var queues: [Key: ServiceQueue] = [:]
  /// Whether a stop of an itinerary is a service.
  let isUsed: Bool

  /// A station of the plan by its index, or the only server of a destination.
  enum Key: Hashable {
    case station(Int)
    case destination(Int)
  }

  /// Distance from the end of a line or a person in it at which a person joins; the first one while nobody is there. In
  /// metres.
  private static let emptyReach = 0.6
  private static let reach = 1.0
  /// Distance from the own place up to which a person need not move up, in metres.
  private static let slack = 0.3

  init(_ state: WalkState) {
    self.state = state
    isUsed = state.itineraries.contains { $0.stops.contains(where: \.hasQueue) }
    for (index, station) in state.fields.stations.enumerated() {
      var times: Set<Int64> = []
      for server in station.servers { times.formUnion(server.hours.changes) }
      for time in times.sorted() where time < state.end { state.events.add(.desk, index, at: time) }
    }
  }

  // MARK: Places

  private func key(of stop: Itinerary.Stop) -> Key { stop.station.map(Key.station) ?? .destination(stop.destination) }

  /// Returns the queue of a stop.
  func queue(for stop: Itinerary.Stop) -> ServiceQueue { queue(key(of: stop)) }

  private func queue(_ key: Key) -> ServiceQueue {
    if let queue = queues[key] { return queue }
    let world = state.world
    let spec =
      switch key {
      case .station(let index): state.fields.stations[index]
      case .destination(let index): ServiceStation(name: "", servers: [.init(destination: index)])
      }
    var entry: Place?
    let destination = spec.servers[0].destination
    let field = state.fields.destination(destination)
    if !spec.callsPeople {
      // The line follows the way from the nearest entrance on the floor, or from the farthest spot if there is none.
      let target = world.destinations[destination]
      let raster = world.routes.navigation.floors[target.floor]
      let entrances = world.entrances.map(\.place).filter { $0.floor == target.floor }
      let nearest = entrances.compactMap { place in
        field?.distance(of: place.cell, on: raster).map { (place: place, distance: $0) }
      }.min { $0.distance < $1.distance }
      entry = nearest?.place ?? target.spots.last
    }
    let queue = ServiceQueue(
      spec, from: entry, along: field, in: world, isKeptFree: { state.blocksPassage($0, floor: $1) })
    queues[key] = queue
    return queue
  }

  /// Returns the place of a person's current goal: a spot, the person's place at a desk or in a line, or the exit.
  func goalPlace(of person: Int) -> Place {
    let (walker, itinerary) = (state.walkers[person], state.itineraries[person])
    guard walker.goal == .stop, walker.stop < itinerary.stops.count else {
      return state.world.entrances[itinerary.exit].place
    }
    let stop = itinerary.stops[walker.stop]
    guard stop.service != nil else {
      let destination = state.destination(of: person)
      return destination == stop.destination ? stop.spot : place(nextToDesksOf: destination)
    }
    let queue = queue(for: stop)
    guard queue.spec.callsPeople, walker.desk?.stop != walker.stop else {
      return queue.place(of: person, at: state.now)
    }
    return stop.spot
  }

  /// Returns a place for companions at a destination that was not planned for them: the spot nearest to its middle that
  /// is not the middle.
  private func place(nextToDesksOf destination: Int) -> Place {
    let target = state.world.destinations[destination]
    let middle = state.center(of: target.anchor)
    return target.spots.filter { $0 != target.anchor }.min {
      let (a, b) = (
        PlaneSegment(state.center(of: $0), middle).length, PlaneSegment(state.center(of: $1), middle).length
      )
      return (a, $0.cell) < (b, $1.cell)
    } ?? target.anchor
  }

  /// Updates the lines, once a second.
  ///
  /// People who reached a line join it, and people on the way head for its current end.
  func update() {
    for number in state.crowd.walkers {
      let person = Int(number)
      let walker = state.walkers[person]
      guard walker.phase == .walking, walker.goal == .stop, walker.leg + 1 >= walker.legs.count,
        walker.stop < state.itineraries[person].stops.count
      else { continue }
      let stop = state.itineraries[person].stops[walker.stop]
      guard stop.service != nil, state.world.destinations[stop.destination].floor == walker.floor else { continue }
      let queue = queue(for: stop)
      guard !queue.spec.callsPeople else { continue }
      let here = state.recorders[person].position
      let end = queue.place(of: person, at: state.now)
      let others = queue.station.served + queue.station.waiting
      let reach = others.isEmpty ? Self.emptyReach : Self.reach
      if sees(here, state.center(of: end), floor: walker.floor, within: reach)
        || others.contains(where: {
          sees(here, state.recorders[$0].position, floor: walker.floor, within: Self.reach)
        })
      {
        state.walkers[person].leg = walker.legs.count
        coordinator?.reachStop(person)
      } else if let last = state.crowd.lastMark(of: person),
        PlaneSegment(last, state.plane.center(of: end)).length > Self.slack
      {
        state.walkers[person].tries = 0
        coordinator?.replan(person)
      }
    }
  }

  private func sees(_ here: PlanePoint, _ there: PlanePoint, floor: Int, within reach: Double) -> Bool {
    PlaneSegment(here, there).length < reach && !state.isHidden(there, from: here, floor: floor)
  }

  // MARK: Service

  /// Handles a person who reached the line, the place to wait for a call, or the desk of the server who called.
  func join(_ person: Int) {
    let walker = state.walkers[person]
    guard walker.phase != .queueing, walker.phase != .served else { return state.stay(person) }
    if walker.desk?.stop == walker.stop { return beginService(person) }
    let stop = state.itineraries[person].stops[walker.stop]
    let key = key(of: stop)
    _ = queue(key)
    queues[key]?.station.join(person, at: state.now, appointment: stop.appointment?.milliseconds)
    state.walkers[person].begin(.queueing)
    state.walkers[person].since = state.now
    state.stay(person)
    dispatch(key)
    guard let queue = queues[key], let position = queue.station.position(of: person) else { return }
    // Those who have a later appointment step back.
    for other in queue.station.waiting[position...] { moveUp(other, in: queue) }
  }

  /// Begins as many services as there are free servers, and sends people away whom nobody will serve.
  private func dispatch(_ key: Key) {
    var hasCalled = false
    while let call = queues[key]?.station.callNext(at: state.now), let queue = queues[key] {
      hasCalled = true
      let person = call.customer
      state.recordWait(person, until: state.now)
      if state.itineraries[person].stops[state.walkers[person].stop].isUntilCalled {
        state.recordStay(person, until: state.now)
        state.walkers[person].stop += 1
      }
      state.walkers[person].desk = WalkerState.Desk(
        station: key, destination: queue.spec.servers[call.server].destination, stop: state.walkers[person].stop)
      if queue.spec.callsPeople {
        state.recorders[person].rest(until: state.now)
        state.walkers[person].resumeWalking()
        coordinator?.proceed(person)
      } else {
        beginService(person)
        moveUp(person, in: queue)
      }
    }
    guard let queue = queues[key] else { return }
    if !queue.station.opens(from: state.now) { return dismiss(queue.station.waiting, key) }
    if hasCalled { for person in queue.station.waiting { moveUp(person, in: queue) } }
  }

  private func beginService(_ person: Int) {
    let stop = state.itineraries[person].stops[state.walkers[person].stop]
    state.stay(person)
    state.walkers[person].begin(.served)
    state.walkers[person].since = state.now
    state.events.add(.served, person, at: state.now + max(stop.service?.milliseconds ?? 0, 1))
  }

  private func moveUp(_ person: Int, in queue: ServiceQueue) {
    guard !queue.spec.callsPeople else { return }
    let place = queue.place(of: person, at: state.now)
    guard PlaneSegment(state.recorders[person].position, state.center(of: place)).length > Self.slack else { return }
    state.send(person, to: place, radius: 0.15, along: state.fields.destination(queue.spec.servers[0].destination))
  }

  /// Makes people leave the queue of a station that has closed for good, and the building.
  private func dismiss(_ people: [Int], _ key: Key) {
    for person in people {
      queues[key]?.station.withdraw(person, at: state.now)
      state.recordWait(person, until: state.now)
      state.figures.unserved += 1
      state.recorders[person].rest(until: state.now)
      state.walkers[person].stop = state.itineraries[person].stops.count
      state.walkers[person].resumeWalking()
      coordinator?.proceed(person)
    }
  }

  /// Ends the service of a person: the person walks on, and the next one is served.
  func endService(_ person: Int) {
    guard state.walkers[person].phase == .served, let desk = state.walkers[person].desk else { return }
    state.walkers[person].phase = .dwelling
    state.recordStay(person, until: state.now)
    state.recorders[person].rest(until: state.now)
    queues[desk.station]?.station.complete(person, at: state.now)
    state.walkers[person].desk = nil
    state.walkers[person].stop += 1
    coordinator?.proceed(person)
    dispatch(desk.station)
  }

  /// Frees the server of a person who gave up the way to the desk.
  func release(_ person: Int) {
    guard let desk = state.walkers[person].desk, desk.stop != state.walkers[person].stop,
      state.itineraries[person].leader == nil
    else { return }
    state.walkers[person].desk = nil
    queues[desk.station]?.station.complete(person, at: state.now)
    dispatch(desk.station)
  }

  /// Handles the opening or closing of a server of a station of the plan.
  func updateServers(of station: Int) { if queues[.station(station)] != nil { dispatch(.station(station)) } }
}
