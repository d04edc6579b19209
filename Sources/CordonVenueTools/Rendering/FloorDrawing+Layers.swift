import CordonCore
import CordonGeometry
import CordonSupport
import CordonVenues

/// The layers of a drawing, from the ground up.
extension FloorDrawing {
  func drawAreas(_ out: inout SVGText) {
    if let outline = floor?.outline {
      out.line("<path class=\"floor\" d=\"\(path(outline))\" fill-rule=\"evenodd\"/>")
    }
    // The largest first, so that a space inside a hall is not hidden under it.
    let spaces = spacesHere.map { ($0, FloorDrawing.boxArea($0.outline, frame)) }.sorted { $0.1 > $1.1 }
    for (space, _) in spaces {
      let dash = space.kind == .openToBelow ? " stroke-dasharray=\"4 3\"" : ""
      let isUnreachable = marks.unreachable.contains(space.id)
      let name = space.name.text() ?? space.id.rawValue
      let words = "\(name) (\(space.kind.rawValue))" + (isUnreachable ? ": no entrance reaches it" : "")
      let data = path(space.outline)
      out.line(
        "<path class=\"space \(PlanStyle.name(space.kind))\" d=\"\(data)\" fill-rule=\"evenodd\"\(dash)>"
          + "<title>\(MarkupText.escaped(words))</title></path>")
      if isUnreachable {
        out.line("<path class=\"unreachable\" d=\"\(data)\" fill-rule=\"evenodd\" pointer-events=\"none\"/>")
      }
    }
  }

  private static func boxArea(_ area: GeoMultiPolygon, _ frame: LocalFrame) -> Double {
    box(area, frame).map { ($0.maxX - $0.minX) * ($0.maxY - $0.minY) } ?? 0
  }

  func drawBarriers(_ out: inout SVGText) {
    for (barriers, style) in [
      (venue.furniture, "furniture"), (venue.obstructions, "obstruction"), (venue.walls, "wall"),
    ] {
      for barrier in barriers where barrier.floor == id {
        switch barrier.shape {
        case .lines(let lines):
          let data = lines.map { path($0, isClosed: false) }.joined(separator: " ")
          out.line("<path class=\"\(style)\" d=\"\(data)\"/>")
        case .area(let area):
          out.line("<path class=\"\(style) solid\" d=\"\(path(area))\" fill-rule=\"evenodd\"/>")
        }
      }
    }
  }

  func drawOpenings(_ out: inout SVGText) {
    for opening in venue.openings where opening.floor == id {
      let style = opening.isEntrance ? "way-in" : "door"
      let title = opening.name.text().map { "<title>\(MarkupText.escaped($0))</title>" } ?? ""
      if opening.line.count > 1 {
        out.line("<path class=\"\(style)\" d=\"\(path(opening.line, isClosed: false))\">\(title)</path>")
      } else if let place = opening.line.first {
        let point = pixel(place)
        out.line("<circle class=\"\(style) dot\" cx=\"\(n(point.x))\" cy=\"\(n(point.y))\" r=\"3\">\(title)</circle>")
      }
    }
    for door in marks.assumedDoors where door.floor == id {
      let words = "assumed door" + (door.spaces.isEmpty ? "" : ": " + door.spaces.joined(separator: " and "))
      out.line(
        "<path class=\"assumed\" d=\"\(path(door.line, isClosed: false))\"><title>\(MarkupText.escaped(words))</title></path>"
      )
    }
  }

  func drawGraph(_ out: inout SVGText) {
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
    if !data.isEmpty { out.line("<path class=\"graph\" d=\"\(data)\"/>") }
    for node in graph.nodes where node.floor == id {
      let point = pixel(node.position)
      out.line("<circle class=\"node\" cx=\"\(n(point.x))\" cy=\"\(n(point.y))\" r=\"1.3\"/>")
    }
  }

  func drawConnections(_ out: inout SVGText) {
    for connection in venue.connections {
      let name = connection.name.text() ?? connection.id
      for landing in connection.landings where landing.floor == id {
        let point = pixel(landing.position)
        let words = MarkupText.escaped("\(connection.kind.rawValue) \(name)")
        out.line(
          "<circle class=\"landing \(PlanStyle.name(connection.kind))\" cx=\"\(n(point.x))\" cy=\"\(n(point.y))\" r=\"6\">"
            + "<title>\(words)</title></circle>")
        out.line(
          "<text class=\"on\" x=\"\(n(point.x))\" y=\"\(n(point.y + 3))\" font-size=\"8.5\" text-anchor=\"middle\" "
            + "pointer-events=\"none\">\(FloorDrawing.letter(connection.kind))</text>")
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

  func drawBoundary(_ out: inout SVGText) {
    if let boundary = options.boundary { out.line("<path class=\"boundary\" d=\"\(path(boundary))\"/>") }
    if let circle = options.circle {
      let center = pixel(circle.center)
      out.line(
        "<circle class=\"circle\" cx=\"\(n(center.x))\" cy=\"\(n(center.y))\" r=\"\(n(circle.radius * scale))\"/>")
    }
  }

  /// Draws the numbers of entrances, above everything else.
  func drawEntrances(_ out: inout SVGText) {
    for entrance in marks.entrances(on: id) {
      let point = badge(of: entrance)
      let words = MarkupText.escaped("entrance " + entrance.words)
      let size = entrance.number > 99 ? 9.0 : 11
      out.line(
        "<g role=\"img\" aria-label=\"\(words)\"><title>\(words)</title>"
          + "<circle class=\"badge\" cx=\"\(n(point.x))\" cy=\"\(n(point.y))\" r=\"\(n(FloorDrawing.badge))\"/>"
          + "<text class=\"on\" x=\"\(n(point.x))\" y=\"\(n(point.y + size * 0.36))\" font-size=\"\(n(size))\" "
          + "font-weight=\"bold\" text-anchor=\"middle\">\(entrance.number)</text></g>")
    }
  }

  /// The radius of the number of an entrance.
  static let badge = 10.0

  /// Returns the middle of the number of an entrance, which lies in the picture.
  func badge(of entrance: FloorMarks.Entrance) -> PlanePoint {
    let point = pixel(entrance.position)
    let rim = FloorDrawing.badge + 1
    return PlanePoint(
      x: min(max(point.x, rim), max(width - rim, rim)), y: min(max(point.y, rim), max(height - rim, rim)))
  }

  func drawScaleBar(_ out: inout SVGText, y: Double) {
    let lengths = [1.0, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000]
    let length = lengths.last { $0 * scale <= max(width, 200) / 4 } ?? 1
    out.line("<path class=\"rule\" d=\"M\(n(margin)) \(n(y))v8h\(n(length * scale))v-8\"/>")
    out.line(
      "<text x=\"\(n(margin + length * scale + 8))\" y=\"\(n(y + 9))\">\(n(length)) m, north is up</text>")
  }
}

extension Array {
  fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
