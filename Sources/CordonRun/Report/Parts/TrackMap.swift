package import CordonCore
package import CordonGeometry
import CordonSupport

/// The part "map of a track" of pages: lines, circles, outlines and numbered places in a plane, with a scale. It loads no tiles.
package struct TrackMap {
  /// A circle on the ground.
  package struct Circle: Sendable {
    package let centre: Coordinate
    /// Metres.
    package let radius: Double
    package let name: String

    /// Creates a circle.
    package init(_ centre: Coordinate, radius: Double, name: String) {
      self.centre = centre
      self.radius = radius
      self.name = name
    }
  }

  /// A place with a short name.
  package struct Mark: Sendable {
    package let coordinate: Coordinate
    package let label: String
    package let title: String

    /// Creates a mark.
    package init(_ coordinate: Coordinate, label: String, title: String) {
      self.coordinate = coordinate
      self.label = label
      self.title = title
    }
  }

  private let title: String
  private let lines: [[Coordinate]]
  private let circles: [Circle]
  private let areas: [GeoMultiPolygon]
  private let marks: [Mark]
  private static let size = 720.0
  /// The maximum number of vertices of outlines that are drawn.
  private static let mostVertices = 20_000

  /// Creates a map.
  package init(
    _ title: String, lines: [[Coordinate]], circles: [Circle] = [], areas: [GeoMultiPolygon] = [], marks: [Mark] = []
  ) {
    self.title = title
    self.lines = lines
    self.circles = circles
    self.areas = areas
    self.marks = marks
  }

  /// The figure; empty without a line.
  package var html: String {
    let points = lines.joined()
    guard let first = points.first else { return "" }
    let frame = LocalFrame(origin: first)
    var box = Box(frame.project(first))
    for point in points { box.add(frame.project(point)) }
    for mark in marks { box.add(frame.project(mark.coordinate)) }
    // A home on another continent would leave no room for the track.
    let near = circles.filter { box.isNear(frame.project($0.centre), $0.radius) }
    for circle in near {
      let centre = frame.project(circle.centre)
      box.add(PlanePoint(x: centre.x - circle.radius, y: centre.y - circle.radius))
      box.add(PlanePoint(x: centre.x + circle.radius, y: centre.y + circle.radius))
    }
    let extent = max(box.width, box.height, 20)
    let scale = (TrackMap.size - 60) / extent
    func place(_ coordinate: Coordinate) -> (x: Double, y: Double) {
      let point = frame.project(coordinate)
      return (round(30 + (point.x - box.west) * scale), round(30 + (box.north - point.y) * scale))
    }
    let height = max(round(box.height * scale + 60), 120)
    var svg = outlines(place)
    for circle in near {
      let centre = place(circle.centre)
      let radius = round(circle.radius * scale)
      svg += "<circle class=\"home\" cx=\"\(centre.x)\" cy=\"\(centre.y)\" r=\"\(radius)\">"
      svg += "<title>\(MarkupText.escaped(circle.name))</title></circle>"
    }
    for line in lines where line.count > 1 {
      let text = line.map { coordinate -> String in
        let point = place(coordinate)
        return "\(point.x),\(point.y)"
      }
      svg += "<polyline class=\"c1\" points=\"\(text.joined(separator: " "))\"/>"
    }
    for mark in marks {
      let point = place(mark.coordinate)
      svg +=
        "<g><title>\(MarkupText.escaped(mark.title))</title><circle class=\"mark\" cx=\"\(point.x)\" cy=\"\(point.y)\" r=\"9\"/>"
      svg +=
        "<text class=\"mark\" x=\"\(point.x)\" y=\"\(point.y + 4)\" text-anchor=\"middle\">\(MarkupText.escaped(mark.label))</text></g>"
    }
    svg += TrackMap.scaleBar(extent: extent, scale: scale, y: height + 16)
    let name = MarkupText.escaped(title)
    return """
      <figure><figcaption>\(name)</figcaption>
      <svg class="trackmap" viewBox="0 0 \(TrackMap.size) \(height + 36)" role="img" aria-label="\(name)">\(svg)</svg></figure>
      """
  }

  private func outlines(_ place: (Coordinate) -> (x: Double, y: Double)) -> String {
    var svg = ""
    var count = 0
    for polygon in areas.flatMap(\.polygons) {
      count += polygon.rings.reduce(0) { $0 + $1.count }
      guard count <= TrackMap.mostVertices else { break }
      let path = polygon.rings.filter { $0.count > 2 }.map { ring in
        "M"
          + ring.map { coordinate -> String in
            let point = place(coordinate)
            return "\(point.x) \(point.y)"
          }.joined(separator: "L") + "Z"
      }
      svg += "<path class=\"area\" fill-rule=\"evenodd\" d=\"\(path.joined())\"/>"
    }
    return svg
  }

  /// A bar of 1, 2 or 5 times a power of ten metres, a third of the map at most.
  private static func scaleBar(extent: Double, scale: Double, y: Double) -> String {
    var length = 1.0
    while length * 10 <= extent / 3 { length *= 10 }
    if length * 5 <= extent / 3 { length *= 5 } else if length * 2 <= extent / 3 { length *= 2 }
    let text = length >= 1_000 ? "\(Int(length / 1_000)) km" : "\(Int(length)) m"
    let end = (30 + length * scale) * 10
    return "<path class=\"axis\" d=\"M30 \(y - 5)V\(y)H\(end.rounded() / 10)V\(y - 5)\"/>"
      + "<text x=\"30\" y=\"\(y + 15)\">\(text)</text>"
  }

  private func round(_ value: Double) -> Double { (value * 10).rounded() / 10 }

  /// A rectangle in the plane.
  private struct Box {
    var west: Double
    var east: Double
    var south: Double
    var north: Double
    var width: Double { east - west }
    var height: Double { north - south }

    init(_ point: PlanePoint) { (west, east, south, north) = (point.x, point.x, point.y, point.y) }

    mutating func add(_ point: PlanePoint) {
      west = min(west, point.x)
      east = max(east, point.x)
      south = min(south, point.y)
      north = max(north, point.y)
    }

    /// Whether a circle lies within twice the extent.
    func isNear(_ centre: PlanePoint, _ radius: Double) -> Bool {
      let reach = max(width, height, 1_000) + radius
      return centre.x > west - reach && centre.x < east + reach && centre.y > south - reach && centre.y < north + reach
    }
  }
}
