import CordonContacts
import CordonCore
import CordonGeometry
import CordonNavigation
import CordonVenues

/// Movement without bodies: people travel between places in the time that the way takes, for ensembles of many days.
///
/// The way between two destinations, through its doors, is computed once, as is the way from each spot to the centre of
/// its destination. A trip is composed of these. The model records the times of people at places and on their way.
package struct Mesoscopic: MovementModel {
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
    var ways = TripTable()
    ways.add(itineraries, limited: limits, fields: fields, world: world, threads: threads)
    return tracks(
      of: itineraries, ways: ways, fields: fields, world: world, replication: replication, threads: threads,
      progress: progress)
  }

  /// Moves all people with an existing table of ways.
  /// - Parameter limitedSpaces: the spaces of ``limits``; `nil` to find them.
  package func tracks(
    of itineraries: [Itinerary], ways: TripTable, fields: RouteFields, world: World, replication: Replication,
    threads: Int, limitedSpaces: LimitedSpaces? = nil, progress: (@Sendable (Double) -> Void)? = nil
  ) -> MovementResult {
    let people = IndependentWalkers(
      count: itineraries.count, replication: replication, threads: threads, isInterrupted: isInterrupted,
      progress: progress, limits: limitedSpaces ?? LimitedSpaces(limits, in: world))
    return people.moved(fields) { index in
      Traveller(
        itineraries[index], ways: ways, world: world,
        rides: replication.random(Stream.rides, entity: index))
    }
  }
}

/// One person on one day.
private struct Traveller: SoloWalker {
  let itinerary: Itinerary
  private let ways: TripTable
  private let world: World
  private var rides: RandomStream
  /// The last destination or entrance as in ``TripTable/Key``, and the spot there.
  private var last: Int
  private var spot: Place?

  init(_ itinerary: Itinerary, ways: TripTable, world: World, rides: RandomStream) {
    last = -1 - itinerary.entrance
    self.ways = ways
    self.itinerary = itinerary
    self.world = world
    self.rides = rides
  }

  var here: (point: PlanePoint, floor: Int32) { position(of: spot ?? world.entrances[itinerary.entrance].place) }

  mutating func go(to stop: Itinerary.Stop, recording way: inout some MoveRecorder) -> Bool {
    guard let trip = ways.trip(last, stop.destination), let approach = ways.approach(stop.spot) else { return false }
    returnToAnchor(recording: &way)
    go(trip, recording: &way)
    goInReverse(approach, recording: &way)
    (last, spot) = (stop.destination, stop.spot)
    return true
  }

  mutating func goOut(recording way: inout some MoveRecorder) -> Bool {
    guard let trip = ways.trip(last, -1 - itinerary.exit) else { return false }
    returnToAnchor(recording: &way)
    go(trip, recording: &way)
    return true
  }

  func position(of stop: Itinerary.Stop) -> (point: PlanePoint, floor: Int32, space: Int?) {
    let (point, floor) = position(of: stop.spot)
    return (point, floor, world.destinations[stop.destination].space)
  }

  /// Goes back: the table has only the ways between destinations.
  mutating func turnAround(
    from earlier: Traveller, after walked: [MoveList.Move], recording way: inout some MoveRecorder
  ) {
    (last, spot) = (earlier.last, earlier.spot)
    for move in walked.reversed() {
      var back = move
      (back.from, back.to) = (move.to, move.from)
      back.record(in: &way)
    }
  }

  private mutating func returnToAnchor(recording way: inout some MoveRecorder) {
    if let spot, let approach = ways.approach(spot) { go(approach, recording: &way) }
  }

  private mutating func go(_ parts: [TripTable.Part], recording way: inout some MoveRecorder) {
    for part in parts {
      switch part {
      case .walk(let leg): walk(leg, recording: &way)
      case .ride(let kind, let levels, let leaving, let arriving):
        ride(kind, levels, leaving, arriving, recording: &way)
      }
    }
  }

  private mutating func goInReverse(_ parts: [TripTable.Part], recording way: inout some MoveRecorder) {
    for part in parts.reversed() {
      switch part {
      case .walk(let leg): walk(leg.backwards, recording: &way)
      case .ride(let kind, let levels, let leaving, let arriving):
        ride(kind, -levels, arriving.backwards, leaving.backwards, recording: &way)
      }
    }
  }

  private func walk(_ leg: Segment, recording way: inout some MoveRecorder) {
    let (dx, dy) = (leg.x1 - leg.x0, leg.y1 - leg.y0)
    let seconds = (dx * dx + dy * dy).squareRoot() / itinerary.freeSpeed
    way.advance(seconds: seconds, from: leg.begin, to: leg.finish, floor: leg.floor)
  }

  private mutating func ride(
    _ kind: Connection.Kind, _ levels: Double, _ leaving: Segment, _ arriving: Segment,
    recording way: inout some MoveRecorder
  ) {
    let seconds = kind.seconds(levels: levels, freeSpeed: itinerary.freeSpeed, &rides)
    for half in [leaving, arriving] {
      way.ride(seconds: seconds, from: half.begin, to: half.finish, floor: half.floor)
    }
  }

  private func position(of place: Place) -> (point: PlanePoint, floor: Int32) {
    (world.routes.navigation.center(of: place), world.plan.floors[place.floor].ordinal.thousandths)
  }
}

extension Segment {
  fileprivate var backwards: Segment {
    Segment(device: device, floor: floor, start: start, end: end, x0: x1, y0: y1, x1: x0, y1: y0)
  }

  fileprivate var begin: PlanePoint { PlanePoint(x: x0, y: y0) }

  fileprivate var finish: PlanePoint { PlanePoint(x: x1, y: y1) }
}
