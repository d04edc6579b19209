import CordonCore
import CordonRun
import CordonSimulator
import CordonSupport
import Foundation

/// A fitted scenario: its changes and the quality of its predictions, as lines, page and object.
struct FitPage {
  private let fit: ScenarioFit
  private let scenario: String
  private let measured: [String]
  private let seed: UInt64
  private let options: ScenarioFit.Options

  init(_ fit: ScenarioFit, scenario: String, measured: [String], seed: UInt64, options: ScenarioFit.Options) {
    self.fit = fit
    self.scenario = scenario
    self.measured = measured
    self.seed = seed
    self.options = options
  }

  private static func list(_ days: [MeasuredTable.Day]) -> String { days.map(\.label).joined(separator: ", ") }

  private var heading: String {
    "Fitted to \(fit.trainingDays.count) days (\(Self.list(fit.trainingDays))), seed \(seed)."
      + (fit.heldOutDays.isEmpty ? " No day was held out, so that the quality of predictions is unknown." : "")
  }

  private static func percent(_ share: Double?) -> String {
    share.map { "\(PairedDifference.plain($0 * 100)) %" } ?? "-"
  }

  private func cells(_ quality: ForecastQuality) -> [String] {
    let bias = PairedDifference.plain(abs(quality.bias))
    return [
      quality.name, PairedDifference.plain(quality.meanAbsoluteError),
      bias == "0" ? bias : "\(bias) \(quality.bias > 0 ? "too many" : "too few")", Self.percent(quality.coverage),
      Self.percent(quality.coverageInUse),
    ]
  }

  private static let heads = [
    "prediction", "mean absolute error, people", "bias, people", "within the 90 % interval", "within it, times in use",
  ]

  /// A sentence that compares the errors of the predictions of a place.
  private func sentence(_ place: ScenarioFit.Place) -> String {
    guard let fitted = place.qualities.first else { return "" }
    let others = place.qualities.dropFirst().map { other -> String in
      guard other.meanAbsoluteError > 0 else { return "\(other.name): no error" }
      let change = fitted.meanAbsoluteError / other.meanAbsoluteError - 1
      return abs(change) < 0.005
        ? "as large as that of the \(other.name)"
        : "\(PairedDifference.plain(abs(change) * 100)) % \(change < 0 ? "smaller" : "larger") than that of the \(other.name)"
    }
    return
      "The mean absolute error of the fitted scenario is \(PairedDifference.plain(fitted.meanAbsoluteError)) people: "
      + others.joined(separator: ", ") + "."
  }

  private func title(_ place: ScenarioFit.Place) -> String {
    "\(place.name): \(fit.heldOutDays.count) days that the fit did not use (\(Self.list(fit.heldOutDays)))"
  }

  var text: String {
    let changes = FitPage.lines([["key", "before", "after"]] + fit.changes.map { [$0.key, $0.before, $0.after] })
    let places = fit.places.map { place in
      "\n\(title(place))\n" + FitPage.lines([Self.heads] + place.qualities.map(cells)) + sentence(place) + "\n"
    }
    return heading + "\n\n" + changes + places.joined() + (fit.notes.isEmpty ? "" : "\n")
      + fit.notes.map { "note: \($0)\n" }.joined()
  }

  /// Returns a table with columns of equal width.
  private static func lines(_ rows: [[String]]) -> String {
    let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = row.enumerated().map { index, cell in
        index == row.count - 1 ? cell : cell + String(repeating: " ", count: widths[index] - cell.count)
      }
      return cells.joined(separator: "  ") + "\n"
    }.joined()
  }

  func json(output: String?) -> JSONValue {
    [
      "schema": "cordon.fit/1", "scenario": .string(scenario), "output": JSONValue(output),
      "measured": .array(measured.map { .string($0) }), "seed": .integer(Int64(clamping: seed)),
      "bin_minutes": JSONValue(options.binMinutes),
      "training_days": .array(fit.trainingDays.map { .string($0.label) }),
      "held_out_days": .array(fit.heldOutDays.map { .string($0.label) }),
      "changes": .array(
        fit.changes.map {
          ["key": .string($0.key), "before": .string($0.before), "after": .string($0.after)]
        }),
      "places": .array(
        fit.places.map { place in
          [
            "name": .string(place.name), "sentence": .string(sentence(place)),
            "predictions": .array(
              place.qualities.map { quality in
                [
                  "name": .string(quality.name), "mean_absolute_error_people": .number(quality.meanAbsoluteError),
                  "bias_people": .number(quality.bias), "coverage_90": JSONValue(quality.coverage),
                  "coverage_90_in_use": JSONValue(quality.coverageInUse), "bins": JSONValue(quality.count),
                ]
              }),
          ]
        }),
      "notes": .array(fit.notes.map { .string($0) }),
    ]
  }

  var html: String {
    let changes = fit.changes.map { (style: "", cells: [$0.key, $0.before, $0.after].map(MarkupText.escaped)) }
    let places = fit.places.map { place in
      """
      <h2 class="sub">\(MarkupText.escaped(place.name))</h2>
      <p>\(MarkupText.escaped(sentence(place)))</p>
      \(StudyPage.table(
        [.text(Self.heads[0])] + Self.heads.dropFirst().map { .number($0) },
        place.qualities.map { (style: "", cells: cells($0).map(MarkupText.escaped)) }))
      \(place.measured.profiles.isEmpty ? "" : Self.chartsHeading)
      \(place.measured.profiles.indices.map { plot(place, $0) }.joined(separator: "\n"))
      """
    }
    return StudyPage.html(
      title: "\(URL(fileURLWithPath: scenario).lastPathComponent) fitted to measurements", kind: "fit",
      body: """
        <p>\(MarkupText.escaped(heading))</p>
        <h2 class="sub">Changes</h2>
        \(StudyPage.table([.text("key"), .text("before", style: "words"), .text("after", style: "words")], changes))
        \(fit.heldOutDays.isEmpty ? "" : "<p>Days that the fit did not use: \(MarkupText.escaped(Self.list(fit.heldOutDays))).</p>")
        \(places.joined(separator: "\n"))
        \(StudyPage.notes(fit.notes))
        """)
  }

  private static let chartsHeading = "<h3 class=\"charts\">People by time of day, on days that the fit did not use</h3>"

  /// A chart of one held-out day.
  private func plot(_ place: ScenarioFit.Place, _ index: Int) -> String {
    let (profile, predicted) = (place.measured.profiles[index], place.predicted[index])
    let width = 1_440 / Double(max(predicted.count, 1))
    func time(_ bin: Int) -> Double { (Double(bin) + 0.5) * width }
    func line(_ values: [Double?]) -> [LineChart.Point] {
      values.enumerated().compactMap { bin, value in value.map { LineChart.Point(time(bin), $0) } }
    }
    let band = LineChart.Band(
      predicted.enumerated().map { (time($0.offset), $0.element.low, $0.element.high) })
    let chart = LineChart(
      "\(place.name), \(profile.day.label)", x: ChartAxis("time of day", low: 0, high: 1_440, isClock: true),
      y: ChartAxis("people"),
      series: [
        .init("fitted scenario, with its 90 % interval", line(predicted.map { $0.mean }), colour: 3),
        .init("measured", line(profile.people), colour: 4),
        .init("average of the training days", line(place.average.map { $0 }), colour: 1),
      ], bands: [band])
    return chart.html
  }
}
