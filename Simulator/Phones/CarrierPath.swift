import CordonContacts
import CordonCore
import CordonGeometry

/// Where the carrier of a phone is, from the street to the street, once or several times.
struct CarrierPath: Sendable {
  private let speed: Double
  private let visits: [Visit]
  private var current = 0
  private var cursor: TruthCursor

  /// A place, and what a perfect phone would know of it.
  struct Place: Sendable {
    var point: PlanePoint
    /// `nil` outside.
    var floor: FloorOrdinal?
    var isStill: Bool
  }

  private struct Visit: Sendable {
    var arrival: Instant
    var departure: Instant
    var wayIn: OutsidePath
    /// `nil` for one who stays to the end of the run.
    var wayOut: OutsidePath?
    /// When the person sets out from beyond the geofence.
    var start: Instant
    /// When the person is beyond it again.
    var end: Instant
  }

  /// The path of one person of the truth; `nil` for somebody who never comes.
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
          // Who comes back at once turns round on the way.
          start: max(start, visits.last?.end ?? start),
          end: wayOut.map { visit.departure + time($0) } ?? Instant(milliseconds: .max)))
    }
    guard !visits.isEmpty else { return nil }
    self.speed = speed
    self.visits = visits
    cursor = TruthCursor(truth, person: person)
  }

  /// When the person first sets out from beyond the geofence.
  var start: Instant { visits[0].start }

  /// When the person is beyond the geofence again for good; never, for one who stays.
  var end: Instant { visits[visits.count - 1].end }

  /// When the person next sets out, for one who is away at a time; `nil` for one who is on a visit, or does not
  /// come again.
  func nextStart(awayAt time: Instant) -> Instant? {
    for visit in visits[current...] {
      if time < visit.start { return visit.start }
      if time <= visit.end { return nil }
    }
    return nil
  }

  /// Whether the person is on a visit, ways in and out included.
  func isAway(at time: Instant) -> Bool { !visits[current...].contains { $0.start <= time && time <= $0.end } }

  /// The place at a time; times must not go back. Before the start and after the end, the far ends of the way.
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
