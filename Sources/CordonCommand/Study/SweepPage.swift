import CordonCore
import CordonSimulator
import CordonSupport
import Foundation

/// A sweep as table, page and object.
struct SweepPage {
  private let sweep: PositioningSweep
  private let answer: String

  init(_ sweep: PositioningSweep, scenario: Scenario, recall: Double, precision: Double) {
    self.sweep = sweep
    let plain = PairedDifference.plain
    let rule =
      "\(plain(scenario.warningThreshold.seconds / 60)) minutes within \(plain(scenario.contactDistance)) m"
    if let row = sweep.leastDemanding(recall: recall, precision: precision) {
      answer =
        "To find \(plain(recall * 100)) of 100 pairs who spend \(rule), with at most \(plain((1 - precision) * 100)) of 100 warnings needless, "
        + "\(row.preset.title) with a fix every \(row.interval)\(SweepPage.words(for: row.sampling)) is enough. It is the least demanding of the kinds tried that reach this."
    } else if sweep.rows.isEmpty {
      answer = "No kind of phone was evaluated; no answer is possible."
    } else {
      answer =
        "None of the kinds tried finds \(plain(recall * 100)) of 100 pairs who spend \(rule) with at most \(plain((1 - precision) * 100)) of 100 warnings needless."
    }
  }

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

  /// The names of the columns, in two lines.
  private static let heads = [
    ("", "positioning"), ("time between", "fixes"), ("when phones", "make fixes"), ("people", "with a phone"),
    ("contact time", "found"), ("found time", "that is true"), ("pairs", "found"), ("found pairs", "that are true"),
    ("found of pairs with", "and without phones"), ("battery", "used"), ("sent per", "phone"),
  ]

  private var cells: [[String]] {
    sweep.rows.map { row in
      func percent(_ share: Double?) -> String { share.map { "\(($0 * 1_000).rounded() / 10) %" } ?? "-" }
      return [
        row.preset.title, "\(row.interval)", SweepPage.title(of: row.sampling), percent(row.deviceShare),
        percent(row.recallSeconds), percent(row.precisionSeconds), percent(row.recallPairs),
        percent(row.precisionPairs), percent(row.reach),
        row.batteryPercent.map { PairedDifference.plain($0) + " %" } ?? "-",
        row.bytesPerPhone.map { PairedDifference.plain($0 / 1_000) + " kB" } ?? "-",
      ]
    }
  }

  var text: String {
    let table = [SweepPage.heads.map(\.0), SweepPage.heads.map(\.1)] + cells
    let widths = SweepPage.heads.indices.map { column in table.map { $0[column].count }.max() ?? 0 }
    let lines = table.map { row in
      row.enumerated().map { index, cell in
        let space = String(repeating: " ", count: widths[index] - cell.count)
        return index == 0 ? cell + space : space + cell
      }.joined(separator: "  ") + "\n"
    }
    return lines.joined() + "\n" + (sweep.isPartial ? SweepPage.partialNote + "\n" : "") + answer + "\n"
  }

  var json: JSONValue {
    [
      "schema": "cordon.sweep/1", "notes": .array(sweep.remarks.map { .string($0) }),
      "partial": .bool(sweep.isPartial), "answer": .string(answer),
      "kinds": .array(
        sweep.rows.map { row in
          [
            "phones": .string(row.preset.rawValue), "interval_s": .number(row.interval.seconds),
            "sampling": .string("\(row.sampling)"), "device_share": .number(row.deviceShare),
            "recall_seconds": JSONValue(row.recallSeconds),
            "precision_seconds": JSONValue(row.precisionSeconds), "recall_pairs": JSONValue(row.recallPairs),
            "precision_pairs": JSONValue(row.precisionPairs), "share_of_all_pairs": JSONValue(row.reach),
            "battery_percent": JSONValue(row.batteryPercent), "bytes_per_phone": JSONValue(row.bytesPerPhone),
          ]
        }),
    ]
  }

  var html: String {
    let columns = SweepPage.heads.enumerated().map { index, head in
      let name = "\(head.0) \(head.1)".trimmingCharacters(in: .whitespaces)
      return index < 3 ? StudyPage.Column.text(name) : .number(name)
    }
    return StudyPage.html(
      title: "Which positioning is good enough?", kind: "sweep",
      body: """
        \(sweep.isPartial ? "<p><strong>\(SweepPage.partialNote)</strong></p>" : "")
        <p class="lead">\(MarkupText.escaped(answer))</p>
        \(StudyPage.table(columns, cells.map { (style: "", cells: $0.map(MarkupText.escaped)) }))
        <p class="note">Contact time and its truth: recall and precision of seconds among people with phones. Pairs: those who reach \
        the contact duration that triggers a warning. Two people without phones are never found.</p>
        \(StudyPage.notes(sweep.remarks))
        """)
  }
}

extension PhonePreset {
  /// The positioning technology in words, with the name of the preset.
  var title: String {
    let words =
      switch self {
      case .perfect: "no error"
      case .rtt: "Wi-Fi round-trip time"
      case .rttSight: "Wi-Fi round-trip time in line of sight"
      case .rttBehindWalls: "Wi-Fi round-trip time behind walls"
      case .rttWalking: "Wi-Fi round-trip time while walking"
      case .ble: "Bluetooth beacons"
      case .bleSparse: "sparse Bluetooth beacons"
      case .wifi: "Wi-Fi signal strength"
      case .gpsNear: "satellites near windows"
      case .gps: "satellites through a roof"
      case .network: "cell towers and Wi-Fi networks"
      }
    return "\(words) (\(rawValue))"
  }
}
