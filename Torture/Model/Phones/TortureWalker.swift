import CordonCore

/// A person with a phone: their place at each tick of five seconds, independent of the phone.
struct TortureWalker {
  private var random: RandomStream
  private(set) var x: Double
  private(set) var y: Double
  private var goal: (x: Double, y: Double)
  private var dwell = 0
  /// Whether they sometimes go to a place beyond the geofence, and often stay there.
  private let goesFar: Bool

  init(seed: UInt64, phone: Int, goesFar: Bool) {
    self.goesFar = goesFar
    random = RandomStream(seed: seed, stream: 0x71, entity: UInt64(phone))
    (x, y) = (-TortureSite.world, Double(phone))
    goal = (0, 0)
    choose()
  }

  private mutating func choose() {
    if goesFar, random.nextIndex(below: 20) == 0 {
      // Directions with simple numbers: the places need no exactness.
      let far = random.nextUniform(in: 260...380)
      let side = random.nextUniform(in: -far...far)
      goal = random.nextIndex(below: 2) == 0 ? (far, side) : (side, -far)
      dwell = random.nextIndex(below: 3) == 0 ? random.nextIndex(below: 6) : 60 + random.nextIndex(below: 140)
      return
    }
    // Mostly in the venue, with its hole, its restroom and its surroundings inside or on the way.
    if random.nextIndex(below: 5) > 0 {
      goal = (
        random.nextUniform(in: -TortureSite.halfWidth...TortureSite.halfWidth),
        random.nextUniform(in: -TortureSite.halfDepth...TortureSite.halfDepth)
      )
    } else {
      goal = (
        random.nextUniform(in: -TortureSite.world...TortureSite.world),
        random.nextUniform(in: -TortureSite.world...TortureSite.world)
      )
    }
    // Sometimes a rest of more than five minutes.
    dwell = random.nextIndex(below: 25) == 0 ? 80 + random.nextIndex(below: 120) : random.nextIndex(below: 6)
  }

  mutating func step() {
    let (dx, dy) = (goal.x - x, goal.y - y)
    let distance = (dx * dx + dy * dy).squareRoot()
    if distance < 6 {
      if dwell > 0 { dwell -= 1 } else { choose() }
      return
    }
    x += dx / distance * 6
    y += dy / distance * 6
  }

  /// The centre of a square metre, so that it is never near an edge.
  var place: (x: Double, y: Double) { (x.rounded(.down) + 0.5, y.rounded(.down) + 0.5) }
}
