import CordonCommandLine
import CordonCore
import CordonRun
import CordonSimulator
import CordonSupport
import Foundation

/// A run against measured carbon dioxide, as lines, page and object.
struct MeasuredAirPage {
  let result: MeasuredAir
  let run: String
  let measured: String

  /// Compares the carbon dioxide of a run folder with a measured table.
  /// - Throws: ``CommandError`` for a run without air and for a fault in the table.
  init(
    run: String, parameters: RunParameters, measured: String, text: String, days: Set<Int>, clock: ScenarioClock
  ) throws {
    self.run = run
    self.measured = measured
    func number(_ name: String) -> Double? {
      switch parameters.others.first(where: { $0.name == name })?.value {
      case .number(let number)?: number
      case .integer(let number)?: Double(number)
      default: nil
      }
    }
    guard let bin = number("air_bin_s"), let outdoors = number("air_outdoor_co2_ppm") else {
      throw CommandError(
        "the run has no carbon dioxide: its scenario needs the key 'air'", code: "no-air", file: run)
    }
    let folder = run.hasSuffix("run.sqlite") ? URL(fileURLWithPath: run).deletingLastPathComponent().path : run
    let table = try TextFile.read(folder + "/air.csv", code: "air").text
    do {
      result = try MeasuredAir(
        measured: text,
        run: MeasuredAir.Run(
          table: table, outdoorCO2: outdoors, bin: .milliseconds(Int64((bin * 1_000).rounded())),
          start: parameters.start, end: parameters.end),
        days: days, clock: clock)
    } catch var error {
      error.file = measured
      throw error
    }
    guard !result.spaces.isEmpty else {
      throw CommandError(
        "the run and the measurement have no space and time of day in common", code: "no-overlap", file: measured)
    }
  }

  private static func sentence(_ space: MeasuredAir.Space) -> String {
    let plain = PairedDifference.plain
    let error = space.error
    return
      "\(space.name): the run is \(plain(abs(error.bias))) ppm \(error.bias >= 0 ? "above" : "below") the measurement on average "
      + "over \(error.minutes.count) times of day; mean absolute difference \(plain(error.meanAbsoluteError)) ppm, "
      + "root mean square \(plain(error.rootMeanSquareError)) ppm"
      + (error.correlation.map { ", correlation \(plain($0))" } ?? "") + "."
  }

  private var missing: [String] {
    result.unmatched.map { "\($0): the run has no carbon dioxide of this space at these times of day." }
  }

  var text: String { (result.spaces.map(Self.sentence) + missing).map { $0 + "\n" }.joined() }

  var json: JSONValue {
    [
      "schema": "cordon.compare-air/1", "run": .string(run), "measured": .string(measured),
      "unmatched": .array(result.unmatched.map { .string($0) }),
      "spaces": .array(
        result.spaces.map { space in
          [
            "space": .string(space.name), "bias_ppm": .number(space.error.bias),
            "mean_absolute_error_ppm": .number(space.error.meanAbsoluteError),
            "root_mean_square_error_ppm": .number(space.error.rootMeanSquareError),
            "correlation": JSONValue(space.error.correlation), "measured_days": JSONValue(space.error.measuredDays),
            "times": .array(
              space.error.minutes.map { item in
                [
                  "minute_of_day": JSONValue(item.minute), "run_ppm": .number(item.run),
                  "measured_ppm": .number(item.measured),
                ]
              }),
          ]
        }),
    ]
  }

  var html: String {
    func name(_ path: String) -> String { URL(fileURLWithPath: path).lastPathComponent }
    let plain = PairedDifference.plain
    let rows = result.spaces.map { space in
      (
        style: "",
        cells: [
          MarkupText.escaped(space.name), plain(space.error.bias), plain(space.error.meanAbsoluteError),
          plain(space.error.rootMeanSquareError), space.error.correlation.map(plain) ?? "-",
          String(space.error.minutes.count),
        ]
      )
    }
    let columns: [StudyPage.Column] =
      [.text("space")]
      + ["bias, ppm", "mean absolute, ppm", "root mean square, ppm", "correlation", "times of day"].map { .number($0) }
    return StudyPage.html(
      title: "\(name(run)) against \(name(measured))", kind: "comparison with carbon dioxide",
      body: """
        \((result.spaces.map(Self.sentence) + missing).map { "<p>\(MarkupText.escaped($0))</p>" }.joined(separator: "\n"))
        \(result.spaces.map(figure).joined(separator: "\n"))
        \(StudyPage.table(columns, rows))
        """)
  }

  /// Returns the run and the measurement of a space over the day.
  private func figure(_ space: MeasuredAir.Space) -> String {
    let minutes = space.error.minutes
    let least = minutes.map { min($0.run, $0.range.lowerBound) }.min() ?? 0
    let chart = LineChart(
      "Carbon dioxide of \(space.name) by time of day", x: ChartAxis("time of day", isClock: true),
      y: ChartAxis("ppm", low: (least / 50).rounded(.down) * 50),
      series: [
        .init("ppm in the run", minutes.map { .init(Double($0.minute), $0.run) }, colour: 3),
        .init("measured ppm, mean of the days", minutes.map { .init(Double($0.minute), $0.measured) }, colour: 4),
      ],
      bands: [.init(minutes.map { (Double($0.minute), $0.range.lowerBound, $0.range.upperBound) })])
    return "<div class=\"wide\">\(chart.html)</div>"
  }
}
