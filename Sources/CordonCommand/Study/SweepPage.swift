import CordonCore
import CordonSimulator
import CordonSupport
import Foundation

/// A sweep as table, page and object.
struct SweepPage {
  private let sweep: PositioningSweep
  private let target: SweepTarget
  private let answer: String
  private let warning: TimeSpan

  init(_ sweep: PositioningSweep, scenario: Scenario, target: SweepTarget) {
    self.sweep = sweep
    self.target = target
    warning = scenario.warningThreshold
    let plain = PairedDifference.plain
    let rule =
      "\(plain(scenario.warningThreshold.seconds / 60)) minutes within \(plain(scenario.contactDistance)) m"
    let reach = target.reach > 0 ? ", and \(plain(target.reach * 100)) of 100 with people without phones," : ""
    if let row = sweep.leastDemanding(target) {
      let after = row.warnAfter == warning ? "" : " and a warning after \(row.warnAfter)"
      let title = row.kind.preset.rawValue == row.kind.name ? "\(row.kind.title) (\(row.kind.name))" : row.kind.title
      answer =
        "To find \(plain(target.recall * 100)) of 100 pairs who spend \(rule)\(reach) with at most \(plain((1 - target.precision) * 100)) of 100 warnings needless, "
        + "\(title) with a fix every \(row.interval)\(SweepPage.words(for: row.sampling))\(after) is enough. "
        + (row.price.map { price in
          "It is the cheapest of the kinds tried that reach this: \(SweepPage.money(price)) for \(plain(row.devices.mean ?? 0)) devices and \(row.anchors) anchors."
        } ?? "It is the least demanding of the kinds tried that reach this.")
        + (sweep.repetitions > 1 && !row.clearlyReaches(target)
          ? " Its intervals extend below the target: take more seeds, or a more accurate kind." : "")
    } else if sweep.rows.isEmpty {
      answer = "No kind of phone was evaluated; no answer is possible."
    } else {
      answer =
        "None of the kinds tried finds \(plain(target.recall * 100)) of 100 pairs who spend \(rule)\(reach) with at most \(plain((1 - target.precision) * 100)) of 100 warnings needless."
    }
  }

  /// A price, without decimals from 100 on.
  private static func money(_ price: Double) -> String { PairedDifference.plain(price) }

  /// A clause about the sampling rule; empty for the default.
  private static func words(for sampling: PhoneSetup.Sampling) -> String {
    switch sampling {
    case .library: ""
    case .continuous: " without rest"
    case .motion(let span): " until \(span) after the last movement"
    case .distance(let metres): " after \(PairedDifference.plain(metres)) m or more"
    }
  }

  /// The sampling rule in words.
  private static func title(of sampling: PhoneSetup.Sampling) -> String {
    switch sampling {
    case .library: "unless at rest (\(sampling))"
    case .continuous: "always (\(sampling))"
    case .motion(let span): "until \(span) after motion (\(sampling))"
    case .distance(let metres): "every \(PairedDifference.plain(metres)) m (\(sampling))"
    }
  }

  /// The note of a partial result.
  private static let partialNote = "Interrupted: kinds of phones are missing, or were evaluated for a part of the time."

  /// A column: its heading in two lines, and its cells.
  private struct Column {
    var head: (String, String)
    var isNumber = true
    var cell: (PositioningSweep.Row) -> String
  }

  private static func percent(_ value: PositioningSweep.Value) -> String {
    guard let mean = value.mean else { return "-" }
    func rounded(_ share: Double) -> String { "\((share * 1_000).rounded() / 10)" }
    guard value.margin.isFinite else { return rounded(mean) + " %" }
    // A share lies between 0 and 1.
    return "\(rounded(mean)) % (\(rounded(max(mean - value.margin, 0))) to \(rounded(min(mean + value.margin, 1))))"
  }

  private var columns: [Column] {
    var columns = [
      Column(head: ("", "positioning"), isNumber: false) { row in
        row.kind.model == nil ? "\(row.kind.title) (\(row.kind.name))" : row.kind.title
      },
      Column(head: ("time between", "fixes"), isNumber: false) { "\($0.interval)" },
      Column(head: ("when phones", "make fixes"), isNumber: false) { SweepPage.title(of: $0.sampling) },
      Column(head: ("people", "with a phone")) { "\(($0.deviceShare * 1_000).rounded() / 10) %" },
    ]
    if sweep.rows.contains(where: { $0.warnAfter != warning }) {
      columns.append(Column(head: ("warning", "after")) { "\($0.warnAfter)" })
    }
    columns += [
      Column(head: ("contact time", "found")) { SweepPage.percent($0.recallSeconds) },
      Column(head: ("found time", "that is true")) { SweepPage.percent($0.precisionSeconds) },
      Column(head: ("pairs", "found")) { SweepPage.percent($0.recallPairs) },
      Column(head: ("found pairs", "that are true")) { SweepPage.percent($0.precisionPairs) },
      Column(head: ("found of pairs with", "and without phones")) { SweepPage.percent($0.reach) },
      Column(head: ("battery", "used")) { $0.batteryPercent.mean.map { PairedDifference.plain($0) + " %" } ?? "-" },
      Column(head: ("sent per", "phone")) {
        $0.bytesPerPhone.mean.map { PairedDifference.plain($0 / 1_000) + " kB" } ?? "-"
      },
    ]
    guard sweep.rows.contains(where: { $0.price != nil }) else { return columns }
    let target = target
    columns += [
      Column(head: ("", "devices")) { PairedDifference.plain($0.devices.mean ?? 0) },
      Column(head: ("", "anchors")) { "\($0.anchors)" },
      Column(head: ("", "price")) { $0.price.map(SweepPage.money) ?? "-" },
      Column(head: ("reaches", "the target")) { row in
        guard row.reaches(target) else { return "no" }
        return row.clearlyReaches(target) ? "clearly" : "yes"
      },
    ]
    return columns
  }

