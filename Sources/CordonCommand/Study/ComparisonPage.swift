import CordonCore
import CordonSimulator
import CordonSupport

/// Several scenarios or runs side by side, as lines, page and object.
struct ComparisonPage {
  private let comparison: ScenarioComparison
  private let notes: [String]

  init(_ comparison: ScenarioComparison, notes: [String]) {
    self.comparison = comparison
    self.notes = notes
  }

  private var sides: [ComparisonSide] { comparison.sides }
  private var letters: [String] { sides.indices.map(ComparisonSide.letter) }

  private var heading: String {
    let names = zip(letters, sides).map { "\($0) is \($1.name)" }.joined(separator: ", ")
    let count = "\(comparison.replicas) " + (comparison.replicas == 1 ? "repetition" : "repetitions")
    return names
      + (comparison.isPaired ? "; \(count) of each, with the same random numbers." : "; \(count) of each.")
      + (comparison.isPartial ? " Interrupted: fewer than requested." : "")
  }

  /// Explains the confidence of the intervals of a table; `nil` for a table without intervals.
  private func confidence(_ figures: [ComparedFigure]) -> String? {
    guard let sample = figures.flatMap(\.differences).first(where: \.margin.isFinite) else { return nil }
    let each = (1 - 0.05 / Double(max(sample.comparisons, 1))) * 100
    return sample.comparisons == 1
      ? nil
      : "The \(sample.comparisons) intervals of this table hold together with 95 % confidence; each has "
        + "\((each * 1_000).rounded() / 1_000) % (Bonferroni)."
  }

  private var tables: [(part: FigurePart, figures: [ComparedFigure])] {
    FigurePart.allCases.map { ($0, comparison.figures(of: $0)) }.filter { !$0.1.isEmpty }
  }

  /// The lines for people: all figures of the building and of groups, and the differing ones of other places.
  var text: String {
    heading + "\n" + tables.map { "\n\($0.part.title)\n" + lines($0.part, $0.figures) }.joined()
  }

  private func lines(_ part: FigurePart, _ figures: [ComparedFigure]) -> String {
    let parts = divided(part, figures)
    return parts.shown.map { $0.sentence + "\n" }.joined() + (parts.sentence.map { $0 + ".\n" } ?? "")
      + (confidence(figures).map { $0 + "\n" } ?? "")
  }

  /// Returns the figures that are always shown, the others, and a sentence about the others. Of spaces, queues and desks, those
  /// without a clear difference are the others.
  private func divided(
    _ part: FigurePart, _ figures: [ComparedFigure]
  ) -> (shown: [ComparedFigure], others: [ComparedFigure], sentence: String?) {
    let hasIntervals = figures.contains { $0.differences.contains(where: \.margin.isFinite) }
    guard part != .building, part != .group else { return (figures, [], nil) }
    func isShown(_ figure: ComparedFigure) -> Bool { hasIntervals ? figure.isClear : !figure.isSame }
    let (shown, others) = (figures.filter(isShown), figures.filter { !isShown($0) })
    guard !others.isEmpty else { return (shown, [], nil) }
    let isOne = others.count == 1
    let words = hasIntervals ? "\(isOne ? "shows" : "show") no clear difference" : "\(isOne ? "is" : "are") the same"
    let noun = (shown.isEmpty ? "" : "other ") + (isOne ? "figure" : "figures")
    return (shown, others, "\(others.count) \(noun) \(words)")
  }

  var json: JSONValue {
    [
      "schema": "cordon.compare/1", "first": .string(sides.first?.name ?? ""),
      "second": .string(sides.dropFirst().first?.name ?? ""),
      "sides": .array(
        zip(letters, sides).map { ["side": .string($0), "name": .string($1.name)] }),
      "replicas": JSONValue(comparison.replicas), "paired": .bool(comparison.isPaired),
      "notes": .array(notes.map { .string($0) }), "partial": .bool(comparison.isPartial),
      "differences": .array(
        comparison.figures.flatMap { figure in
          figure.differences.map { item in
            [
              "part": .string(figure.part.rawValue), "name": .string(item.name), "title": .string(item.title),
              "side": .string(item.side), "first": .number(item.first), "second": .number(item.second),
              "difference": .number(item.difference),
              "low": item.margin.isFinite ? .number(item.difference - item.margin) : .null,
              "high": item.margin.isFinite ? .number(item.difference + item.margin) : .null,
              "comparisons": JSONValue(item.comparisons), "clear": .bool(item.isSignificant),
              "sentence": .string(item.sentence),
            ]
          }
        }),
    ]
  }

  var html: String {
    let title =
      sides.count == 2
      ? "\(sides[0].name) against \(sides[1].name)" : "\(sides.first?.name ?? "") against \(sides.count - 1) others"
    return StudyPage.html(
      title: title, kind: "comparison",
      body: """
        <p>\(MarkupText.escaped(heading))</p>
        <p class="note">A bar is the confidence interval of a side minus A; the line in the middle stands for no difference.</p>
        \(tables.map(section).joined(separator: "\n"))
        \(StudyPage.notes(notes))
        """)
  }

  private func section(_ part: FigurePart, _ figures: [ComparedFigure]) -> String {
    let parts = divided(part, figures)
    let others = parts.sentence.map { "<details><summary>\($0)</summary>\(table(parts.others))</details>" } ?? ""
    return """
      <h2 class="sub">\(part.title)</h2>
      \(parts.shown.isEmpty ? "" : table(parts.shown))
      \(others)
      \(confidence(figures).map { "<p class=\"note\">\($0)</p>" } ?? "")
      """
  }

  private func table(_ figures: [ComparedFigure]) -> String {
    let isMany = sides.count > 2
    let rows = figures.flatMap { figure in
      figure.differences.map { item in
        (
          style: "",
          cells: [MarkupText.escaped(figure.title)] + (isMany ? ["\(item.side) - A"] : [])
            + figure.means.map { $0.map(PairedDifference.plain) ?? "-" } + [
              plot(item), MarkupText.escaped(item.finding),
            ]
        )
      }
    }
    return StudyPage.table(
      [.text("figure")] + (isMany ? [.text("compared")] : []) + letters.map { .number($0) }
        + [.text("difference", style: "plot"), .text("in words", style: "words")],
      rows)
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

extension ComparedFigure {
  /// Whether all sides have the same mean.
  fileprivate var isSame: Bool { differences.allSatisfy { $0.difference == 0 } }
}
