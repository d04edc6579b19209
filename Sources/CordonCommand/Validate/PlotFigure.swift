import CordonCore
import CordonSimulator
import CordonSupport

/// A plot against reference curves as a figure of a page, without script.
struct PlotFigure {
  private let plot: ReferencePlot
  private let x: Axis
  private let y: Axis

  /// The classes of the references; the model has the class 0.
  private static let classes = ["c4", "c1", "c2", "c3"]
  private static let (left, right, top, bottom) = (60.0, 460.0, 20.0, 300.0)

  init(_ plot: ReferencePlot) {
    self.plot = plot
    let points = plot.model + plot.references.flatMap(\.points)
    let xs = points.map(\.x) + plot.marks.flatMap { [$0.band.lowerBound, $0.band.upperBound] }
    let ys = points.map(\.y) + plot.marks.map(\.y)
    x = Axis(xs, isLogarithmic: plot.isLogarithmic, from: PlotFigure.left, to: PlotFigure.right)
    y = Axis(ys, isLogarithmic: plot.isLogarithmic, from: PlotFigure.bottom, to: PlotFigure.top)
  }

  var html: String {
    let title = MarkupText.escaped(plot.title)
    return """
      <figure id="\(MarkupText.escaped(plot.id))"><figcaption>\(title)</figcaption>
      <svg viewBox="0 0 480 340" role="img" aria-label="\(title)">
      \(axes)\(references)\(marks)\(line(plot.model, style: "c0"))</svg>\(legendLines)</figure>
      """
  }

  private var references: String {
    plot.references.enumerated().map { index, series in
      line(series.points, style: Self.classes[index % Self.classes.count])
        + (plot.isLogarithmic
          ? series.points.map {
            "<circle class=\"dot \(Self.classes[index % Self.classes.count])\" cx=\"\(x.place($0.x))\" cy=\"\(y.place($0.y))\" r=\"3\"/>"
          }.joined() : "")
    }.joined()
  }

  /// A measured figure: its band as a bar, itself as a line across.
  private var marks: String {
    plot.marks.map { mark in
      let (from, to) = (x.place(mark.band.lowerBound), x.place(mark.band.upperBound))
      let height = y.place(mark.y)
      return
        "<rect class=\"band\" x=\"\(from)\" y=\"\(height - 5)\" width=\"\(max(to - from, 1))\" height=\"10\"><title>\(MarkupText.escaped(mark.name))</title></rect>"
        + "<line class=\"reference\" x1=\"\(x.place(mark.x))\" x2=\"\(x.place(mark.x))\" y1=\"\(height - 8)\" y2=\"\(height + 8)\"/>"
    }.joined()
  }

  private var legendLines: String {
    let items =
      [("the model", "c0")]
      + plot.references.enumerated().map { ($1.name, Self.classes[$0 % Self.classes.count]) }
      + plot.marks.map { ("measured: \($0.name), with a band of 15 %", "") }
    let lines = items.map { text, style in
      "<li class=\"\(style)\">\(style.isEmpty ? "" : "<i></i>")\(MarkupText.escaped(text))</li>"
    }
    return "<ul class=\"legend-list\">\(lines.joined())</ul>"
  }

  private func line(_ points: [MovementStudy.Point], style: String) -> String {
    let places = points.filter { x.holds($0.x) && y.holds($0.y) }.map { "\(x.place($0.x)),\(y.place($0.y))" }
    return "<polyline class=\"\(style)\" points=\"\(places.joined(separator: " "))\"/>"
  }

  private var axes: String {
    let (left, right, bottom) = (Self.left, Self.right, Self.bottom)
    var svg = "<path d=\"M\(left) \(Self.top)V\(bottom)H\(right)\" class=\"axis\"/>"
    for tick in x.ticks {
      svg +=
        "<text x=\"\(x.place(tick))\" y=\"\(bottom + 16)\" text-anchor=\"middle\">\(ValidationPage.plain(tick))</text>"
    }
    for tick in y.ticks {
      svg +=
        "<text x=\"\(left - 6)\" y=\"\(y.place(tick) + 4)\" text-anchor=\"end\">\(y.label(tick))</text>"
    }
    let (xName, yName) = (MarkupText.escaped(plot.xName), MarkupText.escaped(plot.yName))
    svg +=
      "<text x=\"\((left + right) / 2)\" y=\"\(bottom + 34)\" text-anchor=\"middle\">\(xName)</text>"
    svg += "<text x=\"\(left + 4)\" y=\"14\">\(yName)</text>"
    return svg
  }

  /// One direction of the plot.
  private struct Axis {
    let low: Double
    let high: Double
    let isLogarithmic: Bool
    let from: Double
    let to: Double

    init(_ values: [Double], isLogarithmic: Bool, from: Double, to: Double) {
      self.isLogarithmic = isLogarithmic
      self.from = from
      self.to = to
      let usable = values.filter { $0.isFinite && (!isLogarithmic || $0 > 0) }
      let (least, most) = (usable.min() ?? 0, usable.max() ?? 1)
      if isLogarithmic {
        low = Axis.log10(max(least, 1e-9)).rounded(.down)
        high = max(Axis.log10(max(most, 1e-9)).rounded(.up), low + 1)
      } else {
        low = min(least, 0)
        high = max(most, low + 1e-6)
      }
    }

    private static func log10(_ value: Double) -> Double { PortableMath.log(value) / 2.302_585_092_994_046 }

    func holds(_ value: Double) -> Bool { value.isFinite && (!isLogarithmic || value > 0) }

    /// Where a value stands, in the units of the figure.
    func place(_ value: Double) -> Double {
      let shown = isLogarithmic ? Axis.log10(max(value, 1e-9)) : value
      let share = min(max((shown - low) / (high - low), 0), 1)
      return ((from + share * (to - from)) * 10).rounded() / 10
    }

    var ticks: [Double] {
      guard isLogarithmic else { return AxisTicks.list(from: low, to: high) }
      return stride(from: low, through: high, by: 1).map { PortableMath.exp($0 * 2.302_585_092_994_046) }
    }

    /// A share of a million has more decimals than a page shows elsewhere.
    func label(_ value: Double) -> String {
      guard isLogarithmic, value < 0.01 else { return ValidationPage.plain(value) }
      return "1e\(Int(Axis.log10(value).rounded()))"
    }
  }
}