  private var cells: [[String]] { sweep.rows.map { row in columns.map { $0.cell(row) } } }

  /// A sentence about repetitions and anchors.
  private var method: [String] {
    (sweep.repetitions > 1
      ? ["Shares are means of \(sweep.repetitions) repetitions with their 95 % confidence intervals."] : [])
      + (sweep.rows.contains { $0.price != nil && $0.anchors > 0 }
        ? [
          "Anchors: one for each "
            + anchorAreas.map { "\(PairedDifference.plain($0.area)) m² (\($0.name))" }.joined(separator: ", ")
            + ", in \(PairedDifference.plain(sweep.usableArea)) m² of usable floor."
        ] : [])
  }

  private var anchorAreas: [(name: String, area: Double)] {
    var seen: Set<String> = []
    return sweep.rows.compactMap { row in
      row.kind.anchorArea.flatMap { seen.insert(row.kind.name).inserted ? (name: row.kind.name, area: $0) : nil }
    }
  }

  var text: String {
    let columns = columns
    let table = [columns.map(\.head.0), columns.map(\.head.1)] + cells
    let widths = columns.indices.map { column in table.map { $0[column].count }.max() ?? 0 }
    let lines = table.map { row in
      row.enumerated().map { index, cell in
        let space = String(repeating: " ", count: widths[index] - cell.count)
        return index == 0 ? cell + space : space + cell
      }.joined(separator: "  ") + "\n"
    }
    return lines.joined() + "\n" + (sweep.isPartial ? SweepPage.partialNote + "\n" : "")
      + method.map { $0 + "\n" }.joined() + answer + "\n"
  }

  var json: JSONValue {
    func value(_ value: PositioningSweep.Value) -> JSONValue { JSONValue(value.mean) }
    /// The ends of an interval of a share; `null` for a single repetition.
    func interval(_ value: PositioningSweep.Value) -> JSONValue {
      guard let mean = value.mean, value.margin.isFinite else { return .null }
      return .array([.number(max(mean - value.margin, 0)), .number(min(mean + value.margin, 1))])
    }
    return [
      "schema": "cordon.sweep/1", "notes": .array(sweep.remarks.map { .string($0) }),
      "partial": .bool(sweep.isPartial), "answer": .string(answer), "repetitions": JSONValue(sweep.repetitions),
      "usable_area_m2": .number(sweep.usableArea),
      "target": [
        "recall": .number(target.recall), "precision": .number(target.precision), "reach": .number(target.reach),
      ],
      "kinds": .array(
        sweep.rows.map { row in
          [
            "phones": .string(row.kind.name), "interval_s": .number(row.interval.seconds),
            "sampling": .string("\(row.sampling)"), "device_share": .number(row.deviceShare),
            "warn_after_s": .number(row.warnAfter.seconds),
            "recall_seconds": value(row.recallSeconds), "precision_seconds": value(row.precisionSeconds),
            "recall_pairs": value(row.recallPairs), "recall_pairs_interval": interval(row.recallPairs),
            "precision_pairs": value(row.precisionPairs), "precision_pairs_interval": interval(row.precisionPairs),
            "share_of_all_pairs": value(row.reach), "share_of_all_pairs_interval": interval(row.reach),
            "battery_percent": value(row.batteryPercent), "bytes_per_phone": value(row.bytesPerPhone),
            "devices": value(row.devices), "anchors": JSONValue(row.anchors), "price": JSONValue(row.price),
            "reaches_target": .bool(row.reaches(target)), "clearly_reaches_target": .bool(row.clearlyReaches(target)),
          ]
        }),
    ]
  }

  var html: String {
    let columns = columns.map { column in
      let name = "\(column.head.0) \(column.head.1)".trimmingCharacters(in: .whitespaces)
      return column.isNumber ? StudyPage.Column.number(name) : .text(name)
    }
    return StudyPage.html(
      title: "Which positioning is good enough?", kind: "sweep",
      body: """
        \(sweep.isPartial ? "<p><strong>\(SweepPage.partialNote)</strong></p>" : "")
        <p class="lead">\(MarkupText.escaped(answer))</p>
        \(StudyPage.table(columns, cells.map { (style: "", cells: $0.map(MarkupText.escaped)) }))
        <p class="note">Contact time and its truth: recall and precision of seconds among people with phones. Pairs: those who reach \
        the contact duration that triggers a warning. Two people without phones are never found.</p>
        \(method.map { "<p class=\"note\">\(MarkupText.escaped($0))</p>" }.joined())
        \(StudyPage.notes(sweep.remarks))
        """)
  }
}
