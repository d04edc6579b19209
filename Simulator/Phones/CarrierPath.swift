import CordonContacts
import CordonCore
import CordonGeometry

/// Where the carrier of a phone is, from the street to the street.
struct CarrierPath: Sendable {
  private let speed: Double
  private let arrival: Instant
  private let departure: Instant
  private let hasLeft: Bool
  private let way: (in: OutsidePath, out: OutsidePath?)
  private var cursor: TruthCursor

  /// A place, and what a perfect phone would know of it.
  struct Place: Sendable {
    var point: PlanePoint
    /// `nil` outside.
    var floor: FloorOrdinal?
    var isStill: Bool
  }

  /// The path of one person of the truth; `nil` for somebody who never comes.
  init?(truth: Truth, person: Int, gate: any VenueGate, margin: Double) {
    let segments = truth.segments(of: person)
    guard let first = segments.first, let last = segments.last else { return nil }
    let facts = truth.people[person]
    let beyond = gate.geofence.exitRadius + margin
    arrival = facts.arrival
    departure = facts.departure
    hasLeft = facts.hasLeft
    speed = max(facts.freeSpeed, 0.3)
    let doorIn = PlanePoint(x: first.x0, y: first.y0)
    let doorOut = PlanePoint(x: last.x1, y: last.y1)
    let wayIn = OutsidePath(door: doorIn, frame: truth.frame, gate: gate, beyond: beyond)
    way = (
      in: wayIn,
      out: facts.hasLeft
        ? (doorOut == doorIn ? wayIn : OutsidePath(door: doorOut, frame: truth.frame, gate: gate, beyond: beyond)) : nil
    )
    cursor = TruthCursor(truth, person: person)
  }

  /// When the person sets out from beyond the geofence.
  var start: Instant { arrival - TimeSpan(milliseconds: Int64((way.in.length / speed * 1_000).rounded())) }

  /// When the person is beyond the geofence again; never, for one who stays.
  var end: Instant {
    guard let out = way.out else { return Instant(milliseconds: .max) }
    return departure + TimeSpan(milliseconds: Int64((out.length / speed * 1_000).rounded()))
  }

  /// The place at a time; times must not go back. Before the start and after the end, the far ends of the way.
  mutating func place(at time: Instant) -> Place {
    if time < arrival {
      let distance = min((arrival - time).seconds * speed, way.in.length)
      return Place(point: way.in.point(at: distance), floor: nil, isStill: false)
    }
    if hasLeft, time > departure, let out = way.out {
      let distance = min((time - departure).seconds * speed, out.length)
      return Place(point: out.point(at: distance), floor: nil, isStill: false)
    }
    if let inside = cursor.position(at: min(time, departure)) {
      return Place(point: inside.point, floor: inside.floor, isStill: inside.isStill)
    }
    return Place(point: way.in.point(at: 0), floor: nil, isStill: true)
  }
}
