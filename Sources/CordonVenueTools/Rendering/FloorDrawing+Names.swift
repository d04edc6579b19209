import CordonCore
import CordonGeometry
import CordonSupport
import CordonVenues

/// The names of spaces.
extension FloorDrawing {
  /// Draws the names that fit into their spaces, those of the largest spaces first.
  func drawNames(_ out: inout SVGText) {
    var places = NamePlaces()
    for entrance in marks.entrances(on: id) {
      _ = places.take([badge(of: entrance)], halfWidth: FloorDrawing.badge, halfHeight: FloorDrawing.badge)
    }
    for (space, box) in namedSpaces() {
      guard let name = space.name.text(), let middle = ShapeMeasure.interiorPoint(of: space.outline).map(pixel) else {
        continue
      }
      let largest = min(FloorDrawing.fontSize, (box.maxX - box.minX) * scale / Double(max(name.count, 4)) * 1.7)
      guard let found = place(name, of: space, near: middle, largest: largest, &places) else { continue }
      out.line(
        "<text class=\"name\" x=\"\(n(found.place.x))\" y=\"\(n(found.place.y + found.size * 0.35))\" "
          + "font-size=\"\(n(found.size))\" text-anchor=\"middle\" pointer-events=\"none\">\(MarkupText.escaped(name))</text>"
      )
    }
  }

  /// The largest and the smallest size of a name, in pixels.
  private static let fontSize = 11.0
  private static let smallest = 4.5

  /// Returns a place for a name in its space, in the middle or some lines above or below it, and the size of the name;
  /// `nil` if it fits nowhere.
  private func place(
    _ name: String, of space: Space, near middle: PlanePoint, largest: Double, _ places: inout NamePlaces
  ) -> (place: PlanePoint, size: Double)? {
    var size = largest
    while size >= FloorDrawing.smallest {
      let halfWidth = NamePlaces.halfWidth(length: name.count, fontSize: size)
      let lines = [0.0, 1.2, -1.2, 2.4, -2.4, 3.6, -3.6, 4.8, -4.8].map { $0 * size }
      let inside = lines.map { PlanePoint(x: middle.x, y: middle.y + $0) }.filter { place in
        [-halfWidth, 0, halfWidth].allSatisfy {
          space.outline.contains(coordinate(PlanePoint(x: place.x + $0, y: place.y)))
        }
      }
      if let place = places.take(inside, length: name.count, fontSize: size) { return (place, size) }
      size *= 0.8
    }
    return nil
  }

  /// Returns the spaces with a name, the largest first, because they keep their names if there is too little room.
  private func namedSpaces() -> [(space: Space, box: Extent)] {
    let named = spacesHere.enumerated().compactMap { index, space -> (Int, Space, Extent)? in
      guard !space.kind.isVertical, space.name.text()?.isEmpty == false,
        let box = FloorDrawing.box(space.outline, frame)
      else { return nil }
      return (index, space, box)
    }
    func size(_ box: Extent) -> Double { (box.maxX - box.minX) * (box.maxY - box.minY) }
    return named.sorted { (-size($0.2), $0.0) < (-size($1.2), $1.0) }.map { ($0.1, $0.2) }
  }
}
