import CordonCore
import CordonGeometry

/// The straight way that a person walks between the street and an entrance: from beyond the geofence
/// to the door, or back.
///
/// The truth of a simulation knows the inside only. Phones are switched on outside too, and what they
/// do there (nothing may be kept) is half of what a venue-geofenced recorder is for.
struct OutsidePath: Hashable, Sendable {
  /// Where the person is inside next to the door.
  let door: PlanePoint
  /// Unit vector away from the door.
  let directionX: Double
  let directionY: Double
  /// Metres from the door to the far end.
  let length: Double

  /// The way out from `door` that leaves the venue soonest, as long as it takes to be `beyond` metres
  /// from the centre of the geofence.
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
    // |door + t * direction - center| = beyond, the larger root.
    let dx = door.x - center.x
    let dy = door.y - center.y
    let along = dx * best.x + dy * best.y
    let discriminant = along * along - (dx * dx + dy * dy) + beyond * beyond
    length = max(discriminant > 0 ? discriminant.squareRoot() - along : 0, 0)
  }

  /// The point so many metres from the door.
  func point(at distance: Double) -> PlanePoint {
    PlanePoint(x: door.x + directionX * distance, y: door.y + directionY * distance)
  }
}
