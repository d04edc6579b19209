import CordonGeometry

/// The positions of names on a drawing without overlaps. In pixels, with y downwards.
struct NamePlaces {
  private var taken: [(west: Double, north: Double, east: Double, south: Double)] = []

  /// Reserves the first free one of some places for a text centred on it; returns `nil` if none is free.
  mutating func take(_ places: [PlanePoint], length: Int, fontSize: Double) -> PlanePoint? {
    take(places, halfWidth: NamePlaces.halfWidth(length: length, fontSize: fontSize), halfHeight: fontSize * 0.5)
  }

  /// Returns half of the width of a text. The letters of common sans-serif fonts are on average half as wide as the font
  /// size.
  static func halfWidth(length: Int, fontSize: Double) -> Double { Double(length) * fontSize * 0.27 }

  /// Reserves the first free one of some places for a box of that size; returns `nil` if none is free.
  mutating func take(_ places: [PlanePoint], halfWidth: Double, halfHeight: Double) -> PlanePoint? {
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
