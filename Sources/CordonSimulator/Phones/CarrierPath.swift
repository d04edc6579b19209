import CordonContacts
import CordonCore
import CordonGeometry

/// The path of the carrier of a phone, from the street and back to it, for one or several visits.
struct CarrierPath: Sendable {
  private let speed: Double
  private let visits: [Visit]
  private var current = 0
  private var cursor: TruthCursor

  /// A position, with the floor and motion that a perfect phone would report.
  struct Place: Sendable {
    var point: PlanePoint
    /// The floor; `nil` outside.
    var floor: FloorOrdinal?
    var isStill: Bool
  }

  private struct Visit: Sendable {
    var arrival: Instant
    var departure: Instant
    var wayIn: OutsidePath
    /// The way out; `nil` for a person who stays until the end of the run.
    var wayOut: OutsidePath?
    /// The time at which the person sets out from beyond the geofence.
    var start: Instant
    /// The time at which the person is beyond the geofence again.
    var end: Instant
  }

  /// Creates the path of one person of the truth; returns `nil` for a person who never arrives.
  init?(truth: Truth, person: Int, gate: any VenueGate, margin: Double) {
    let facts = truth.people[person]
    let speed = max(facts.freeSpeed, 0.3)
    let beyond = gate.geofence.exitRadius + margin
    var ways: [PlanePoint: OutsidePath] = [:]
    func way(_ door: PlanePoint) -> OutsidePath {
      if let known = ways[door] { return known }
      let made = OutsidePath(door: door, frame: truth.frame, gate: gate, beyond: beyond)
      ways[door] = made
      return made
    }
    func time(_ path: OutsidePath) -> TimeSpan {
      TimeSpan(milliseconds: Int64((path.length / speed * 1_000).rounded()))
    }
    var visits: [Visit] = []
    for visit in facts.visits {
      guard let first = truth.segments[visit.segmentRange].first, let last = truth.segments[visit.segmentRange].last
      else { continue }
      let wayIn = way(PlanePoint(x: first.x0, y: first.y0))
      let wayOut = visit.hasLeft ? way(PlanePoint(x: last.x1, y: last.y1)) : nil
      let start = visit.arrival - time(wayIn)
      visits.append(
        Visit(
          arrival: visit.arrival, departure: visit.departure, wayIn: wayIn, wayOut: wayOut,
          // A person who returns at once turns around on the way.
          start: max(start, visits.last?.end ?? start),
          end: wayOut.map { visit.departure + time($0) } ?? Instant(milliseconds: .max)))
    }
    guard !visits.isEmpty else { return nil }
    self.speed = speed
    self.visits = visits
    cursor = TruthCursor(truth, person: person)
  }

  /// The time at which the person first sets out from beyond the geofence.
  var start: Instant { visits[0].start }

  /// The time at which the person has left the geofence for good; never for a person who stays.
  var end: Instant { visits[visits.count - 1].end }

  /// Returns the start of the next visit of a person who is away at a time. Returns `nil` for a person who is on a
  /// visit or does not return.
  func nextStart(awayAt time: Instant) -> Instant? {
    for visit in visits[current...] {
      if time < visit.start { return visit.start }
      if time <= visit.end { return nil }
    }
    return nil
  }

  /// Checks whether the person is not on a visit, the ways in and out included.
  func isAway(at time: Instant) -> Bool { !visits[current...].contains { $0.start <= time && time <= $0.end } }

  /// Returns the position at a time; times must not decrease.
  ///
  /// Before the first visit and after the last one, it is the far end of the way.
  mutating func place(at time: Instant) -> Place {
    while current + 1 < visits.count, time > visits[current].end, time >= visits[current + 1].start { current += 1 }
    let visit = visits[current]
    if time < visit.arrival {
      let distance = min((visit.arrival - time).seconds * speed, visit.wayIn.length)
      return Place(point: visit.wayIn.point(at: distance), floor: nil, isStill: false)
    }
    if time > visit.departure, let out = visit.wayOut {
      let distance = min((time - visit.departure).seconds * speed, out.length)
      return Place(point: out.point(at: distance), floor: nil, isStill: false)
    }
    if let inside = cursor.position(at: min(time, visit.departure)) {
      return Place(point: inside.point, floor: inside.floor, isStill: inside.isStill)
    }
    return Place(point: visit.wayIn.point(at: 0), floor: nil, isStill: true)
  }
}
