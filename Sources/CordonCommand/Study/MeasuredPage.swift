import CordonCore
import CordonRun
import CordonSimulator
import CordonSupport
import Foundation

/// A run against head counts, as lines, page and object.
struct MeasuredPage {
  private let result: OccupancyError
  private let run: String
  private let measured: String
  private let space: String?

  init(_ result: OccupancyError, run: String, measured: String, space: String?) {
    self.result = result
    self.run = run
    self.measured = measured
    self.space = space
  }

  private var sentences: [String] {
    let plain = PairedDifference.plain
    let most = result.minutes.map(\.measured).max() ?? 0
    let mine = result.minutes.map(\.run).max() ?? 0
    return [
      "On average over \(result.minutes.count) times of day, the run has \(plain(abs(result.bias))) \(result.bias >= 0 ? "more" : "fewer") people than the counts.",
      "The mean absolute difference at one time is \(plain(result.meanAbsoluteError)) people (root mean square: \(plain(result.rootMeanSquareError))).",
      "The maximum of the run is \(plain(mine)) people. The maximum of the counts is \(plain(most)) (mean of \(result.measuredDays) \(result.measuredDays == 1 ? "day" : "days")).",
      "At \(plain(result.shareInRange * 100)) % of the times, the run lies between the minimum and the maximum of the counted days."
        + (result.correlation.map { " The correlation over time is \(plain($0))." } ?? ""),
    ]
  }

  var text: String { sentences.map { $0 + "\n" }.joined() }

  var json: JSONValue {
    [
      "schema": "cordon.compare-measured/1", "run": .string(run), "measured": .string(measured),
      "space": JSONValue(space), "bias_people": .number(result.bias),
      "mean_absolute_error_people": .number(result.meanAbsoluteError),
      "root_mean_square_error_people": .number(result.rootMeanSquareError),
      "correlation": JSONValue(result.correlation),
      "share_in_range": .number(result.shareInRange), "measured_days": JSONValue(result.measuredDays),
      "times": .array(
        result.minutes.map { item in
          [
            "minute_of_day": JSONValue(item.minute), "run": .number(item.run), "measured": .number(item.measured),
            "measured_least": .number(item.range.lowerBound), "measured_most": .number(item.range.upperBound),
          ]
        }),
    ]
  }

  var html: String {
    let chart = LineChart(
      "People by time of day", x: ChartAxis("time of day", isClock: true), y: ChartAxis("people"),
      series: [
        .init("people in the run", result.minutes.map { .init(Double($0.minute), $0.run) }, colour: 3),
        .init("mean of the counts", result.minutes.map { .init(Double($0.minute), $0.measured) }, colour: 4),
      ],
      bands: [.init(result.minutes.map { (Double($0.minute), $0.range.lowerBound, $0.range.upperBound) })])
    func name(_ path: String) -> String { URL(fileURLWithPath: path).lastPathComponent }
    return StudyPage.html(
      title: "\(name(run)) against \(name(measured))" + (space.map { ": \($0)" } ?? ""), kind: "comparison with counts",
      body: """
        \(sentences.map { "<p>\(MarkupText.escaped($0))</p>" }.joined(separator: "\n"))
        <div class="wide">\(chart.html)</div>
        <p class="note">The band reaches from the minimum to the maximum of the counted days.</p>
        """)
  }
}
