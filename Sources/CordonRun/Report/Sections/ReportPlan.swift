import CordonGeometry

/// The floor plans coloured by the average of the run, and the controls for the script.
struct ReportPlan {
  let page: ReportPage
  private let scale: HeatScale

  init(page: ReportPage) {
    self.page = page
    scale = ReportPlan.scale(of: page.occupancy)
  }

  /// Returns the classes of mean counts.
  static func scale(of occupancy: ReportOccupancy) -> HeatScale {
    let largest = occupancy.sources.compactMap {
      occupancy.records[$0]?.spaces.values.compactMap { $0.means.max() }.max()
    }
    .max()
    return HeatScale(maximum: largest ?? 0)
  }

  var note: String {
    let record = page.contents.truth.isEmpty ? "devices, as last observed" : "people, as they were"
    let hint =
      page.occupancy.isMostlyInSpaces ? "" : " Most of the time was spent outside the spaces that the map draws."
    return "Colours show how many people were in a space; dots are \(record).\(hint)"
  }

  var html: String {
    guard !page.storeys.box.isEmpty else { return "<p class=\"note\">This venue has nothing to draw.</p>" }
    let floors = page.storeys.list.indices.map(floor).joined(separator: "\n")
    return """
      \(controls)
      <div class="stage" id="stage">
      \(floors)
      <div class="under"><p class="readout" id="readout" role="status" data-needs-script hidden></p>\
      <ul class="legend" id="legend">\(legend)</ul></div>
      \(timeline)
      </div>
      """
  }

  private var controls: String {
    var groups = ""
    if page.storeys.list.count > 1 {
      let buttons = page.storeys.list.enumerated().map { (String($0.offset), $0.element.name) }
      groups += group("storeys", "Floor", buttons.reversed())
    }
    groups += group("modes", "Time", [("time", "At a time"), ("average", "Average"), ("peak", "Peak")])
    if page.occupancy.sources.count > 1 {
      groups += group("sources", "Counted", [("truth", "People"), ("observed", "Devices observed")])
    }
    let hasPositions = !page.contents.truth.isEmpty || !page.contents.locations.isEmpty
    let bySpace = [("count", "Per space"), ("density", "Per 10 m²")]
    let byPlace = hasPositions ? [("place", "Exact place")] : []
    groups += group("measures", "Colour shows", page.occupancy.isMostlyInSpaces ? bySpace + byPlace : byPlace + bySpace)
    return "<div class=\"controls\">\(groups)</div>"
  }

  /// Returns a group of buttons with one of them pressed, initially the first.
  private func group(_ id: String, _ label: String, _ buttons: [(value: String, text: String)]) -> String {
    let first = id == "storeys" ? "0" : buttons.first?.value
    let items = buttons.map { button in
      """
      <button type="button" value="\(button.value)" aria-pressed="\(button.value == first)">\
      \(HTMLText.escaped(button.text))</button>
      """
    }
    return """
      <div class="group" role="group" id="\(id)" aria-label="\(label)" data-needs-script hidden>\(items.joined())</div>
      """
  }

  private var legend: String {
    let unit = page.occupancy.sources.first == .observed ? "devices" : "people"
    var items = "<li>\(unit) in the space</li><li><i style=\"--c:var(--h0)\"></i>none</li>"
    for (index, limit) in scale.limits.enumerated() {
      let text =
        index > 0 && index == scale.limits.count - 1
        ? "more than \(Quantity.decimal(scale.limits[index - 1], places: 1))"
        : "up to \(Quantity.decimal(limit, places: 1))"
      items += "<li><i style=\"--c:var(--h\(index + 1))\"></i>\(text)</li>"
    }
    return items
  }

  private var timeline: String {
    """
    <div class="timeline" id="timeline" hidden>
    <button type="button" class="play" id="play" aria-label="Play"><svg viewBox="0 0 18 18" aria-hidden="true">\
    <path d="M4 2v14l12-7z"/></svg></button>
    <div class="track"><svg id="overview" viewBox="0 0 100 40" preserveAspectRatio="none" aria-hidden="true"></svg>
    <input type="range" id="time" min="0" max="1" value="0" aria-label="Time"></div>
    <p class="clock"><b id="clock-time"></b> <span id="clock-count"></span></p>
    </div>
    """
  }

  // MARK: Drawing

