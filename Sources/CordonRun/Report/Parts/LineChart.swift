import CordonSupport

/// The part "line chart" of pages: lines, dots and bands over one axis, with a legend, and with its values as a table.
package struct LineChart {
  /// A value over the horizontal axis.
  package struct Point: Hashable, Sendable {
    package var x: Double
    package var y: Double

    /// Creates a point.
    package init(_ x: Double, _ y: Double) {
      self.x = x
      self.y = y
    }
  }

  /// Values that belong together.
  package struct Series: Sendable {
    /// How values are drawn.
    package enum Style: Sendable { case line, dots, lineWithDots }

    /// The name in the legend and over the column of the table.
    package var name: String
    /// The values; those that are not finite are left out.
    package var points: [Point]
    /// The number of the colour, 0 ... 4.
    package var colour: Int
    package var style: Style

    /// Creates a series.
    package init(_ name: String, _ points: [Point], colour: Int, style: Style = .line) {
      self.name = name
      self.points = points
      self.colour = colour
      self.style = style
    }
  }

  /// An area between two curves.
  package struct Band: Sendable {
    package var points: [(x: Double, low: Double, high: Double)]

    /// Creates a band.
    package init(_ points: [(x: Double, low: Double, high: Double)]) { self.points = points }
  }

  /// A measured figure with a range on the horizontal axis.
  package struct Mark: Sendable {
    package var name: String
    package var x: Double
    package var y: Double
    package var range: ClosedRange<Double>

    /// Creates a mark.
    package init(_ name: String, x: Double, y: Double, range: ClosedRange<Double>) {
      self.name = name
      self.x = x
      self.y = y
      self.range = range
    }
  }

  private let title: String
  private let x: ChartAxis
  private let y: ChartAxis
  private let series: [Series]
  private let bands: [Band]
  private let marks: [Mark]
  private let id: String
  private static let frame = (left: 60.0, right: 460.0, top: 24.0, bottom: 260.0)
  /// The maximum number of rows of the table.
  private static let mostRows = 60

  /// Creates a chart.
  ///
  /// - Parameters:
  ///   - title: the caption.
  ///   - id: an identifier in the page; empty for none.
  ///   - x: the horizontal axis.
  ///   - y: the vertical axis.
  ///   - series: the values, in the order of the legend.
  ///   - bands: areas behind them.
  ///   - marks: measured figures.
  package init(
    _ title: String, id: String = "", x: ChartAxis, y: ChartAxis, series: [Series], bands: [Band] = [],
    marks: [Mark] = []
  ) {
    self.title = title
    self.id = id
    self.series = series.map { one in
      var one = one
      one.points = one.points.filter { x.holds($0.x) && y.holds($0.y) }
      return one
    }
    self.bands = bands
    self.marks = marks
    let points = self.series.flatMap(\.points)
    var places: [Double] = points.map(\.x)
    var values: [Double] = points.map(\.y)
    for point in bands.flatMap({ $0.points }) {
      places.append(point.x)
      values += [point.low, point.high]
    }
    for mark in marks {
      places += [mark.range.lowerBound, mark.range.upperBound]
      values.append(mark.y)
    }
    self.x = x.fitted(to: places, from: LineChart.frame.left, to: LineChart.frame.right)
    self.y = y.fitted(to: values, from: LineChart.frame.bottom, to: LineChart.frame.top)
  }

  /// The figure.
  package var html: String {
    let name = MarkupText.escaped(title)
    return """
      <figure\(id.isEmpty ? "" : " id=\"\(MarkupText.escaped(id))\"")><figcaption>\(name)</figcaption>
      <svg class="linechart" viewBox="0 0 480 304" role="img" aria-label="\(name)">\
      \(bands.map(drawn).joined())\(marks.map(drawn).joined())\(series.map(drawn).joined())\(axes)</svg>
      <ul class="legend-list">\(legend)</ul>
      \(table)</figure>
      """
  }

  private func drawn(_ band: Band) -> String {
    let upper = band.points.map { "\(x.place($0.x)),\(y.place($0.high))" }
    let lower = band.points.reversed().map { "\(x.place($0.x)),\(y.place($0.low))" }
    return "<polygon class=\"band\" points=\"\((upper + lower).joined(separator: " "))\"/>"
  }

  private func drawn(_ mark: Mark) -> String {
    let (from, to, height) = (x.place(mark.range.lowerBound), x.place(mark.range.upperBound), y.place(mark.y))
    return """
      <rect class="band" x="\(from)" y="\(height - 5)" width="\(max(to - from, 1))" height="10">\
      <title>\(MarkupText.escaped(mark.name))</title></rect>\
      <line class="reference" x1="\(x.place(mark.x))" x2="\(x.place(mark.x))" y1="\(height - 8)" y2="\(height + 8)"/>
      """
  }

  private func drawn(_ series: Series) -> String {
    let places = series.points.map { (x: x.place($0.x), y: y.place($0.y)) }
    var svg = ""
    if series.style != .dots {
      let points = places.map { "\($0.x),\($0.y)" }.joined(separator: " ")
      svg += "<polyline class=\"c\(series.colour)\" points=\"\(points)\"/>"
    }
    if series.style != .line {
      let radius = series.style == .dots ? 4 : 3
      let end = "r=\"\(radius)\"/>"
      let dots = places.map { "<circle class=\"dot c\(series.colour)\" cx=\"\($0.x)\" cy=\"\($0.y)\" \(end)" }
      svg += dots.joined()
    }
    return svg
  }

  private var axes: String {
    let frame = LineChart.frame
    var svg = "<path class=\"axis\" d=\"M\(frame.left) \(frame.top)V\(frame.bottom)H\(frame.right)\"/>"
    for tick in x.ticks {
      let text = MarkupText.escaped(x.label(tick))
      svg += "<text x=\"\(x.place(tick))\" y=\"\(frame.bottom + 17)\" text-anchor=\"middle\">\(text)</text>"
    }
    for tick in y.ticks {
      let text = MarkupText.escaped(y.label(tick))
      svg += "<text x=\"\(frame.left - 6)\" y=\"\(y.place(tick) + 4)\" text-anchor=\"end\">\(text)</text>"
    }
    let middle = (frame.left + frame.right) / 2
    let name = MarkupText.escaped(x.name)
    svg += "<text x=\"\(middle)\" y=\"\(frame.bottom + 36)\" text-anchor=\"middle\">\(name)</text>"
    return svg + "<text x=\"4\" y=\"13\">\(MarkupText.escaped(y.name))</text>"
  }

  private var legend: String {
    let items = series.map { "<li class=\"c\($0.colour)\"><i></i>\(MarkupText.escaped($0.name))</li>" }
    return (items + marks.map { "<li>\(MarkupText.escaped($0.name))</li>" }).joined()
  }

  /// The values, at most ``mostRows`` of them, evenly taken.
  private var table: String {
    let places = Set(series.flatMap { $0.points.map(\.x) }).sorted()
    guard !places.isEmpty else { return "" }
    let step = (places.count + LineChart.mostRows - 1) / LineChart.mostRows
    let known = series.map { one in
      Dictionary(one.points.map { ($0.x, $0.y) }, uniquingKeysWith: { first, _ in first })
    }
    var rows = ""
    for index in stride(from: 0, to: places.count, by: step) {
      let cells = known.map { "<td class=\"n\">\($0[places[index]].map(y.value) ?? "")</td>" }
      rows += "<tr><th scope=\"row\">\(MarkupText.escaped(x.value(places[index])))</th>\(cells.joined())</tr>"
    }
    let heads = series.map { "<th scope=\"col\" class=\"n\">\(MarkupText.escaped($0.name))</th>" }
    let first = "<th scope=\"col\">\(MarkupText.escaped(x.name))</th>"
    return """
      <details><summary>Values</summary>\
      <div class="scroll" tabindex="0" role="region" aria-label="Values: \(MarkupText.escaped(title))"><table>\
      <thead><tr>\(first)\(heads.joined())</tr></thead><tbody>\(rows)</tbody></table></div></details>
      """
  }
}
