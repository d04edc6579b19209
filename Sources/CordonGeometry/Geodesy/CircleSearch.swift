import CordonCore

/// The search for the smallest circle: exact on a small active set, which grows by the farthest place until none is
/// outside.
///
/// For the active set, the places are projected azimuthally equidistant at the centre and solved in the plane, and the
/// centre moves to the solution. This repeats until the centre is stable. Distances from the centre are then true, so
/// the planar optimum is the one on the ellipsoid. The farthest place is determined by straight chords through the
/// earth. They grow with the geodesic distance, to within a micrometre at 5 km.
struct CircleSearch {
  private let places: [Coordinate]
  private let x: [Double]
  private let y: [Double]
  private let z: [Double]
  private var active: [Int] = []
  private var center: Coordinate

  init(places: [Coordinate], start: Coordinate) {
    self.places = places
    center = GeoBounds(places)?.center ?? start
    var x: [Double] = []
    var y: [Double] = []
    var z: [Double] = []
    x.reserveCapacity(places.count)
    y.reserveCapacity(places.count)
    z.reserveCapacity(places.count)
    for place in places {
      let point = Geocentric(place)
      x.append(point.x)
      y.append(point.y)
      z.append(point.z)
    }
    (self.x, self.y, self.z) = (x, y, z)
  }

  mutating func run() -> (center: Coordinate, radius: Double) {
    // The search starts with two places far apart.
    let first = farthest(from: Geocentric(center)).index
    let second = farthest(from: Geocentric(places[first])).index
    active = first == second ? [first] : [first, second]
    for _ in 0..<500 {
      let radius = solveActive()
      let candidate = farthest(from: Geocentric(center)).index
      if active.contains(candidate) { break }
      guard Geodesic.distance(from: center, to: places[candidate]) > radius + 1e-6 else { break }
      active.append(candidate)
    }
    return (center, coveringRadius())
  }

  /// Moves the centre to that of the smallest circle of the active places, and returns its radius.
  private mutating func solveActive() -> Double {
    var radius = 0.0
    for _ in 0..<50 {
      let plane = active.map { index in
        let line = Geodesic(from: center, to: places[index])
        let (s, c) = PortableMath.sincos(line.azimuth * Double.pi / 180)
        return PlanePoint(x: line.distance * s, y: line.distance * c)
      }
      let circle = PlaneCircle(enclosing: plane)
      radius = circle.radius
      let step = (circle.x * circle.x + circle.y * circle.y).squareRoot()
      guard step > 1e-8 else { break }
      let azimuth = PortableMath.atan2(circle.x, circle.y) * 180 / Double.pi
      center = Geodesic.destination(from: center, azimuth: azimuth, distance: step)
    }
    return radius
  }

  /// Returns the place with the longest chord from a point; the first of several.
  private func farthest(from point: Geocentric) -> (index: Int, chordSquared: Double) {
    var best = -1.0
    var index = 0
    x.withUnsafeBufferPointer { x in
      y.withUnsafeBufferPointer { y in
        z.withUnsafeBufferPointer { z in
          for i in 0..<x.count {
            let (dx, dy, dz) = (x[i] - point.x, y[i] - point.y, z[i] - point.z)
            let chord = dx * dx + dy * dy + dz * dz
            if chord > best {
              best = chord
              index = i
            }
          }
        }
      }
    }
    return (index, best)
  }

  /// Returns the largest geodesic distance from the centre, rounded up to whole millimetres.
  private func coveringRadius() -> Double {
    let middle = Geocentric(center)
    let longest = farthest(from: middle).chordSquared.squareRoot()
    // An arc is longer than its chord c by c^3 / 24 R^2, and R varies by 0.7 % with direction and place.
    let slack = 0.02 * longest * longest * longest / (24 * Geocentric.smallestRadius * Geocentric.smallestRadius) + 1e-6
    let least = max(longest - slack, 0)
    var near: [Int] = []
    for index in places.indices {
      let (dx, dy, dz) = (x[index] - middle.x, y[index] - middle.y, z[index] - middle.z)
      if dx * dx + dy * dy + dz * dz >= least * least { near.append(index) }
    }
    var radius = 0.0
    if near.count > 1_000 && longest < 10_000 {
      // If nearly all places are on the circle, the bound for the strongest curvature is at most 10 um too large.
      radius = longest * (1 + longest * longest / (23.9 * Geocentric.smallestRadius * Geocentric.smallestRadius)) + 1e-8
    } else {
      for index in near { radius = max(radius, Geodesic.distance(from: center, to: places[index])) }
    }
    return CircleSearch.roundedUp(radius)
  }

  /// Rounds up to the next millimetre that is not below the number as a double.
  static func roundedUp(_ metres: Double) -> Double {
    var millimetres = (metres * 1_000).rounded(.up)
    if millimetres / 1_000 < metres { millimetres += 1 }
    return millimetres / 1_000
  }
}

/// A place in earth-centred coordinates, in metres.
struct Geocentric {
  var x: Double
  var y: Double
  var z: Double

  /// The smallest radius of curvature of the ellipsoid, along the meridian at the equator, in metres.
  static let smallestRadius = WGS84.semiMajorAxis * (1 - WGS84.eccentricitySquared)

  /// Converts a place on the ellipsoid.
  init(_ place: Coordinate) {
    let (sinLatitude, cosLatitude) = PortableMath.sincos(place.latitude * (Double.pi / 180))
    let (sinLongitude, cosLongitude) = PortableMath.sincos(place.longitude * (Double.pi / 180))
    let normal =
      WGS84.semiMajorAxis / (1 - WGS84.eccentricitySquared * sinLatitude * sinLatitude).squareRoot()
    x = normal * cosLatitude * cosLongitude
    y = normal * cosLatitude * sinLongitude
    z = normal * (1 - WGS84.eccentricitySquared) * sinLatitude
  }
}