  /// Returns one storey, with lengths in centimetres from the frame's origin and y downwards as in SVG.
  private func floor(_ index: Int) -> String {
    let storey = page.storeys.list[index]
    let box = page.storeys.box
    let margin = max(box.width, box.height) * 0.015 + 0.2
    let view = [
      box.left - margin, -box.top - margin, box.width + 2 * margin, box.height + 2 * margin,
    ].map { String(Int(($0 * 100).rounded())) }.joined(separator: " ")
    let venue = page.contents.venue
    var shapes = ""
    for floor in storey.floors where !venue.floors[floor].outline.isEmpty {
      shapes += "<path class=\"outline\" d=\"\(path(venue.floors[floor].outline, closed: true))\"/>"
    }
    let spaces = venue.spaces.indices.filter { page.storeys.ofFloor[venue.spaces[$0].floor] == index }
    // Large spaces first, so that a kiosk is drawn over its hall and not under it.
    let areas = spaces.map { venue.spaces[$0].area }
    let order = spaces.indices.sorted { areas[$0] != areas[$1] ? areas[$0] > areas[$1] : $0 < $1 }.map { spaces[$0] }
    // One space of a plan is in the order of the tab key; the arrow keys lead to the others.
    let entry = order.first { !ReportStoreys.voids.contains(venue.spaces[$0].kind) }
    for space in order { shapes += shape(space, isEntry: space == entry) }
    for floor in storey.floors {
      let walls = venue.floors[floor].walls
      let doors = venue.floors[floor].doors.filter { $0.count > 1 }
      if !walls.isEmpty { shapes += "<path class=\"wall\" d=\"\(path(walls, closed: false))\"/>" }
      if !doors.isEmpty { shapes += "<path class=\"door\" d=\"\(path(doors, closed: false))\"/>" }
    }
    for space in order { shapes += label(space) }
    let name = HTMLText.escaped(storey.name)
    return """
      <div class="floor"><h3>\(name)</h3><div class="sheet"><canvas class="cells"></canvas>\
      <svg viewBox="\(view)" role="group" aria-label="Plan: \(name). Arrow keys go from space to space.">\(shapes)</svg>\
      <canvas class="dots"></canvas></div></div>
      """
  }

  private func shape(_ number: Int, isEntry: Bool) -> String {
    let space = page.contents.venue.spaces[number]
    guard !space.rings.isEmpty else { return "" }
    let isVoid = ReportStoreys.voids.contains(space.kind)
    let series = page.occupancy.first?.spaces[number]
    let mean = (series?.means ?? []).reduce(0, +) / Double(page.occupancy.binCount)
    let style = isVoid ? "s void" : "s h\(scale.level(of: mean))"
    let title = HTMLText.escaped(page.storeys.titles[number])
    let unit = page.occupancy.sources.first == .observed ? "devices" : "people"
    let figures =
      isVoid
      ? ""
      : " tabindex=\"\(isEntry ? 0 : -1)\" role=\"img\" aria-label=\"\(title): \(Quantity.decimal(mean, places: 1)) \(unit) on average, at most \(series?.peak ?? 0); \(Quantity.decimal(space.area, places: 0)) m²\""
    return """
      <path class="\(style)" data-i="\(number)"\(figures) d="\(path(space.rings, closed: true))"><title>\(title)</title></path>
      """
  }

  /// Returns the name of a space if it fits at a width of about a thousand pixels.
  private func label(_ number: Int) -> String {
    let space = page.contents.venue.spaces[number]
    let name = HTMLText.readable(space.name)
    guard !name.isEmpty else { return "" }
    var box = PlaneBox()
    space.rings.joined().forEach { box.include($0) }
    let size = max(page.storeys.box.width, page.storeys.box.height * 1.4) / 1_000 * 11.5
    let needed = Double(name.count) * size * 0.58
    guard needed < box.width * 0.94, size * 1.5 < box.height else { return "" }
    let center = PlanePoint(x: (box.left + box.right) / 2, y: (box.bottom + box.top) / 2)
    guard space.contains(center) else { return "" }
    return """
      <text class="label" x="\(centimetres(center.x))" y="\(centimetres(-center.y))" \
      font-size="\(centimetres(size))" stroke-width="\(centimetres(size * 0.28))">\(HTMLText.escaped(name))</text>
      """
  }

  /// Returns lines in whole centimetres, relative to the previous point. Points nearer than 4 cm to it are left out,
  /// except the last of a line.
  func path(_ lines: [[PlanePoint]], closed: Bool) -> String {
    var bytes: [UInt8] = []
    for line in lines {
      var last: (x: Int64, y: Int64)?
      for (index, point) in line.enumerated() {
        let next = (x: Int64(centimetres(point.x)), y: Int64(centimetres(-point.y)))
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

  private func centimetres(_ metres: Double) -> Int { Int((metres * 100).rounded()) }
}
