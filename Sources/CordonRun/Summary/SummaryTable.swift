import CordonCore

extension RunSummary {
  /// Returns the summary for a terminal: a few aligned lines, then the sentence on warnings.
  ///
  /// - Parameters:
  ///   - parameters: the parameters of the run, for the contact rule.
  ///   - folder: the folder of the results, for the last line; `nil` to omit the line.
  package func table(parameters: RunParameters, folder: String?) -> String {
    let rule = "within \(WarningSentence.plain(parameters.contactDistance)) m"
    let threshold = WarningSentence.plain(parameters.warningThreshold.seconds / 60)
    var table = TextTable()
    table.row(
      "people", count(people), "\(count(devices)) with a device, \(parameters.duration), seed \(parameters.seed)")
    if let planned, planned > people {
      table.row("  never came", count(planned - people), "of \(count(planned)) planned")
    }
    table.row("fixes", count(accounting.fixes))
    table.row("  refused", count(accounting.refusedTotal), reasons(accounting.refused))
    table.row("  thinned", count(accounting.thinned))
    table.row("  stored", count(accounting.stored))
    table.row("    acknowledged", count(accounting.acknowledged))
    for (name, value, note) in [
      ("    on phone", accounting.onPhone, ""), ("    quarantined", accounting.quarantined, ""),
      ("    expired", accounting.expiredTotal, reasons(accounting.expired)), ("    erased", accounting.erased, ""),
    ] where value > 0 {
      table.row(name, count(value), note)
    }
    if let requests = delivery.requests { table.row("uploads", count(requests), carried) }
    table.row("true contacts", count(trueContacts), rule)
    table.row("observed contacts", count(observedContacts), rule)
    if let agreement {
      table.row("seconds", "", shares(agreement.precisionSeconds, agreement.recallSeconds))
      table.row("pairs of \(threshold) min", "", shares(agreement.precisionPairs, agreement.recallPairs))
    }
    let sentence = WarningSentence(
      agreement, distance: parameters.contactDistance, minutes: parameters.warningThreshold.seconds / 60)
    var text = table.text + "\n" + sentence.text + "\n"
    if let folder { text += "\nResults in \(folder)\n" }
    return text
  }

  /// A description of the uploads.
  private var carried: String {
    let copies = delivery.duplicateRows.map { $0 > 0 ? ", \(count($0)) of these twice" : "" } ?? ""
    return [
      delivery.rowsReceived.map { "\(count($0)) rows received\(copies)" }, delivery.bytesSent.map(Quantity.size),
      delivery.failedRequests.flatMap { $0 > 0 ? "\(count($0)) failed" : nil },
      delivery.notices.map { made in
        "\(count(delivery.noticesReceived ?? 0)) of \(count(made)) notices"
          + (delivery.medianNoticeSeconds.map { " (half within \(Quantity.duration($0)))" } ?? "")
      },
    ].compactMap(\.self).joined(separator: ", ")
  }

  private func reasons(_ counts: [String: Int]) -> String {
    RunAccounting.ranked(counts).map { "\($0.name) \(count($0.count))" }.joined(separator: ", ")
  }

  private func shares(_ precision: Double?, _ recall: Double?) -> String {
    "precision \(Quantity.percent(precision)), recall \(Quantity.percent(recall))"
  }

  private func count(_ value: Int) -> String { Quantity.grouped(value) }
}

/// A table with a name, a right-aligned number and a note in each line.
struct TextTable {
  private var rows: [(name: String, value: String, note: String)] = []

  mutating func row(_ name: String, _ value: String, _ note: String = "") {
    rows.append((name, value, note))
  }

  var text: String {
    let names = rows.map(\.name.count).max() ?? 0
    let values = rows.map(\.value.count).max() ?? 0
    return rows.map { row in
      var line = row.name + String(repeating: " ", count: names - row.name.count + 2)
      line += String(repeating: " ", count: values - row.value.count) + row.value
      if !row.note.isEmpty { line += "  " + row.note }
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }
}

/// Formats of numbers for people.
enum Quantity {
  /// Returns digits in groups of three, separated by spaces: `432 000`.
  static func grouped(_ value: Int) -> String {
    let digits = String(value.magnitude)
    var text = value < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += " " }
      text.append(digit)
    }
    return text
  }

  /// Returns a number with at most `places` decimals.
  static func decimal(_ value: Double, places: Int) -> String {
    var bytes: [UInt8] = []
    bytes.append(value, places: places)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns a share as a percentage with one decimal, such as `97.2 %`; `-` for `nil`.
  ///
  /// `100 %` and `0 %` appear only for the exact values.
  static func percent(_ share: Double?) -> String {
    guard let share, share.isFinite else { return "-" }
    if share == 0 { return "0 %" }
    if share == 1 { return "100 %" }
    let tenths = min(max((share * 1_000).rounded(), 1), share < 1 ? 999 : .infinity)
    let text = decimal(tenths / 10, places: 1)
    return (text.contains(".") ? text : text + ".0") + " %"
  }

  /// Returns an amount of data: `9 876 bytes`, `96 kB`, `368.6 MB`.
  static func size(_ bytes: Int) -> String {
    switch bytes {
    case ..<10_000: "\(grouped(bytes)) bytes"
    case ..<1_000_000: "\(decimal(Double(bytes) / 1e3, places: 0)) kB"
    default: "\(decimal(Double(bytes) / 1e6, places: 1)) MB"
    }
  }

  /// Returns a duration in seconds with readable units: `45 s`, `2 min 30 s`, `12 min`, `1 h 20 min`.
  static func duration(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds >= 0 else { return "-" }
    if seconds < 59.5 { return "\(Int(seconds.rounded())) s" }
    if seconds < 599.5 {
      let whole = Int(seconds.rounded())
      return whole % 60 == 0 ? "\(whole / 60) min" : "\(whole / 60) min \(whole % 60) s"
    }
    let minutes = Int(min(seconds / 60, 1e12).rounded())
    if minutes < 60 { return "\(minutes) min" }
    if minutes >= 6_000 { return "\(grouped((minutes + 30) / 60)) h" }
    return minutes % 60 == 0 ? "\(minutes / 60) h" : "\(minutes / 60) h \(minutes % 60) min"
  }
}
