import CordonCore
import CordonGeometry

/// Repairs one ring: the result is open, without repeated vertices, and has the correct winding.
struct RingRepair {
  struct Problem {
    var severity: VenueFinding.Severity
    var code: String
    var action: VenueFinding.Action
    var message: String
  }

  /// The ring, not closed; `nil` if no usable part is left.
  private(set) var ring: [Coordinate]?
  private(set) var problems: [Problem] = []

  /// Minimum area of a ring in square metres: a square centimetre.
  static let minimumArea = 1e-4

  init(_ source: [Coordinate], isHole: Bool) {
    var ring = source
    if ring.count > 1, ring.first == ring.last {
      ring.removeLast()
    } else if ring.count >= 3 {
      add(.warning, "ring-unclosed", .repaired, "the ring does not end where it begins; it is closed")
    }
    let before = ring.count
    ring = RingRepair.withoutRepeats(ring)
    if ring.count < before {
      add(.info, "vertex-repeated", .repaired, "\(before - ring.count) vertices repeat their neighbour and are dropped")
    }
    guard ring.count >= 3 else {
      add(.warning, "ring-too-short", .ignored, "a ring needs three different positions")
      return
    }
    let points = RingMeasure.project(ring)
    let area = RingMeasure.signedArea(points)
    guard abs(area) >= RingRepair.minimumArea else {
      add(.warning, "zero-area", .refused, "the ring encloses no area")
      return
    }
    let vanishes = RingRepair.vanishesInDegrees(ring)
    if vanishes {
      let size = (abs(area) * 1e4).rounded()
      add(
        .warning, "zero-area", .ignored,
        "the ring encloses \(size) square centimetres, which is nothing when reckoned in degrees")
    }
    switch RingCrossings.examine(points) {
    case .simple: break
    case .crosses(let first, let second):
      add(
        .warning, "ring-crosses-itself", .ignored, "the edges from vertices \(first) and \(second) cross; read even-odd"
      )
    case .touches(let first, let second):
      add(.info, "ring-touches-itself", .ignored, "vertices \(first) and \(second) lie at the same place")
    case .unknown:
      add(.info, "ring-not-checked", .ignored, "too many edges to look for crossings")
    }
    if (area > 0) == isHole {
      // A ring whose area vanishes in degrees has no visible winding.
      if !vanishes {
        add(.info, "ring-winding", .repaired, isHole ? "the hole runs counter-clockwise" : "the ring runs clockwise")
      }
      ring.reverse()
    }
    self.ring = ring
  }

  private mutating func add(
    _ severity: VenueFinding.Severity, _ code: String, _ action: VenueFinding.Action, _ message: String
  ) {
    problems.append(Problem(severity: severity, code: code, action: action, message: message))
  }

  // Gauss's formula without a shift of the origin: cancellation removes areas below some square decimetres.
  private static func vanishesInDegrees(_ ring: [Coordinate]) -> Bool {
    var twice = 0.0
    for index in ring.indices {
      let (a, b) = (ring[index], ring[index + 1 < ring.count ? index + 1 : 0])
      twice += a.longitude * b.latitude - b.longitude * a.latitude
    }
    return twice == 0
  }

  private static func withoutRepeats(_ ring: [Coordinate]) -> [Coordinate] {
    guard zip(ring, ring.dropFirst()).contains(where: ==) || (ring.count > 1 && ring.first == ring.last) else {
      return ring
    }
    var kept: [Coordinate] = []
    for coordinate in ring where kept.last != coordinate { kept.append(coordinate) }
    while kept.count > 1, kept.first == kept.last { kept.removeLast() }
    return kept
  }
}
