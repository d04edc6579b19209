import CordonCore
import CordonSupport

/// The drawing of a chart as SVG. Colours come from classes (`c0` to `c7`), so that it follows the page; its values stand in the
/// table beside it, for people who do not see it.
struct FormChartDrawing {
  private let chart: FormChart

  init(_ chart: FormChart) { self.chart = chart }

  /// The SVG element; empty for a chart without values.
  var svg: String {
    guard chart.rows.contains(where: { $0.numbers.contains { $0 > 0 } }) else { return "" }
    return switch chart.kind {
    case .pie: element(height: 200, pie)
    case .bar, .histogram: element(height: barHeight, chart.kind == .bar ? bars : columns)
    case .line: element(height: 160, line)
    case .map: element(height: 260, dots)
    case .crossTable: element(height: Double(24 * chart.rows.count + 8), stacks)
    }
  }

  private func element(height: Double, _ content: String) -> String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" class="form-drawing" viewBox="0 0 600 \(text(height))" aria-hidden="true">\(content)</svg>
    """
  }

  /// Coordinates with one decimal.
  private func text(_ value: Double) -> String { JSONValue.number((value * 10).rounded() / 10).text() }

  private func label(_ words: String, x: Double, y: Double, anchor: String = "start") -> String {
    let short = words.count > 26 ? String(words.prefix(25)) + "…" : words
    return """
      <text class="t" x="\(text(x))" y="\(text(y))" text-anchor="\(anchor)">\(MarkupText.escaped(short))</text>
      """
  }

  private func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ colour: Int) -> String {
    """
    <rect class="c\(colour % 8)" x="\(text(x))" y="\(text(y))" width="\(text(max(width, 0)))" height="\(text(max(height, 0)))"/>
    """
  }

  private func name(_ row: FormChart.Row) -> String { row.name.texts.first?.text ?? "" }

  private var values: [Double] { chart.rows.map { $0.numbers.first ?? 0 } }
  private var maximum: Double { max(1, chart.rows.flatMap(\.numbers).max() ?? 1) }
  private var barHeight: Double { chart.kind == .bar ? Double(24 * chart.rows.count + 8) : 160 }

  // MARK: Kinds

  private var pie: String {
    let sum = values.reduce(0, +)
    var (content, angle) = ("", -Double.pi / 2)
    for (index, value) in values.enumerated() {
      let next = angle + 2 * .pi * value / sum
      content += label(
        "\(name(chart.rows[index])): \(text(value))", x: 236, y: 30 + 26 * Double(index))
      content += rectangle(212, 18 + 26 * Double(index), 14, 14, index)
      defer { angle = next }
      if value == sum {
        content += "<circle class=\"c\(index % 8)\" cx=\"100\" cy=\"100\" r=\"90\"/>"
      } else if value > 0 {
        func point(_ angle: Double) -> String {
          "\(text(100 + 90 * PortableMath.cos(angle))) \(text(100 + 90 * PortableMath.sin(angle)))"
        }
        let large = next - angle > .pi ? 1 : 0
        content +=
          "<path class=\"c\(index % 8)\" d=\"M100 100L\(point(angle))A90 90 0 \(large) 1 \(point(next))Z\"/>"
      }
    }
    return content
  }

  private var bars: String {
    chart.rows.enumerated().map { index, row in
      let y = Double(24 * index) + 4
      let width = 340 * (row.numbers.first ?? 0) / maximum
      return label(name(row), x: 190, y: y + 14, anchor: "end") + rectangle(200, y, width, 18, 0)
        + label(text(row.numbers.first ?? 0), x: 206 + width, y: y + 14)
    }.joined()
  }

  private var columns: String {
    let width = 560 / Double(max(1, chart.rows.count))
    return chart.rows.enumerated().map { index, row in
      let height = 110 * (row.numbers.first ?? 0) / maximum
      let x = 20 + width * Double(index)
      return rectangle(x + 1, 130 - height, width - 2, height, 0)
        + label(text(row.numbers.first ?? 0), x: x + width / 2, y: 124 - height, anchor: "middle")
        + label(name(row), x: x, y: 148)
    }.joined()
  }

  private var line: String {
    let count = chart.rows.count
    let points = values.enumerated().map { index, value in
      "\(text(count == 1 ? 300 : 20 + 560 * Double(index) / Double(count - 1))),\(text(130 - 110 * value / maximum))"
    }
    let mark =
      count == 1
      ? points.map { point in
        let pair = point.split(separator: ",")
        return "<circle class=\"c0\" cx=\"\(pair[0])\" cy=\"\(pair[1])\" r=\"4\"/>"
      }.joined() : ""
    return
      "<path class=\"axis\" d=\"M20 130H580\"/><polyline class=\"line\" points=\"\(points.joined(separator: " "))\"/>"
      + mark
      + label(chart.rows.first.map(name) ?? "", x: 20, y: 150)
      + label(chart.rows.last.map(name) ?? "", x: 580, y: 150, anchor: "end") + label(text(maximum), x: 20, y: 14)
  }

  private var dots: String {
    let (x, y) = (chart.points.map(\.longitude), chart.points.map(\.latitude))
    guard let west = x.min(), let east = x.max(), let south = y.min(), let north = y.max() else { return "" }
    // A degree of longitude is shorter than one of latitude.
    let scale = PortableMath.cos((south + north) / 2 * .pi / 180)
    let step = min(560 / max((east - west) * scale, 1e-6), 220 / max(north - south, 1e-6))
    return "<rect class=\"frame\" x=\"10\" y=\"10\" width=\"580\" height=\"240\"/>"
      + zip(x, y).map { longitude, latitude in
        let px = 300 + ((longitude - (west + east) / 2) * scale) * step
        let py = 130 - (latitude - (south + north) / 2) * step
        return "<circle class=\"c0 dot\" cx=\"\(text(px))\" cy=\"\(text(py))\" r=\"4\"/>"
      }.joined()
  }

  private var stacks: String {
    chart.rows.enumerated().map { index, row in
      let (y, sum) = (Double(24 * index) + 4, row.numbers.reduce(0, +))
      let most = max(1, chart.rows.map { $0.numbers.reduce(0, +) }.max() ?? 1)
      var x = 200.0
      var content = label(name(row), x: 190, y: y + 14, anchor: "end")
      for (column, value) in row.numbers.enumerated() {
        let width = 340 * value / most
        content += rectangle(x, y, width, 18, column)
        x += width
      }
      return content + label(text(sum), x: x + 6, y: y + 14)
    }.joined()
  }
}
