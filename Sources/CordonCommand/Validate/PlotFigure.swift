import CordonRun
import CordonSimulator

/// A plot against reference curves as a figure of a page.
struct PlotFigure {
  private let plot: ReferencePlot

  /// The colours of the references; the model has the colour 0.
  private static let colours = [4, 1, 2, 3]

  init(_ plot: ReferencePlot) { self.plot = plot }

  var html: String {
    let model = series("the model", plot.model, colour: 0, style: .line)
    let references = plot.references.enumerated().map { index, reference in
      series(
        reference.name, reference.points, colour: PlotFigure.colours[index % PlotFigure.colours.count],
        style: plot.isLogarithmic ? .lineWithDots : .line)
    }
    let marks = plot.marks.map { mark in
      LineChart.Mark("measured: \(mark.name), with a band of 15 %", x: mark.x, y: mark.y, range: mark.band)
    }
    return LineChart(
      plot.title, id: plot.id, x: ChartAxis(plot.xName, isLogarithmic: plot.isLogarithmic),
      y: ChartAxis(plot.yName, isLogarithmic: plot.isLogarithmic), series: [model] + references, marks: marks
    ).html
  }

  private func series(
    _ name: String, _ points: [MovementStudy.Point], colour: Int, style: LineChart.Series.Style
  ) -> LineChart.Series {
    LineChart.Series(name, points.map { LineChart.Point($0.x, $0.y) }, colour: colour, style: style)
  }
}
