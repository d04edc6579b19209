import CordonCore
import CordonGeometry
import CordonSupport
import CordonVenues

/// A drawing of a floor: the conversion of metres to pixels, and its layers.
struct FloorDrawing {
  private let venue: Venue
  private let floor: Floor?
  private let id: FloorID
  private let options: RenderOptions
  private let frame: LocalFrame
  private let origin: PlanePoint
  private let scale: Double
  private let width: Double
  private let height: Double
  private let margin = 24.0
  private let legendWidth = 230.0
  private let header = 44.0

  init(floor id: FloorID, venue: Venue, options: RenderOptions) {
    self.id = id
    self.venue = venue
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

  private struct Extent {
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

  // MARK: - Layers

  func svg() -> String {
    var out = SVGText()
    let legend = legendEntries()
    let totalWidth = width + 2 * margin + legendWidth
    let totalHeight = max(height, Double(legend.count) * 20 + 60) + header + 2 * margin + 30
    out.line(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(n(totalWidth))\" height=\"\(n(totalHeight))\" "
        + "viewBox=\"0 0 \(n(totalWidth)) \(n(totalHeight))\" font-family=\"sans-serif\">")
    let title = MarkupText.escaped(heading)
    out.line("<title>\(title)</title>")
    out.line("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>")
    out.line("<text x=\"\(n(margin))\" y=\"30\" font-size=\"20\" font-weight=\"bold\" fill=\"#222\">\(title)</text>")
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
    out.line("</svg>")
    drawLegend(legend, &out)
    drawScaleBar(&out, y: header + 2 * margin + height + 6)
    out.line("</svg>")
    return out.text
  }

  private var heading: String {
    let name = venue.name.text() ?? venue.id.rawValue
    guard let floor else { return name }
    let building = venue.buildings.count > 1 ? venue.buildings.first { $0.id == floor.building }?.name.text() : nil
    let label = floor.name.text() ?? floor.shortName.text() ?? floor.id.rawValue
    return ([name, building, label].compactMap { $0 }).joined(separator: " · ") + " (floor \(floor.ordinal))"
  }

  private func drawAreas(_ out: inout SVGText) {
    if let outline = floor?.outline {
      out.line(
        "<path d=\"\(path(outline))\" fill=\"#fbfbf9\" stroke=\"#8a8a8a\" stroke-width=\"1\" fill-rule=\"evenodd\"/>")
    }
    // The largest first, so that a space inside a hall is not hidden under it.
    let spaces = spacesHere.map { ($0, FloorDrawing.boxArea($0.outline, frame)) }.sorted { $0.1 > $1.1 }
    for (space, _) in spaces {
      let dash = space.kind == .openToBelow ? " stroke-dasharray=\"4 3\"" : ""
      out.line(
        "<path d=\"\(path(space.outline))\" fill=\"\(SpacePalette.fill(space.kind))\" stroke=\"#b8b2a6\" "
          + "stroke-width=\"0.6\" fill-rule=\"evenodd\"\(dash)>"
          + "<title>\(MarkupText.escaped("\(space.name.text() ?? "") [\(space.kind.rawValue)] \(space.id)"))</title></path>"
      )
    }
  }

  private func drawBarriers(_ out: inout SVGText) {
    for (barriers, fill, stroke, weight) in [
      (venue.furniture, "#e2d9c8", "#b5a988", 0.6), (venue.obstructions, "#b9b4ab", "#77726a", 0.8),
      (venue.walls, "#55514a", "#3a3733", 1.6),
    ] {
      for barrier in barriers where barrier.floor == id {
        switch barrier.shape {
        case .lines(let lines):
          let data = lines.map { path($0, isClosed: false) }.joined(separator: " ")
          out.line("<path d=\"\(data)\" fill=\"none\" stroke=\"\(stroke)\" stroke-width=\"\(n(weight))\"/>")
        case .area(let area):
          out.line(
            "<path d=\"\(path(area))\" fill=\"\(fill)\" stroke=\"\(stroke)\" stroke-width=\"0.6\" fill-rule=\"evenodd\"/>"
          )
        }
      }
    }
  }

  private func drawOpenings(_ out: inout SVGText) {
    for opening in venue.openings where opening.floor == id {
      let color = opening.isEntrance ? "#c8102e" : "#ffffff"
      if opening.line.count > 1 {
        let data = path(opening.line, isClosed: false)
        if !opening.isEntrance {
          out.line("<path d=\"\(data)\" fill=\"none\" stroke=\"#2e8540\" stroke-width=\"4.4\"/>")
        }
        out.line(
          "<path d=\"\(data)\" fill=\"none\" stroke=\"\(color)\" stroke-width=\"\(opening.isEntrance ? "4.4" : "2.4")\"/>"
        )
      } else if let place = opening.line.first {
        let point = pixel(place)
        out.line(
          "<circle cx=\"\(n(point.x))\" cy=\"\(n(point.y))\" r=\"3\" fill=\"\(color)\" stroke=\"#2e8540\" stroke-width=\"1.2\"/>"
        )
      }
    }
  }

  private func drawGraph(_ out: inout SVGText) {
    guard let graph = venue.graph else { return }
    var data = ""
    var drawn: Set<UInt64> = []
    for edge in graph.edges {
      // Most edges come in pairs, one for each direction.
      let pair =
        UInt64(UInt32(bitPattern: min(edge.from, edge.to))) << 32 | UInt64(UInt32(bitPattern: max(edge.from, edge.to)))
      guard let from = graph.nodes[safe: Int(edge.from)], let to = graph.nodes[safe: Int(edge.to)],
        from.floor == id, to.floor == id, drawn.insert(pair).inserted
      else { continue }
      data += path([from.position, to.position], isClosed: false)
    }
    if !data.isEmpty {
      out.line("<path d=\"\(data)\" fill=\"none\" stroke=\"#3366cc\" stroke-opacity=\"0.45\" stroke-width=\"0.7\"/>")
    }
    for node in graph.nodes where node.floor == id {
      let point = pixel(node.position)
      out.line("<circle cx=\"\(n(point.x))\" cy=\"\(n(point.y))\" r=\"1.3\" fill=\"#3366cc\" fill-opacity=\"0.6\"/>")
    }
  }

  private func drawConnections(_ out: inout SVGText) {
    for connection in venue.connections {
      for landing in connection.landings where landing.floor == id {
        let point = pixel(landing.position)
        let color = SpacePalette.stroke(connection.kind)
        out.line(
          "<circle cx=\"\(n(point.x))\" cy=\"\(n(point.y))\" r=\"6\" fill=\"\(color)\" stroke=\"#fff\" stroke-width=\"1.2\">"
            + "<title>\(MarkupText.escaped("\(connection.kind.rawValue) \(connection.id)"))</title></circle>")
        let letter = FloorDrawing.letter(connection.kind)
        out.line(
          "<text x=\"\(n(point.x))\" y=\"\(n(point.y + 3))\" font-size=\"8.5\" text-anchor=\"middle\" fill=\"#fff\">\(letter)</text>"
        )
      }
    }
  }

  private static func letter(_ kind: Connection.Kind) -> String {
    switch kind {
    case .stairs: "S"
    case .elevator: "E"
    case .escalator: "Es"
    case .ramp: "R"
    case .ladder: "L"
    case .movingWalkway: "W"
    case .unknown: "?"
    }
  }

  private func drawBoundary(_ out: inout SVGText) {
    if let boundary = options.boundary {
      out.line(
        "<path d=\"\(path(boundary))\" fill=\"none\" stroke=\"#d6006c\" stroke-width=\"2\" stroke-dasharray=\"8 4\"/>")
    }
    if let circle = options.circle {
      let center = pixel(circle.center)
      out.line(
        "<circle cx=\"\(n(center.x))\" cy=\"\(n(center.y))\" r=\"\(n(circle.radius * scale))\" fill=\"none\" "
          + "stroke=\"#7a1fa2\" stroke-width=\"1.5\" stroke-dasharray=\"3 3\"/>")
    }
  }

  private func drawNames(_ out: inout SVGText) {
    // Below the node that most graphs have in the middle.
    let offset = options.showsGraph && venue.graph != nil ? 9.0 : 0
    var places = NamePlaces()
    for (space, box) in namedSpaces() {
      guard let name = space.name.text() else { continue }
      let size = min(11, (box.maxX - box.minX) * scale / Double(max(name.count, 4)) * 1.7)
      // The middle of a hall with holes may be in a hole, so its name would be in another room.
      guard size >= 4.5, space.outline.polygons.count == 1, space.outline.polygons[0].holes.isEmpty else { continue }
      let middle =
        ShapeMeasure.interiorPoint(of: space.outline).map(pixel)
        ?? PlanePoint(
          x: ((box.minX + box.maxX) / 2 - origin.x) * scale, y: (origin.y - (box.minY + box.maxY) / 2) * scale)
      // In the middle, or some lines above or below it if another name is there and the place is still in the space.
      let lines = [0.0, 1.2, -1.2, 2.4, -2.4, 3.6, -3.6, 4.8, -4.8].map { $0 * size }
      let free = lines.map { PlanePoint(x: middle.x, y: middle.y + offset + $0) }.filter { place in
        place.y == middle.y + offset || space.outline.contains(coordinate(place))
      }
      guard let place = places.take(free, length: name.count, fontSize: size) else { continue }
      out.line(
        "<text x=\"\(n(place.x))\" y=\"\(n(place.y + size * 0.35))\" font-size=\"\(n(size))\" text-anchor=\"middle\" fill=\"#333\">"
          + "\(MarkupText.escaped(name))</text>")
    }
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

  // MARK: - Legend

  private enum Sample { case fill(String), line(String, dash: String), dot(String) }

  private func legendEntries() -> [(Sample, String)] {
    var counts: [SpaceKind: Int] = [:]
    for space in spacesHere { counts[space.kind, default: 0] += 1 }
    var entries: [(Sample, String)] = SpaceKind.allCases.compactMap { kind in
      counts[kind].map { (.fill(SpacePalette.fill(kind)), "\(kind.rawValue) (\($0))") }
    }
    let walls = venue.walls.count { $0.floor == id }
    if walls > 0 { entries.append((.line("#3a3733", dash: ""), "wall (\(walls))")) }
    let solid = venue.obstructions.count { $0.floor == id }
    if solid > 0 { entries.append((.fill("#b9b4ab"), "obstruction (\(solid))")) }
    let pieces = venue.furniture.count { $0.floor == id }
    if pieces > 0 { entries.append((.fill("#e2d9c8"), "furniture (\(pieces))")) }
    let doors = venue.openings.filter { $0.floor == id }
    let entrances = doors.count(where: \.isEntrance)
    if doors.count > entrances { entries.append((.line("#2e8540", dash: ""), "opening (\(doors.count - entrances))")) }
    if entrances > 0 { entries.append((.line("#c8102e", dash: ""), "entrance (\(entrances))")) }
    for kind in Connection.Kind.allCases {
      let count = venue.connections.count { $0.kind == kind && $0.landings.contains { $0.floor == id } }
      if count > 0 { entries.append((.dot(SpacePalette.stroke(kind)), "\(kind.rawValue) connection (\(count))")) }
    }
    if options.showsGraph, let graph = venue.graph {
      let nodes = graph.nodes.count { $0.floor == id }
      if nodes > 0 { entries.append((.line("#3366cc", dash: ""), "walking graph (\(nodes) nodes)")) }
    }
    if options.boundary != nil { entries.append((.line("#d6006c", dash: "8 4"), "boundary")) }
    if let circle = options.circle {
      entries.append((.line("#7a1fa2", dash: "3 3"), "circle, radius \(SVGText.number(circle.radius)) m"))
    }
    return entries
  }

  private func drawLegend(_ entries: [(Sample, String)], _ out: inout SVGText) {
    let x = width + 2 * margin
    for (index, (sample, label)) in entries.enumerated() {
      let y = header + margin + Double(index) * 20
      switch sample {
      case .fill(let color):
        out.line(
          "<rect x=\"\(n(x))\" y=\"\(n(y))\" width=\"18\" height=\"13\" fill=\"\(color)\" stroke=\"#b8b2a6\" stroke-width=\"0.6\"/>"
        )
      case .line(let color, let dash):
        let pattern = dash.isEmpty ? "" : " stroke-dasharray=\"\(dash)\""
        out.line(
          "<path d=\"M\(n(x)) \(n(y + 7))h18\" stroke=\"\(color)\" stroke-width=\"2\" fill=\"none\"\(pattern)/>")
      case .dot(let color): out.line("<circle cx=\"\(n(x + 9))\" cy=\"\(n(y + 7))\" r=\"5\" fill=\"\(color)\"/>")
      }
      out.line(
        "<text x=\"\(n(x + 26))\" y=\"\(n(y + 11))\" font-size=\"12\" fill=\"#222\">\(MarkupText.escaped(label))</text>"
      )
    }
  }

  private func drawScaleBar(_ out: inout SVGText, y: Double) {
    let lengths = [1.0, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000]
    let length = lengths.last { $0 * scale <= max(width, 200) / 4 } ?? 1
    out.line(
      "<path d=\"M\(n(margin)) \(n(y))v8h\(n(length * scale))v-8\" fill=\"none\" stroke=\"#222\" stroke-width=\"1.2\"/>"
    )
    out.line(
      "<text x=\"\(n(margin + length * scale + 8))\" y=\"\(n(y + 9))\" font-size=\"12\" fill=\"#222\">\(n(length)) m, north is up</text>"
    )
  }

  // MARK: - Places

  private var spacesHere: [Space] { venue.spaces.filter { $0.floor == id } }

  private func n(_ value: Double) -> String { SVGText.number(value) }

  private func pixel(_ coordinate: Coordinate) -> PlanePoint {
    let point = frame.project(coordinate)
    return PlanePoint(x: (point.x - origin.x) * scale, y: (origin.y - point.y) * scale)
  }

  private func coordinate(_ pixel: PlanePoint) -> Coordinate {
    frame.unproject(PlanePoint(x: pixel.x / scale + origin.x, y: origin.y - pixel.y / scale))
  }

  private func path(_ area: GeoMultiPolygon) -> String {
    area.polygons.flatMap(\.rings).map { path($0, isClosed: true) }.joined()
  }

  private func path(_ points: [Coordinate], isClosed: Bool) -> String {
    var data = ""
    for (index, point) in points.enumerated() {
      let place = pixel(point)
      data += "\(index == 0 ? "M" : "L")\(n(place.x)) \(n(place.y))"
    }
    return isClosed ? data + "Z" : data
  }

  private static func box(_ area: GeoMultiPolygon, _ frame: LocalFrame) -> Extent? {
    var extent = Extent()
    for vertex in area.vertices { extent.add(frame.project(vertex)) }
    return extent.minX <= extent.maxX ? extent : nil
  }

  private static func boxArea(_ area: GeoMultiPolygon, _ frame: LocalFrame) -> Double {
    box(area, frame).map { ($0.maxX - $0.minX) * ($0.maxY - $0.minY) } ?? 0
  }
}

extension Array {
  fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
