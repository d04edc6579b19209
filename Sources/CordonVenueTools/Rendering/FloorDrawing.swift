import CordonCore
import CordonGeometry
import CordonSupport
import CordonVenues

/// A drawing of a floor: the conversion of metres to pixels, and its layers.
struct FloorDrawing {
  let venue: Venue
  let floor: Floor?
  let id: FloorID
  let options: RenderOptions
  let marks: FloorMarks
  let frame: LocalFrame
  let scale: Double
  let width: Double
  let height: Double
  let margin = 24.0
  private let origin: PlanePoint
  private let header = 44.0

  init(floor id: FloorID, venue: Venue, marks: FloorMarks, options: RenderOptions) {
    self.id = id
    self.venue = venue
    self.marks = marks
    self.options = options
    floor = venue.floors.first { $0.id == id }
    let frame =
      LocalFrame(around: venue.everyCoordinate.filter(\.isValid))
      ?? LocalFrame(origin: Coordinate(longitude: 0, latitude: 0))
    self.frame = frame
    let extent = FloorDrawing.extent(of: id, floor: floor, venue: venue, options: options, frame: frame)
    origin = PlanePoint(x: extent.minX, y: extent.maxY)
    scale = max(options.size, 100) / max(extent.maxX - extent.minX, extent.maxY - extent.minY, 1)
    width = (extent.maxX - extent.minX) * scale
    height = (extent.maxY - extent.minY) * scale
  }

  struct Extent {
    var minX = Double.infinity
    var minY = Double.infinity
    var maxX = -Double.infinity
    var maxY = -Double.infinity

    mutating func add(_ point: PlanePoint, margin: Double = 0) {
      minX = min(minX, point.x - margin)
      minY = min(minY, point.y - margin)
      maxX = max(maxX, point.x + margin)
      maxY = max(maxY, point.y + margin)
    }
  }

  private static func extent(
    of id: FloorID, floor: Floor?, venue: Venue, options: RenderOptions, frame: LocalFrame
  ) -> Extent {
    var extent = Extent()
    var coordinates = floor?.outline?.vertices ?? []
    coordinates += venue.spaces.filter { $0.floor == id }.flatMap(\.outline.vertices)
    for barrier in venue.walls + venue.obstructions where barrier.floor == id {
      switch barrier.shape {
      case .lines(let lines): coordinates += lines.joined()
      case .area(let area): coordinates += area.vertices
      }
    }
    if coordinates.isEmpty { coordinates = venue.everyCoordinate }
    for coordinate in coordinates where coordinate.isValid { extent.add(frame.project(coordinate)) }
    if let circle = options.circle, options.fitsCircle || extent.minX > extent.maxX {
      extent.add(frame.project(circle.center), margin: circle.radius)
    }
    if extent.minX > extent.maxX { extent.add(PlanePoint(x: 0, y: 0), margin: 1) }
    return extent
  }

  // MARK: - The document

  func svg() -> String {
    var out = SVGText()
    let legend = Legend(self)
    let totalWidth = max(width, 320) + 2 * margin
    let top = header + 2 * margin + height + 34
    let totalHeight = top + legend.height(in: totalWidth - 2 * margin) + margin
    out.line(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100%\" viewBox=\"0 0 \(n(totalWidth)) \(n(totalHeight))\" "
        + "font-family=\"sans-serif\" font-size=\"12\" role=\"img\" aria-labelledby=\"title description\">")
    out.line("<title id=\"title\">\(MarkupText.escaped(heading))</title>")
    out.line("<desc id=\"description\">\(MarkupText.escaped(description))</desc>")
    out.line("<style>\n\(PlanStyle.sheet(spaces: kindsHere, connections: connectionKindsHere))\n</style>")
    out.line(
      "<defs><pattern id=\"hatch\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\" "
        + "patternTransform=\"rotate(45)\"><path class=\"hatch\" d=\"M0 0V8\"/></pattern></defs>")
    out.line("<rect class=\"page\" width=\"100%\" height=\"100%\"/>")
    out.line(
      "<text x=\"\(n(margin))\" y=\"30\" font-size=\"20\" font-weight=\"bold\">\(MarkupText.escaped(heading))</text>")
    out.line(
      "<svg x=\"\(n(margin))\" y=\"\(n(header + margin))\" width=\"\(n(width))\" height=\"\(n(height))\" overflow=\"hidden\">"
    )
    drawAreas(&out)
    drawBarriers(&out)
    drawOpenings(&out)
    if options.showsGraph { drawGraph(&out) }
    drawConnections(&out)
    drawBoundary(&out)
    if options.showsNames { drawNames(&out) }
    drawEntrances(&out)
    out.line("</svg>")
    drawScaleBar(&out, y: header + 2 * margin + height + 6)
    legend.draw(&out, x: margin, y: top, width: totalWidth - 2 * margin)
    out.line("</svg>")
    return out.text
  }

