import CordonContacts
import CordonCore
import CordonGeometry
import CordonNavigation
import CordonVenues

/// Movement without interaction: people follow their ways at their own speed and pass through each other.
package struct WayFollowing: MovementModel {
  /// Polled before each person; `true` ends the run early, at the time in ``MovementFigures/interruptedAt``.
  package var isInterrupted: (@Sendable () -> Bool)?
  /// The maximum number of people who stay at a destination at a time, by its index; people who pass do not count.
  package var limits: [Int: Int] = [:]

  /// Creates the model; the itineraries contain the speeds.
  package init() {}

  /// Moves all people, each independently of the others.
  package func tracks(
    of itineraries: [Itinerary], fields: RouteFields, world: World, replication: Replication, threads: Int,
    progress: (@Sendable (Double) -> Void)?
  ) -> MovementResult {
    let people = IndependentWalkers(
      count: itineraries.count, replication: replication, threads: threads, isInterrupted: isInterrupted,
      progress: progress, limits: LimitedSpaces(limits, in: world))
    let landings = Landings(world)
    return people.moved(fields) { index in
      Walker(
        itineraries[index], world: world, landings: landings, fields: fields,
        rides: replication.random(Stream.rides, entity: itineraries[index].person))
    }
  }
}

/// One person on their way.
private struct Walker: SoloWalker {
  let itinerary: Itinerary
  private let world: World
  private let landings: Landings
  private let fields: RouteFields
  private var rides: RandomStream
  private var place: Place

  init(_ itinerary: Itinerary, world: World, landings: Landings, fields: RouteFields, rides: RandomStream) {
    self.itinerary = itinerary
    self.world = world
    self.landings = landings
    self.fields = fields
    self.rides = rides
    place = world.entrances[itinerary.entrance].place
  }

  var here: (point: PlanePoint, floor: Int32) { (center(place), ordinal(place.floor)) }

  mutating func go(to stop: Itinerary.Stop, recording way: inout some MoveRecorder) -> Bool {
    fields.destination(stop.destination).map { go(to: stop.spot, along: $0, recording: &way) } ?? false
  }

  mutating func goOut(recording way: inout some MoveRecorder) -> Bool {
    fields.exit(itinerary.exit).map {
      go(to: world.entrances[itinerary.exit].place, along: $0, recording: &way)
    } ?? false
  }

  func position(of stop: Itinerary.Stop) -> (point: PlanePoint, floor: Int32, space: Int?) {
    (center(stop.spot), ordinal(stop.spot.floor), world.destinations[stop.destination].space)
  }

  mutating func turnAround(from earlier: Walker, after walked: [MoveList.Move], recording way: inout some MoveRecorder)
  {
    place = earlier.place
    guard let last = walked.last else { return }
    let navigation = world.routes.navigation
    for floor in world.plan.floors.indices where ordinal(floor) == last.floor {
      guard let cell = navigation.floors[floor].cell(at: last.to) else { continue }
      place = Place(floor: floor, cell: cell)
      walk([last.to, center(place)], floor: floor, recording: &way)
      return
    }
  }

  /// Walks and rides to a place; returns `false` if there is no way.
  private mutating func go(
    to goal: Place, along field: DistanceField, recording way: inout some MoveRecorder
  ) -> Bool {
    guard let legs = world.routes.navigation.route(from: place, to: goal, along: field) else { return false }
    for leg in legs {
      switch leg {
      case .walk(let floor, let points): walk(points, floor: floor, recording: &way)
      case .ride(let vertical, let from, let to): ride(vertical, from: from, to: to, recording: &way)
      }
    }
    place = goal
    return true
  }

  private func walk(_ points: [PlanePoint], floor: Int, recording way: inout some MoveRecorder) {
    for (a, b) in zip(points, points.dropFirst()) {
      let seconds = PlaneSegment(a, b).length / itinerary.freeSpeed
      way.advance(seconds: seconds, from: a, to: b, floor: ordinal(floor))
    }
  }

  /// Spends the first half of a ride on the part that the floor of departure shows, and the second half on the other
  /// floor.
  private mutating func ride(_ vertical: Int, from: Int, to: Int, recording way: inout some MoveRecorder) {
    let stops = world.routes.navigation.verticals[vertical].stops
    let seconds = landings.kinds[vertical].seconds(
      levels: stops[to].level - stops[from].level, freeSpeed: itinerary.freeSpeed, &rides)
    let half = landings.halfWay(vertical, from: from, to: to, number: itinerary.person)
    for (a, b) in [(landings.centers[vertical][from], half.leaving), (half.arriving, landings.centers[vertical][to])] {
      way.ride(seconds: seconds, from: center(a), to: center(b), floor: ordinal(a.floor))
    }
  }

  private func center(_ place: Place) -> PlanePoint { world.routes.navigation.center(of: place) }

  private func ordinal(_ floor: Int) -> Int32 { world.plan.floors[floor].ordinal.thousandths }
}
