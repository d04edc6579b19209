import CordonCore
import CordonGeometry
import CordonNavigation
import CordonVenues

/// The queues in front of the service points of a building.
final class ServiceQueues {
  private let state: WalkState
  weak var coordinator: (any WalkCoordinator)?
  /// The queues by destination, each created when a person first heads for it.
  private var queues: [Int: ServiceQueue] = [:]
  /// Whether a stop of an itinerary is a service.
  let isUsed: Bool

  /// Distance from the end of a queue or a person in it at which a person joins; the first one while the queue is
  /// empty. In metres.
  private static let emptyReach = 0.6
  private static let reach = 1.0
  /// Distance from the own place up to which a person need not move up, in metres.
  private static let slack = 0.3

  init(_ state: WalkState) {
    self.state = state
    isUsed = state.itineraries.contains { $0.stops.contains { $0.service != nil } }
  }

  /// Returns the queue at a destination.
  func queue(at destination: Int) -> ServiceQueue {
    if let queue = queues[destination] { return queue }
    let world = state.world
    let target = world.destinations[destination]
    let field = state.fields.destination(destination)
    // The queue follows the way from the nearest entrance on the floor, or from the farthest spot if there is none.
    let raster = world.routes.navigation.floors[target.floor]
    let entrances = world.entrances.map(\.place).filter { $0.floor == target.floor }
    let nearest = entrances.compactMap { place in
      field?.distance(of: place.cell, on: raster).map { (place: place, distance: $0) }
    }.min { $0.distance < $1.distance }
    let queue = ServiceQueue(
      to: target.anchor, from: nearest?.place ?? target.spots.last, along: field, in: world,
      isKeptFree: { state.blocksPassage($0, floor: target.floor) })
    queues[destination] = queue
    return queue
  }

  /// Returns the place of a person's current goal: a spot, the person's place in a queue, or the exit.
  func goalPlace(of person: Int) -> Place {
    let (walker, itinerary) = (state.walkers[person], state.itineraries[person])
    guard walker.goal == .stop, walker.stop < itinerary.stops.count else {
      return state.world.entrances[itinerary.exit].place
    }
    let stop = itinerary.stops[walker.stop]
    return stop.service == nil ? stop.spot : queue(at: stop.destination).place(of: person)
  }

  /// Updates the queues, once a second.
  ///
  /// People who reached a queue join it, and people on the way head for its current end.
  func update() {
    for number in state.crowd.walkers {
      let person = Int(number)
      let walker = state.walkers[person]
      guard walker.phase == .walking, walker.goal == .stop, walker.leg + 1 >= walker.legs.count,
        walker.stop < state.itineraries[person].stops.count
      else { continue }
      let stop = state.itineraries[person].stops[walker.stop]
      guard stop.service != nil, state.world.destinations[stop.destination].floor == walker.floor else { continue }
      let queue = queue(at: stop.destination)
      let here = state.recorders[person].position
      let end = queue.place(of: person)
      let reach = queue.people.isEmpty ? Self.emptyReach : Self.reach
      if sees(here, state.center(of: end), floor: walker.floor, within: reach)
        || queue.people.contains(where: {
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

  /// Adds a person to the end of a queue.
  func join(_ person: Int, at destination: Int) {
    if state.walkers[person].phase == .queueing { return state.stay(person) }
    _ = queue(at: destination)
    queues[destination]?.join(person)
    state.walkers[person].begin(.queueing)
    state.walkers[person].since = state.now
    state.stay(person)
    if queues[destination]?.people.first == person {
      serve(person, at: destination)
    } else {
      moveUp(person, at: destination)
    }
  }

  private func serve(_ person: Int, at destination: Int) {
    let stop = state.itineraries[person].stops[state.walkers[person].stop]
    state.recordWait(person, until: state.now)
    state.walkers[person].phase = .served
    state.walkers[person].since = state.now
    moveUp(person, at: destination)
    state.events.add(.served, person, at: state.now + max(stop.service?.milliseconds ?? 0, 1))
  }

  private func moveUp(_ person: Int, at destination: Int) {
    guard let queue = queues[destination] else { return }
    let place = queue.place(of: person)
    guard PlaneSegment(state.recorders[person].position, state.center(of: place)).length > Self.slack else { return }
    state.send(person, to: place, radius: 0.15, along: state.fields.destination(destination))
  }

  /// Ends the service of a person: the person walks on, and the queue moves up.
  func endService(_ person: Int) {
    guard state.walkers[person].phase == .served else { return }
    let destination = state.itineraries[person].stops[state.walkers[person].stop].destination
    state.walkers[person].phase = .dwelling
    state.recordStay(person, until: state.now)
    state.recorders[person].rest(until: state.now)
    let waiting = queues[destination]?.next() ?? []
    state.walkers[person].stop += 1
    coordinator?.proceed(person)
    for (place, other) in waiting.enumerated() where state.walkers[other].phase == .queueing {
      if place == 0 { serve(other, at: destination) } else { moveUp(other, at: destination) }
    }
  }
}
