import CordonCore
import CordonGeometry

/// The part "plan" of pages: the floors of a venue as drawings with spaces that can be pointed at, and reached by keys.
/// With a ``caption`` the drawings are pictures, whose figures are in a table of the page.
///
/// Lengths are centimetres from the frame's origin, with y downwards as in SVG. All floors have the same extent.
struct PlanPart {
  /// The statement of a drawing about a space.
  struct Figure {
    /// The class of the heat scale, 0 ... 6.
    var level = 0
    /// The text after the name of the space, escaped.
    var text = ""
  }

  let venue: RunVenue
  let storeys: ReportStoreys
  /// Returns the figure of a space.
  let figure: (Int) -> Figure
  /// Returns the text of a storey's drawing, escaped, if it is a picture; `nil` for drawings whose spaces are reached by keys.
  var caption: ((Int) -> String)?
  /// Returns shapes between the spaces and the walls of a storey.
  var ground: (Int) -> String = { _ in "" }
  /// Returns shapes over the walls of a storey.
  var marks: (Int) -> String = { _ in "" }

  /// Creates a plan; `figure` returns the figure of a space.
  init(venue: RunVenue, storeys: ReportStoreys, figure: @escaping (Int) -> Figure) {
    self.venue = venue
    self.storeys = storeys
    self.figure = figure
  }

  /// Returns all storeys, lowest first.
  var html: String {
    let floors = storeys.list.indices.map(floor).joined(separator: "\n")
    return caption == nil ? floors : "<div class=\"pictures\">\(floors)</div>"
  }

  private func floor(_ index: Int) -> String {
    let storey = storeys.list[index]
    let box = storeys.box
    let margin = max(box.width, box.height) * 0.015 + 0.2
    let view = [
      box.left - margin, -box.top - margin, box.width + 2 * margin, box.height + 2 * margin,
    ].map { String(Int(($0 * 100).rounded())) }.joined(separator: " ")
    var shapes = ""
    for floor in storey.floors where !venue.floors[floor].outline.isEmpty {
      shapes += "<path class=\"outline\" d=\"\(PlanPart.path(venue.floors[floor].outline, closed: true))\"/>"
    }
    let spaces = venue.spaces.indices.filter { storeys.ofFloor[venue.spaces[$0].floor] == index }
    // Large spaces first, so that a kiosk is drawn over its hall and not under it.
    let areas = spaces.map { venue.spaces[$0].area }
    let order = spaces.indices.sorted { areas[$0] != areas[$1] ? areas[$0] > areas[$1] : $0 < $1 }.map { spaces[$0] }
    // One space of a plan is in the order of the tab key; the arrow keys lead to the others.
    let entry = order.first { !ReportStoreys.voids.contains(venue.spaces[$0].kind) }
    for space in order { shapes += shape(space, isEntry: space == entry) }
    shapes += ground(index)
    for floor in storey.floors {
      let walls = venue.floors[floor].walls
      let doors = venue.floors[floor].doors.filter { $0.count > 1 }
      if !walls.isEmpty { shapes += "<path class=\"wall\" d=\"\(PlanPart.path(walls, closed: false))\"/>" }
      if !doors.isEmpty { shapes += "<path class=\"door\" d=\"\(PlanPart.path(doors, closed: false))\"/>" }
    }
    shapes += marks(index)
    let name = HTMLText.escaped(storey.name)
    if let caption {
      return """
        <div class="picture"><p>\(name)</p><svg viewBox="\(view)" role="img" aria-label="\(name): \(caption(index))">\(shapes)</svg></div>
        """
    }
    shapes += labels(of: order)
    return """
      <div class="floor"><h3>\(name)</h3><div class="sheet"><svg viewBox="\(view)" role="group" aria-label="Plan: \(name). Arrow keys go from space to space.">\(shapes)</svg></div></div>
      """
  }

