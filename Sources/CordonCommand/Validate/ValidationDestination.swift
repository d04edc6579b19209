import ArgumentParser
import CordonCommandLine
import CordonCore
import CordonSimulator
import CordonSupport
import Foundation

/// Where the cases of a validation go, and in which form.
struct ValidationDestination: ParsableArguments {
  @OptionGroup(title: "Output") var output: PageOptions
  @OptionGroup(title: "Processing") var workers: WorkerThreads

  /// Whether no progress is shown.
  var quiet: Bool { output.quiet }

  /// Checks the page before anything is computed.
  func check() throws { _ = try output.destination(inputs: []) }

  /// Prints the cases, writes the page, and fails with status 1 when one does not pass.
  func put(
    _ cases: [ValidationCase], plots: [ReferencePlot], isPartial: Bool, title: String, schema: String
  ) throws {
    let page = ValidationPage(title: title, cases: cases, plots: plots, isPartial: isPartial)
    try output.destination(inputs: [])?.write(page.html)
    let failed = cases.count { !$0.passes }
    try output.report(
      [
        "schema": .string(schema),
        "cases": .array(
          cases.map { item in
            [
              "subject": .string(item.subject), "figure": .string(item.figure), "value": .number(item.value),
              "reference": .number(item.reference),
              "band": [.number(item.band.lowerBound), .number(item.band.upperBound)],
              "pass": .bool(item.passes), "source": .string(item.source),
            ]
          }),
        "passed": JSONValue(cases.count - failed), "failed": JSONValue(failed),
        "partial": .bool(isPartial),
      ], page.text)
    if isPartial {
      throw CommandError(
        "interrupted: the figures are of fewer runs than asked for", code: "interrupted", status: .interrupted)
    }
    if failed > 0 {
      throw CommandError(
        "\(failed) of \(cases.count) figures lie outside of their bands", code: "validation", status: .findings)
    }
  }
}

/// Cases as a page and as lines.
struct ValidationPage {
  let title: String
  let cases: [ValidationCase]
  var plots: [ReferencePlot] = []
  var isPartial = false

  /// The note on a partial result.
  static let partialNote = "Interrupted: the figures are of fewer runs than asked for."

  var text: String {
    (isPartial ? Self.partialNote + "\n" : "")
      + cases.map { item in
        let band = "\(ValidationPage.plain(item.band.lowerBound)) to \(ValidationPage.plain(item.band.upperBound))"
        let verdict = item.passes ? "pass" : "FAIL"
        return "\(verdict)  \(item.subject): \(item.figure): \(ValidationPage.plain(item.value))  (\(band))\n"
      }.joined()
  }

  var html: String {
    let rows = cases.map { item in
      (
        style: item.passes ? "pass" : "fail",
        cells: [
          MarkupText.escaped(item.subject), MarkupText.escaped(item.figure), ValidationPage.plain(item.value),
          plot(item),
          "\(ValidationPage.plain(item.band.lowerBound)) to \(ValidationPage.plain(item.band.upperBound))",
          item.passes ? "pass" : "fail", MarkupText.escaped(item.source),
        ]
      )
    }
    return StudyPage.html(
      title: title, kind: "validation",
      body: """
        \(isPartial ? "<p><strong>\(Self.partialNote)</strong></p>" : "")
        \(plots.map { PlotFigure($0).html }.joined(separator: "\n"))
        \(StudyPage.table(columns, rows))
        """)
  }

  private var columns: [StudyPage.Column] {
    [
      .text("model"), .text("figure", style: "words"), .number("value"), .text("value in its band", style: "plot"),
      .number("band"),
      .text("verdict", style: "verdict"), .text("measured by", style: "words"),
    ]
  }

  /// The band as a bar, the reference as a line, the value as a dot.
  private func plot(_ item: ValidationCase) -> String {
    let (low, high) = (item.band.lowerBound, item.band.upperBound)
    let width = max(high - low, 1e-9)
    func x(_ value: Double) -> Double { (40 + min(max((value - low) / width, -0.35), 1.35) * 120).rounded() }
    return """
      <svg class="interval" viewBox="0 0 200 20" role="img" aria-label="\(item.passes ? "inside" : "outside")">\
      <rect class="band" x="40" y="6" width="120" height="8"/><line class="reference" x1="\(x(item.reference))" y1="3" \
      x2="\(x(item.reference))" y2="17"/><circle class="value" cx="\(x(item.value))" cy="10" r="4"/></svg>
      """
  }

  static func plain(_ value: Double) -> String {
    let rounded = (value * 1_000).rounded() / 1_000
    return rounded == rounded.rounded() && abs(rounded) < 1e12 ? String(Int64(rounded)) : String(rounded)
  }
}
