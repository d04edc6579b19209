import CordonContacts
import CordonCore
import CordonGeometry
import CordonVenues

/// Movement without bodies: people travel between places in the time that the way takes, for ensembles of many days.
///
/// The way between two destinations, through its doors, is computed once, as is the way from each spot to the centre of
/// its destination. A trip is composed of these. The model records the times of people at places and on their way.
public struct Mesoscopic: MovementModel {
  /// Polled before each person; `true` ends the run early, at the time in ``MovementFigures/interruptedAt``.
  public var isInterrupted: (@Sendable () -> Bool)?

  /// Creates the model, which has no parameters; the itineraries contain the speeds.
  public init() {}

  /// Moves all people, each independently of the others.
  public func tracks(
    of itineraries: [Itinerary], fields: RouteFields, world: World, replication: Replication, threads: Int,
    progress: (@Sendable (Double) -> Void)?
  ) -> MovementResult {
    var ways = TripTable()
    ways.add(itineraries, fields: fields, world: world, threads: threads)
    return tracks(
      of: itineraries, ways: ways, world: world, replication: replication, threads: threads, progress: progress)
  }

  /// Moves all people with an existing table of ways.
  func tracks(
    of itineraries: [Itinerary], ways: TripTable, world: World, replication: Replication, threads: Int,
    progress: (@Sendable (Double) -> Void)? = nil
  ) -> MovementResult {
    let people = IndependentWalkers(
      count: itineraries.count, replication: replication, threads: threads, isInterrupted: isInterrupted,
      progress: progress)
    return people.moved { index, end in
      var traveller = Traveller(
        itineraries[index], world: world, end: end, rides: replication.random(Stream.rides, entity: index))
      traveller.run(ways)
      return traveller.track
    }
  }
}

/// One person on one day.
private struct Traveller {
  private(set) var track = Track()
  private let itinerary: Itinerary
  private let world: World
  private let end: Int64
  private var rides: RandomStream
  private var time: Double
  private var stamp: Int64

  init(_ itinerary: Itinerary, world: World, end: Int64, rides: RandomStream) {
    self.itinerary = itinerary
    self.world = world
    self.rides = rides
    self.end = end
    stamp = itinerary.arrival.milliseconds
    time = Double(stamp)
  }

  mutating func run(_ ways: TripTable) {
    var last = -1 - itinerary.entrance
    var spot: Place?
    for stop in itinerary.stops where stamp < end {
      guard let trip = ways.trip(last, stop.destination), let approach = ways.approach(stop.spot) else {
        track.unreachable += 1
        continue
      }
      comeBack(from: spot, ways)
      go(trip)
      goBackwards(approach)
      let start = stamp
      let leave = max(time, Double(stop.end(from: Int64(time), least: 5_000)))
      wait(until: leave, at: stop.spot)
      guard start < end else { break }
      track.stays.append(
        Stay(
          destination: stop.destination, space: world.destinations[stop.destination].space,
          start: Instant(milliseconds: start), end: Instant(milliseconds: min(stamp, end))))
      (last, spot) = (stop.destination, stop.spot)
    }
    if stamp < end {
      if let trip = ways.trip(last, -1 - itinerary.exit) {
        comeBack(from: spot, ways)
        go(trip)
        track.hasLeft = stamp <= end
      } else {
        track.unreachable += 1
        wait(until: Double(end), at: spot ?? world.entrances[itinerary.entrance].place)
      }
    }
    if track.segments.isEmpty { wait(until: time + 1_000, at: world.entrances[itinerary.entrance].place) }
  }

  private mutating func comeBack(from spot: Place?, _ ways: TripTable) {
    if let spot, let approach = ways.approach(spot) { go(approach) }
  }

  private mutating func go(_ parts: [TripTable.Part]) {
    for part in parts {
      switch part {
      case .walk(let leg): walk(leg.floor, leg.x0, leg.y0, leg.x1, leg.y1)
      case .ride(let kind, let levels, let leaving, let coming): ride(kind, levels, leaving, coming)
      }
    }
  }

  private mutating func goBackwards(_ parts: [TripTable.Part]) {
    for part in parts.reversed() {
      switch part {
      case .walk(let leg): walk(leg.floor, leg.x1, leg.y1, leg.x0, leg.y0)
      case .ride(let kind, let levels, let leaving, let coming):
        ride(kind, -levels, coming.backwards, leaving.backwards)
      }
    }
  }

  private mutating func walk(_ floor: Int32, _ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double) {
    let length = ((x1 - x0) * (x1 - x0) + (y1 - y0) * (y1 - y0)).squareRoot()
    advance(length / itinerary.freeSpeed, floor, PlanePoint(x: x0, y: y0), PlanePoint(x: x1, y: y1))
  }

  private mutating func ride(_ kind: Connection.Kind, _ levels: Double, _ leaving: Segment, _ coming: Segment) {
    let seconds = kind.seconds(levels: levels, freeSpeed: itinerary.freeSpeed, &rides)
    for half in [leaving, coming] {
      let (begin, end) = (PlanePoint(x: half.x0, y: half.y0), PlanePoint(x: half.x1, y: half.y1))
      // Half a level takes at least as long as the walk across its part of the floor.
      advance(max(seconds / 2, PlaneSegment(begin, end).length / itinerary.freeSpeed), half.floor, begin, end)
    }
  }

  private mutating func wait(until moment: Double, at place: Place) {
    let point = world.routes.navigation.center(of: place)
    advance(max(0, moment - time) / 1_000, world.plan.floors[place.floor].ordinal.thousandths, point, point)
  }

  private mutating func advance(_ seconds: Double, _ floor: Int32, _ a: PlanePoint, _ b: PlanePoint) {
    guard stamp < end else { return }
    time += seconds * 1_000
    let until = Int64(min(time, 9e15).rounded())
    guard until > stamp else { return }
    let last = min(until, end)
    var reached = b
    if last < until {
      let point = PlaneSegment(a, b).point(at: Double(last - stamp) / Double(until - stamp))
      reached = PlanePoint(x: (point.x * 1e4).rounded() / 1e4, y: (point.y * 1e4).rounded() / 1e4)
    }
    track.segments.append(
      Segment(
        device: Int32(itinerary.person), floor: floor, start: stamp, end: last, x0: a.x, y0: a.y, x1: reached.x,
        y1: reached.y))
    stamp = until
  }
}

extension Segment {
  fileprivate var backwards: Segment {
    Segment(device: device, floor: floor, start: start, end: end, x0: x1, y0: y1, x1: x0, y1: y0)
  }
}
