import Foundation
import Testing

@testable import CordonRun

@Suite("Line charts of pages")
struct LineChartTests {
  @Test func aChartHasItsTable() {
    let chart = LineChart(
      "Speed & flow", id: "a", x: ChartAxis("width, m"), y: ChartAxis("m/s"),
      series: [
        .init("the model", [.init(1, 2), .init(2, 4.1234), .init(3, .nan)], colour: 0, style: .dots),
        .init("reference", [.init(1, 1.5)], colour: 1),
      ])
    let html = chart.html
    for text in [
      "<figure id=\"a\"><figcaption>Speed &amp; flow</figcaption>", "aria-label=\"Speed &amp; flow\"",
      "<summary>Values</summary>",
      "<th scope=\"row\">1</th><td class=\"n\">2</td><td class=\"n\">1.5</td>",
      "<th scope=\"row\">2</th><td class=\"n\">4.123</td><td class=\"n\"></td>",
    ] {
      #expect(html.contains(text), "\(text)")
    }
    #expect(!html.contains("nan"))
  }

  @Test func longTablesAreThinned() {
    let points = (0..<600).map { LineChart.Point(Double($0), 1) }
    let html = LineChart("a", x: ChartAxis("x"), y: ChartAxis("y"), series: [.init("b", points, colour: 0)]).html
    let rows = html.components(separatedBy: "<th scope=\"row\">").count - 1
    #expect(rows == 60)
  }

  @Test func timesOfDayHaveRoundEnds() {
    let axis = ChartAxis("t", isClock: true).fitted(to: [545, 562], from: 0, to: 100)
    #expect(axis.ticks.map(axis.label) == ["9:00", "9:10", "9:20", "9:30", "9:40", "9:50", "10:00"])
    #expect(axis.place(570) == 50)
    let day = ChartAxis("t", isClock: true).fitted(to: [0, 1_439], from: 0, to: 100)
    #expect(day.ticks.map(day.label) == ["0:00", "4:00", "8:00", "12:00", "16:00", "20:00", "24:00"])
  }

  @Test func powersOfTenHaveEqualDistances() {
    let axis = ChartAxis("p", isLogarithmic: true).fitted(to: [0.000_2, 0, 30], from: 0, to: 60)
    #expect(axis.ticks.map(axis.label) == ["1e-4", "1e-3", "0.01", "0.1", "1", "10", "100"])
    #expect(axis.place(0.01) == 20)
    #expect(!axis.holds(0))
    #expect(axis.value(0.000_234_56) == "0.000235")
  }

  @Test(arguments: [(0, 5), (0, 2.2), (0, 1.6), (0, 179.6), (-3, 3), (0, 0.04)])
  func ticksAreFewAndRound(low: Double, high: Double) {
    let ticks = AxisTicks.list(from: low, to: high)
    #expect((3...8).contains(ticks.count))
    let isInside = ticks.allSatisfy { $0 >= low - 1e-9 && $0 <= high + 1e-9 }
    #expect(isInside)
  }
}
