import CordonGeometry

/// Where names stand on a drawing: none on top of another. Pixels, y downwards.
struct NamePlaces {
  private var taken: [(west: Double, north: Double, east: Double, south: Double)] = []

  /// Takes the first of some places that is free for a text in the middle of it; `nil` when none is.
  mutating func take(_ places: [PlanePoint], length: Int, fontSize: Double) -> PlanePoint? {
    // The letters of common sans-serif fonts are half as wide as the size on average.
    let (halfWidth, halfHeight) = (Double(length) * fontSize * 0.27, fontSize * 0.5)
    for place in places {
      let box = (place.x - halfWidth, place.y - halfHeight, place.x + halfWidth, place.y + halfHeight)
      let isFree = taken.allSatisfy { $0.west > box.2 || $0.east < box.0 || $0.north > box.3 || $0.south < box.1 }
      guard isFree else { continue }
      taken.append(box)
      return place
    }
    return nil
  }
}
