internal import CordonCore
internal import CordonGeometry

/// Where the points of a venue lie, degrees; longitudes the short way round from the first point's.
struct PointExtent {
  var x: Double
  var y: Double
  var west = 0.0
  var east = 0.0
  var south: Double
  var north: Double

  init(x: Double, y: Double) {
    (self.x, self.y, south, north) = (x, y, y, y)
  }

  @inline(__always)
  mutating func add(x: Double, y: Double) {
    var offset = x - self.x
    if offset > 180 { offset -= 360 } else if offset < -180 { offset += 360 }
    (west, east) = (min(west, offset), max(east, offset))
    (south, north) = (min(south, y), max(north, y))
  }

  /// A frame in the middle of the points, to four decimals of a degree.
  var frame: LocalFrame {
    var longitude = x + (west + east) / 2
    if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
    return LocalFrame(
      origin: Coordinate(
        longitude: (longitude * 1e4).rounded() / 1e4,
        latitude: ((south + north) / 2 * 1e4).rounded() / 1e4))
  }
}
