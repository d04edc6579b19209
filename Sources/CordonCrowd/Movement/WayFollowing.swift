import CordonContacts
import CordonCore
import CordonGeometry
import CordonNavigation
import CordonVenues

/// Movement without interaction: people follow their ways at their own speed and pass through each other.
package struct WayFollowing: MovementModel {
  /// Polled before each person; `true` ends the run early, at the time in ``MovementFigures/interruptedAt``.
  package var isInterrupted: (@Sendable () -> Bool)?

  /// Creates the model, which has no parameters; the itineraries contain the speeds.
  package init() {}

  /// Moves all people, each independently of the others.
  package func tracks(
    of itineraries: [Itinerary], fields: RouteFields, world: World, replication: Replication, threads: Int,
    progress: (@Sendable (Double) -> Void)?
  ) -> MovementResult {
    let people = IndependentWalkers(
      count: itineraries.count, replication: replication, threads: threads, isInterrupted: isInterrupted,
      progress: progress)
    let landings = Landings(world)
    return people.moved(fields) { index, end in
      Walker(
        itineraries[index], world: world, landings: landings, fields: fields, end: end,
        rides: replication.random(Stream.rides, entity: itineraries[index].person))
    }
  }
}

/// One person on their way.
private struct Walker: SoloWalker {
  var timed: TimedTrack
  let itinerary: Itinerary
  private let world: World
  private let landings: Landings
  private let fields: RouteFields
  private var rides: RandomStream
  private var place: Place

  init(
    _ itinerary: Itinerary, world: World, landings: Landings, fields: RouteFields, end: Int64, rides: RandomStream
  ) {
    timed = TimedTrack(itinerary, end: end)
    self.itinerary = itinerary
    self.world = world
    self.landings = landings
    self.fields = fields
    self.rides = rides
    place = world.entrances[itinerary.entrance].place
  }

  mutating func go(to stop: Itinerary.Stop) -> Bool {
    fields.destination(stop.destination).map { go(to: stop.spot, along: $0) } ?? false
  }

  func position(of stop: Itinerary.Stop) -> (point: PlanePoint, floor: Int32, space: Int?) {
    (center(stop.spot), ordinal(stop.spot.floor), world.destinations[stop.destination].space)
  }

  mutating func leave() {
    guard !timed.hasEnded else { return }
    let exit = world.entrances[itinerary.exit].place
    if let field = fields.exit(itinerary.exit), go(to: exit, along: field) {
      timed.leave()
    } else {
      timed.countUnreachable()
      wait(until: Double(timed.end))
    }
    // A person who turns back in the doorway has a track too.
    if timed.track.segments.isEmpty { wait(until: timed.time + 1_000) }
  }

  /// Walks and rides to a place; returns `false` if there is no way.
  private mutating func go(to goal: Place, along field: DistanceField) -> Bool {
    guard let legs = world.routes.navigation.route(from: place, to: goal, along: field) else { return false }
    for leg in legs {
      switch leg {
      case .walk(let floor, let points): walk(points, floor: floor)
      case .ride(let way, let from, let to): ride(way, from: from, to: to)
      }
    }
    place = goal
    return true
  }

  private mutating func walk(_ points: [PlanePoint], floor: Int) {
    for (a, b) in zip(points, points.dropFirst()) {
      let seconds = PlaneSegment(a, b).length / itinerary.freeSpeed
      timed.advance(seconds: seconds, from: a, to: b, floor: ordinal(floor))
    }
  }

  /// Spends the first half of a ride on the part that the floor of departure shows, and the second half on the other
  /// floor.
  private mutating func ride(_ way: Int, from: Int, to: Int) {
    let stops = world.routes.navigation.verticals[way].stops
    let seconds = landings.kinds[way].seconds(
      levels: stops[to].level - stops[from].level, freeSpeed: itinerary.freeSpeed, &rides)
    let half = landings.halfWay(way, from: from, to: to, number: itinerary.person)
    for (a, b) in [(landings.centers[way][from], half.leaving), (half.arriving, landings.centers[way][to])] {
      timed.ride(seconds: seconds, from: center(a), to: center(b), floor: ordinal(a.floor))
    }
  }

  private mutating func wait(until time: Double) {
    timed.wait(until: time, at: center(place), floor: ordinal(place.floor))
  }

  private func center(_ place: Place) -> PlanePoint { world.routes.navigation.center(of: place) }

  private func ordinal(_ floor: Int) -> Int32 { world.plan.floors[floor].ordinal.thousandths }
}
