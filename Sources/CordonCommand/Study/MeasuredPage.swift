import CordonCore
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
    let top = max(result.minutes.map { max($0.run, $0.range.upperBound) }.max() ?? 1, 1)
    func x(at minute: Int) -> Double { ((44 + Double(minute) / 1_440 * 424) * 10).rounded() / 10 }
    func y(_ people: Double) -> Double { ((230 - people / top * 210) * 10).rounded() / 10 }
    func line(_ value: (OccupancyError.Minute) -> Double) -> String {
      result.minutes.map { "\(x(at: $0.minute)),\(y(value($0)))" }.joined(separator: " ")
    }
    let band =
      result.minutes.map { "\(x(at: $0.minute)),\(y($0.range.upperBound))" }
      + result.minutes.reversed().map { "\(x(at: $0.minute)),\(y($0.range.lowerBound))" }
    let hours = stride(from: 0, through: 24, by: 6).map { hour in
      "<text x=\"\(x(at: hour * 60))\" y=\"250\" text-anchor=\"middle\">\(hour):00</text>"
    }
    let ticks = AxisTicks.list(from: 0, to: top).map { tick in
      "<text x=\"38\" y=\"\(y(tick) + 4)\" text-anchor=\"end\">\(PairedDifference.plain(tick))</text>"
    }
    func name(_ path: String) -> String { URL(fileURLWithPath: path).lastPathComponent }
    return StudyPage.html(
      title: "\(name(run)) against \(name(measured))" + (space.map { ": \($0)" } ?? ""), kind: "comparison with counts",
      body: """
        \(sentences.map { "<p>\(MarkupText.escaped($0))</p>" }.joined(separator: "\n"))
        <svg class="wideplot" viewBox="0 0 480 260" role="img" aria-label="People by time of day">
        <path class="axis" d="M44 14V230H468"/><polygon class="bar-band" points="\(band.joined(separator: " "))"/>
        <polyline class="c4" points="\(line { $0.measured })"/><polyline class="c3" points="\(line { $0.run })"/>
        \(ticks.joined())\(hours.joined())</svg>
        <ul class="legend-list"><li class="c3"><i></i>people in the run</li><li class="c4"><i></i>mean of the counts; the band \
        reaches from the minimum to the maximum of the counted days</li></ul>
        """)
  }
}
