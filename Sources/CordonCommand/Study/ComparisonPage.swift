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
      (
        style: "",
        cells: [
          MarkupText.escaped(item.title), PairedDifference.plain(item.first), PairedDifference.plain(item.second),
          plot(item), MarkupText.escaped(item.finding),
        ]
      )
    }
    return StudyPage.html(
      title: "\(comparison.first) against \(comparison.second)", kind: "comparison",
      body: """
        <p>\(MarkupText.escaped(heading))</p>
        <p class="note">The bar is the 95 % confidence interval of B minus A; the line in the middle stands for no difference.</p>
        \(StudyPage.table(
          [.text("figure"), .number("A"), .number("B"), .text("difference", style: "plot"), .text("in words", style: "words")],
          rows))
        \(StudyPage.notes(notes))
        """)
  }

  private func plot(_ item: PairedDifference) -> String {
    guard item.margin.isFinite else { return "" }
    let extent = max(abs(item.difference) + item.margin, 1e-9)
    func x(_ value: Double) -> Double { (100 + value / extent * 90).rounded() }
    let (low, high) = (x(item.difference - item.margin), x(item.difference + item.margin))
    return """
      <svg class="interval" viewBox="0 0 200 20" role="img" aria-label="\(item.isSignificant ? "clear" : "not clear")">\
      <line class="reference" x1="100" y1="2" x2="100" y2="18"/><rect class="bar-band" x="\(low)" y="6" \
      width="\(max(high - low, 2))" height="8"/><circle class="value" cx="\(x(item.difference))" cy="10" r="4"/></svg>
      """
  }
}
