import CordonCore
import CordonSimulator
import CordonSupport

/// Two scenarios side by side, as lines, page and object.
struct ComparisonPage {
  private let comparison: ScenarioComparison
  private let notes: [String]

  init(_ comparison: ScenarioComparison, notes: [String]) {
    self.comparison = comparison
    self.notes = notes
  }

  private var heading: String {
    "A is \(comparison.first), B is \(comparison.second); \(comparison.replicas) "
      + (comparison.replicas == 1 ? "repetition" : "repetitions") + " of each, with the same random numbers."
      + (comparison.isPartial ? " Interrupted: fewer than requested." : "")
  }

  var text: String {
    heading + "\n\n" + comparison.differences.map { $0.sentence + "\n" }.joined()
  }

  var json: JSONValue {
    [
      "schema": "cordon.compare/1", "first": .string(comparison.first), "second": .string(comparison.second),
      "replicas": JSONValue(comparison.replicas), "notes": .array(notes.map { .string($0) }),
      "partial": .bool(comparison.isPartial),
      "differences": .array(
        comparison.differences.map { item in
          [
            "name": .string(item.name), "title": .string(item.title), "first": .number(item.first),
            "second": .number(item.second), "difference": .number(item.difference),
            "low": item.margin.isFinite ? .number(item.difference - item.margin) : .null,
            "high": item.margin.isFinite ? .number(item.difference + item.margin) : .null,
            "clear": .bool(item.isSignificant), "sentence": .string(item.sentence),
          ]
        }),
    ]
  }

  var html: String {
    let rows = comparison.differences.map { item in
      """
      <tr><th scope="row">\(MarkupText.escaped(item.title))</th><td class="n">\(PairedDifference.plain(item.first))</td>\
      <td class="n">\(PairedDifference.plain(item.second))</td><td>\(plot(item))</td>\
      <td>\(MarkupText.escaped(item.sentence))</td></tr>
      """
    }
    return StudyPage.html(
      title: "\(comparison.first) against \(comparison.second)",
      body: """
        <p>\(MarkupText.escaped(heading))</p>
        <p class="note">The bar is the 95 % confidence interval of B less A, the line in the middle no difference.</p>
        <div class="scroll"><table><thead><tr><th scope="col">figure</th><th scope="col" class="n">A</th>\
        <th scope="col" class="n">B</th><th scope="col">difference</th><th scope="col">in words</th></tr></thead>\
        <tbody>\(rows.joined(separator: "\n"))</tbody></table></div>
        \(StudyPage.notes(notes))
        """)
  }

  private func plot(_ item: PairedDifference) -> String {
    guard item.margin.isFinite else { return "" }
    let extent = max(abs(item.difference) + item.margin, 1e-9)
    func x(_ value: Double) -> Double { (100 + value / extent * 90).rounded() }
    let (low, high) = (x(item.difference - item.margin), x(item.difference + item.margin))
    return """
      <svg viewBox="0 0 200 20" width="200" height="20" role="img" aria-label="\(item.isSignificant ? "clear" : "not clear")">\
      <line class="reference" x1="100" y1="2" x2="100" y2="18"/><rect class="bar" x="\(low)" y="6" \
      width="\(max(high - low, 2))" height="8"/><circle class="value" cx="\(x(item.difference))" cy="10" r="4"/></svg>
      """
  }
}

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
      "The run has \(plain(abs(result.bias))) people \(result.bias >= 0 ? "more" : "fewer") than were counted, on average over \(result.minutes.count) times of day.",
      "At a given time it is off by \(plain(result.meanAbsoluteError)) people (root mean square \(plain(result.rootMeanSquareError))).",
      "Its busiest time has \(plain(mine)) people, that of the counts \(plain(most)) (mean of \(result.measuredDays) \(result.measuredDays == 1 ? "day" : "days")).",
      "At \(plain(result.shareInRange * 100)) % of the times it lies between the least and the most that were counted on any day."
        + (result.correlation.map { " The two rise and fall together with a correlation of \(plain($0))." } ?? ""),
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
    func x(at minute: Int) -> Double { ((40 + Double(minute) / 1_440 * 860) * 10).rounded() / 10 }
    func y(_ people: Double) -> Double { ((300 - people / top * 280) * 10).rounded() / 10 }
    func line(_ value: (OccupancyError.Minute) -> Double) -> String {
      result.minutes.map { "\(x(at: $0.minute)),\(y(value($0)))" }.joined(separator: " ")
    }
    let band =
      result.minutes.map { "\(x(at: $0.minute)),\(y($0.range.upperBound))" }
      + result.minutes.reversed().map { "\(x(at: $0.minute)),\(y($0.range.lowerBound))" }
    let hours = stride(from: 0, through: 24, by: 3).map { hour in
      "<text x=\"\(x(at: hour * 60))\" y=\"318\" text-anchor=\"middle\" font-size=\"12\" fill=\"currentColor\">\(hour):00</text>"
    }
    return StudyPage.html(
      title: "\(run) against \(measured)",
      body: """
        \(sentences.map { "<p>\(MarkupText.escaped($0))</p>" }.joined(separator: "\n"))
        <svg viewBox="0 0 920 330" width="100%" role="img" aria-label="People by time of day">
        <polygon class="bar" points="\(band.joined(separator: " "))"/>
        <polyline class="a" points="\(line { $0.measured })"/><polyline class="b" points="\(line { $0.run })"/>
        <text x="4" y="\(y(top) + 10)" font-size="12" fill="currentColor">\(PairedDifference.plain(top))</text>
        <text x="4" y="300" font-size="12" fill="currentColor">0</text>\(hours.joined())</svg>
        <p class="note">Green: people in the run. Grey: mean of the counts; the band reaches from the least to the most on any day.</p>
        """)
  }
}
