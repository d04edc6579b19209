import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonForms
import CordonSupport

/// The command `cordon form summary`.
struct FormSummaryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "summary",
    abstract: "Count the answers to each field by its type.",
    discussion: """
      Example:

        cordon form summary screening.json --answers records.jsonl
        cordon form summary screening.json --answers records.jsonl -o summary.html

      Records that are not valid are left out, and counted. The page has a chart for each field by its type, with its values as a \
      table.
      """)

  @OptionGroup(title: "Input") var input: FormInput
  @OptionGroup(title: "Input") var records: AnswersInput

  @Option(help: ArgumentHelp("The answers, one JSON object on each line.", valueName: "file"))
  var answers: String

  @Option(
    help: ArgumentHelp("A list field; the page splits the charts of all others by its options.", valueName: "field"))
  var by: String?

  @OptionGroup(title: "Output") var output: PageOptions

  /// The greatest width of a bar, in characters.
  private static let width = 30

  func run() throws {
    let target = try output.destination(inputs: [input.form, answers])
    let form = try input.read()
    if let by, !FormCharts.lists(of: form).contains(where: { $0.name == by }) {
      throw CommandError("'\(by)' is not a list or toggle outside of groups", code: "form", file: input.form)
    }
    let checked = try FormFile.records(answers, of: form, today: records.day)
    let valid = checked.filter(\.validation.isValid)
    let summary = FormSummary(valid.map(\.validation.answers), of: form)
    let leftOut = checked.count - valid.count
    if let target {
      let charts = FormCharts(valid.map(\.validation.answers), days: [], of: form, by: by)
      _ = try target.write(
        FormSummaryPage(form: form, charts: charts.charts, records: valid.count, leftOut: leftOut).bytes)
    }
    try output.report(
      .object(
        [
          .init("schema", "cordon.form-summary/1"), .init("form", .string(form.id)),
          .init("left_out", JSONValue(leftOut)),
        ] + (summary.json.members ?? [])),
      text(form, summary, leftOut: leftOut))
  }

  private func text(_ form: Form, _ summary: FormSummary, leftOut: Int) -> String {
    var lines = ["\(form.id), version \(form.version): \(Counted.of(summary.records, "record"))"]
    if leftOut > 0 { lines[0] += ", \(leftOut) left out because they are not valid" }
    for field in summary.fields {
      lines.append("")
      lines.append("\(field.names.joined(separator: "."))  \(Counted.of(field.answered, "answer"))")
      switch field.distribution {
      case .none: break
      case .options(let counts), .days(let counts):
        lines += FormSummaryCommand.bars(counts.map { ($0.value, $0.count) })
      case .numbers(let minimum, let maximum, let mean, let median, let bins):
        func text(_ number: Double) -> String { JSONValue.number((number * 1_000).rounded() / 1_000).text() }
        lines.append("  from \(text(minimum)) to \(text(maximum)), mean \(text(mean)), median \(text(median))")
        lines += FormSummaryCommand.bars(bins.map { ("\(text($0.from)) to \(text($0.to))", $0.count) })
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Lines with a label, a bar and a number.
  private static func bars(_ counts: [(label: String, count: Int)]) -> [String] {
    let most = counts.map(\.count).max() ?? 0
    let width = min(counts.map(\.label.count).max() ?? 0, 40)
    return counts.map { label, count in
      let name = String(label.prefix(40))
      let bar = most == 0 ? 0 : (count * Self.width + most - 1) / most
      return "  \(name)\(String(repeating: " ", count: width - name.count))  "
        + "\(String(repeating: "#", count: bar))\(bar > 0 ? " " : "")\(count)"
    }
  }
}