  /// Returns the name of a floor with its building, if there are several, and its ordinal.
  static func label(_ floor: Floor, in venue: Venue) -> String {
    let building = venue.buildings.count > 1 ? venue.buildings.first { $0.id == floor.building }?.name.text() : nil
    let name = floor.name.text() ?? floor.shortName.text() ?? floor.id.rawValue
    return [building, name].compactMap { $0 }.joined(separator: " · ") + " (floor \(floor.ordinal))"
  }

  private var heading: String {
    let name = venue.name.text() ?? venue.id.rawValue
    return floor.map { "\(name) · \(FloorDrawing.label($0, in: venue))" } ?? name
  }

  /// The contents in words, for readers who do not see the drawing.
  private var description: String {
    let doors = venue.openings.count { $0.floor == id && !$0.isEntrance }
    let entrances = marks.entrances(on: id).map(\.words)
    let unreachable = spacesHere.count { marks.unreachable.contains($0.id) }
    return "Floor plan with \(spacesHere.count) spaces and \(doors) doors inside; "
      + (entrances.isEmpty ? "no entrance" : "entrances: " + entrances.joined(separator: "; "))
      + (unreachable > 0 ? "; no entrance reaches \(unreachable) of the spaces" : "") + "."
  }

  var spacesHere: [Space] { venue.spaces.filter { $0.floor == id } }

  var kindsHere: [SpaceKind] {
    let kinds = Set(spacesHere.map(\.kind))
    return SpaceKind.allCases.filter(kinds.contains)
  }

  var connectionKindsHere: [Connection.Kind] {
    let kinds = Set(venue.connections.filter { $0.landings.contains { $0.floor == id } }.map(\.kind))
    return Connection.Kind.allCases.filter(kinds.contains)
  }

  // MARK: - Places

  func n(_ value: Double) -> String { SVGText.number(value) }

  func pixel(_ coordinate: Coordinate) -> PlanePoint {
    let point = frame.project(coordinate)
    return PlanePoint(x: (point.x - origin.x) * scale, y: (origin.y - point.y) * scale)
  }

  func coordinate(_ pixel: PlanePoint) -> Coordinate {
    frame.unproject(PlanePoint(x: pixel.x / scale + origin.x, y: origin.y - pixel.y / scale))
  }

  func path(_ area: GeoMultiPolygon) -> String {
    area.polygons.flatMap(\.rings).map { path($0, isClosed: true) }.joined()
  }

  func path(_ points: [Coordinate], isClosed: Bool) -> String {
    var data = ""
    for (index, point) in points.enumerated() {
      let place = pixel(point)
      data += "\(index == 0 ? "M" : "L")\(n(place.x)) \(n(place.y))"
    }
    return isClosed ? data + "Z" : data
  }

  static func box(_ area: GeoMultiPolygon, _ frame: LocalFrame) -> Extent? {
    var extent = Extent()
    for vertex in area.vertices { extent.add(frame.project(vertex)) }
    return extent.minX <= extent.maxX ? extent : nil
  }
}
