import CordonCore
import CordonGeometry

/// The straight way of a person between the street, beyond the geofence, and an entrance.
///
/// The truth of a simulation covers only the inside. Phones are on outside as well, where a geofenced recorder must
/// keep nothing.
struct OutsidePath: Hashable, Sendable {
  /// The position inside, next to the door.
  let door: PlanePoint
  /// Unit vector that points away from the door.
  let directionX: Double
  let directionY: Double
  /// Distance from the door to the far end, in metres.
  let length: Double

  /// Creates the way from `door` that leaves the venue soonest. It ends `beyond` metres from the centre of the
  /// geofence.
  init(door: PlanePoint, frame: LocalFrame, gate: any VenueGate, beyond: Double) {
    let center = frame.project(gate.geofence.center)
    var best = (steps: Int.max, outward: -Double.infinity, x: 1.0, y: 0.0)
    for step in 0..<24 {
      let (sine, cosine) = PortableMath.sincos(Double(step) * Double.pi / 12)
      var steps = 0
      for metre in stride(from: 1.0, through: 80, by: 1) {
        let point = PlanePoint(x: door.x + cosine * metre, y: door.y + sine * metre)
        if gate.judge(frame.unproject(point), floor: nil).isInside { steps += 1 }
      }
      let outward = cosine * (door.x - center.x) + sine * (door.y - center.y)
      if (steps, -outward) < (best.steps, -best.outward) { best = (steps, outward, cosine, sine) }
    }
    self.door = door
    directionX = best.x
    directionY = best.y
    // The larger root of |door + t * direction - center| = beyond.
    let dx = door.x - center.x
    let dy = door.y - center.y
    let along = dx * best.x + dy * best.y
    let discriminant = along * along - (dx * dx + dy * dy) + beyond * beyond
    length = max(discriminant > 0 ? discriminant.squareRoot() - along : 0, 0)
  }

  /// Returns the point at a distance from the door, in metres.
  func point(at distance: Double) -> PlanePoint {
    PlanePoint(x: door.x + directionX * distance, y: door.y + directionY * distance)
  }
}