  private func shape(_ number: Int, isEntry: Bool) -> String {
    let space = venue.spaces[number]
    guard !space.rings.isEmpty else { return "" }
    let isVoid = ReportStoreys.voids.contains(space.kind)
    let figure = figure(number)
    let style = isVoid ? "s void" : "s h\(figure.level)"
    let title = HTMLText.escaped(storeys.titles[number])
    let said = isVoid || figure.text.isEmpty ? title : "\(title): \(figure.text)"
    if caption != nil {
      return """
        <path class="\(style)" d="\(PlanPart.path(space.rings, closed: true))"><title>\(said)</title></path>
        """
    }
    let words =
      isVoid
      ? ""
      : " tabindex=\"\(isEntry ? 0 : -1)\" role=\"img\" aria-label=\"\(said); \(Quantity.decimal(space.area, places: 0)) m²\""
    return """
      <path class="\(style)" data-i="\(number)"\(words) d="\(PlanPart.path(space.rings, closed: true))"><title>\(title)</title></path>
      """
  }

  /// Returns the names of spaces that fit at a width of about a thousand pixels. The script paints names by the same rule:
  /// a name lies in its space, also where that is narrower than its bounding box, and covers no name before it.
  private func labels(of spaces: [Int]) -> String {
    let size = max(storeys.box.width, storeys.box.height * 1.4) / 1_000 * 11.5
    var taken: [PlaneBox] = []
    var text = ""
    for number in spaces {
      let name = HTMLText.readable(venue.spaces[number].name)
      guard !name.isEmpty, let center = labelCenter(of: venue.spaces[number], letters: name.count, size: size) else {
        continue
      }
      var box = PlaneBox()
      let (half, height) = (Double(name.count) * size * 0.29, size * 0.6)
      box.include(PlanePoint(x: center.x - half, y: center.y - height))
      box.include(PlanePoint(x: center.x + half, y: center.y + height))
      guard !taken.contains(where: box.overlaps) else { continue }
      taken.append(box)
      text += """
        <text class="label" x="\(PlanPart.centimetres(center.x))" y="\(PlanPart.centimetres(-center.y))" \
        font-size="\(PlanPart.centimetres(size))" stroke-width="\(PlanPart.centimetres(size * 0.28))">\(HTMLText.escaped(name))</text>
        """
    }
    return text
  }

  /// Returns the middle of a space if a name fits there.
  private func labelCenter(of space: RunSpace, letters: Int, size: Double) -> PlanePoint? {
    var box = PlaneBox()
    space.rings.joined().forEach { box.include($0) }
    let needed = Double(letters) * size * 0.58
    guard needed < box.width * 0.94, size * 1.5 < box.height else { return nil }
    let center = PlanePoint(x: (box.left + box.right) / 2, y: (box.bottom + box.top) / 2)
    let reach = needed * 0.4
    let places = [-reach, 0, reach].map { PlanePoint(x: center.x + $0, y: center.y) }
    return places.allSatisfy(space.contains) ? center : nil
  }

  /// Returns lines in whole centimetres, relative to the previous point. Points nearer than 4 cm to it are left out,
  /// except the last of a line.
  static func path(_ lines: [[PlanePoint]], closed: Bool) -> String {
    var bytes: [UInt8] = []
    for line in lines {
      var last: (x: Int64, y: Int64)?
      for (index, point) in line.enumerated() {
        let next = (x: Int64(PlanPart.centimetres(point.x)), y: Int64(PlanPart.centimetres(-point.y)))
        guard let previous = last else {
          bytes.append("M")
          append(next)
          last = next
          continue
        }
        let (dx, dy) = (next.x - previous.x, next.y - previous.y)
        if dx * dx + dy * dy < 16, index < line.count - 1 { continue }
        bytes.append("l")
        append((dx, dy))
        last = next
      }
      if closed, last != nil { bytes.append("z") }
    }
    return String(decoding: bytes, as: UTF8.self)

    func append(_ point: (x: Int64, y: Int64)) {
      bytes.append(integer: point.x)
      if point.y >= 0 { bytes.append(" ") }
      bytes.append(integer: point.y)
    }
  }

  private static func centimetres(_ metres: Double) -> Int { Int((metres * 100).rounded()) }
}
