import CordonContacts
import CordonCore
import CordonGeometry
import CordonVenues

/// Movement without interaction: people follow their ways at their own speed and pass through each other.
public struct WayFollowing: MovementModel {
  /// Polled before each person; `true` ends the run early, at the time in ``MovementFigures/interruptedAt``.
  public var isInterrupted: (@Sendable () -> Bool)?

  /// Creates the model, which has no parameters; the itineraries contain the speeds.
  public init() {}

  /// Moves all people, each independently of the others.
  public func tracks(
    of itineraries: [Itinerary], fields: RouteFields, world: World, replication: Replication, threads: Int,
    progress: (@Sendable (Double) -> Void)?
  ) -> MovementResult {
    let people = IndependentWalkers(
      count: itineraries.count, replication: replication, threads: threads, isInterrupted: isInterrupted,
      progress: progress)
    let landings = Landings(world)
    return people.moved { index, end in
      let itinerary = itineraries[index]
      var walker = Walker(
        itinerary, world: world, landings: landings, end: end,
        rides: replication.random(Stream.rides, entity: itinerary.person))
      walker.run(fields: fields)
      return walker.track
    }
  }
}

/// One person on their way.
private struct Walker {
  private(set) var track = Track()
  private let itinerary: Itinerary
  private let world: World
  private let landings: Landings
  private let end: Int64
  private var rides: RandomStream
  /// The time in milliseconds since 1970, not rounded, so that rounding errors do not add up.
  private var time: Double
  private var stamp: Int64
  private var place: Place

  /// Minimum duration of a stay in milliseconds, also for people who arrive late.
  private static let minimumStay: Int64 = 5_000

  init(_ itinerary: Itinerary, world: World, landings: Landings, end: Int64, rides: RandomStream) {
    self.itinerary = itinerary
    self.world = world
    self.landings = landings
    self.end = end
    self.rides = rides
    stamp = itinerary.arrival.milliseconds
    time = Double(stamp)
    place = world.entrances[itinerary.entrance].place
  }

  mutating func run(fields: RouteFields) {
    for stop in itinerary.stops where stamp < end {
      guard let field = fields.destination(stop.destination), go(to: stop.spot, along: field) else {
        track.unreachable += 1
        continue
      }
      let start = stamp
      let leave = max(time, Double(stop.end(from: Int64(time), least: Walker.minimumStay)))
      wait(until: leave)
      guard start < end else { break }
      track.stays.append(
        Stay(
          destination: stop.destination, space: world.destinations[stop.destination].space,
          start: Instant(milliseconds: start), end: Instant(milliseconds: min(stamp, end))))
    }
    guard stamp < end else { return }
    let exit = world.entrances[itinerary.exit].place
    if let field = fields.exit(itinerary.exit), go(to: exit, along: field) {
      track.hasLeft = stamp <= end
    } else {
      track.unreachable += 1
      wait(until: Double(end))
    }
    // A person who turns back in the doorway has a track too.
    if track.segments.isEmpty { wait(until: time + 1_000) }
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
      advance(seconds: PlaneSegment(a, b).length / itinerary.freeSpeed, from: a, to: b, floor: floor)
    }
  }

  /// Spends the first half of a ride on the part that the floor of departure shows, and the second half on the other
  /// floor.
  private mutating func ride(_ way: Int, from: Int, to: Int) {
    let stops = world.routes.navigation.verticals[way].stops
    let seconds = landings.kinds[way].seconds(
      levels: stops[to].level - stops[from].level, freeSpeed: itinerary.freeSpeed, &rides)
    let half = landings.halfWay(way, from: from, to: to, number: itinerary.person)
    let navigation = world.routes.navigation
    for (a, b) in [(landings.centers[way][from], half.leaving), (half.coming, landings.centers[way][to])] {
      let (begin, end) = (navigation.center(of: a), navigation.center(of: b))
      // Half a level takes at least as long as the walk across its part of the floor.
      let least = PlaneSegment(begin, end).length / itinerary.freeSpeed
      advance(seconds: max(seconds / 2, least), from: begin, to: end, floor: a.floor)
    }
  }

  private mutating func wait(until moment: Double) {
    let position = world.routes.navigation.center(of: place)
    advance(seconds: max(0, moment - time) / 1_000, from: position, to: position, floor: place.floor)
  }

  private mutating func advance(seconds: Double, from a: PlanePoint, to b: PlanePoint, floor: Int) {
    guard stamp < end else { return }
    time += seconds * 1_000
    // The bound prevents an overflow in the arithmetic below.
    let until = Int64(min(time, 9e15).rounded())
    guard until > stamp else { return }
    let ordinal = world.plan.floors[floor].ordinal.thousandths
    let last = min(until, end)
    let reached =
      last == until ? b : rounded(PlaneSegment(a, b).point(at: Double(last - stamp) / Double(until - stamp)))
    track.segments.append(
      Segment(
        device: Int32(itinerary.person), floor: ordinal, start: stamp, end: last, x0: a.x, y0: a.y, x1: reached.x,
        y1: reached.y))
    // After the end of the run only the clock advances.
    stamp = until
  }

  private func rounded(_ point: PlanePoint) -> PlanePoint {
    PlanePoint(x: (point.x * 1e4).rounded() / 1e4, y: (point.y * 1e4).rounded() / 1e4)
  }
}
