import CordonContacts
import CordonCore

/// The durations of contacts, and the devices with the most contacts.
struct ReportContacts {
  let contents: RunContents
  let totals: PairTotals
  private let carriers: Set<Int32>

  init(contents: RunContents, totals: PairTotals) {
    self.contents = contents
    self.totals = totals
    carriers = Set(contents.people.indices.filter { contents.people[$0].device != nil }.map { Int32($0) })
  }

  var html: String {
    guard !contents.contacts.isEmpty else { return "<p class=\"note\">Nobody came within the contact distance.</p>" }
    return "<div class=\"pair\">\(durations)\(mostConnected)</div>"
  }

  /// Checks whether both people of a contact have devices, so that the two records can be compared.
  private func isBetweenDevices(_ row: RunContact) -> Bool {
    carriers.contains(row.contact.first) && carriers.contains(row.contact.second)
  }

  // MARK: Durations

  private static let bounds: [Double] = [0, 10, 30, 60, 120, 300, 900, 1_800, 3_600, .infinity]

  private var durations: String {
    var counts: [RunSource: [Int]] = [:]
    var isLeftOut = false
    for row in contents.contacts {
      guard isBetweenDevices(row) else {
        isLeftOut = true
        continue
      }
      let seconds = Double(row.contact.duration) / 1e6
      let place = (ReportContacts.bounds.firstIndex { seconds < $0 } ?? ReportContacts.bounds.count - 1) - 1
      counts[row.source, default: Array(repeating: 0, count: ReportContacts.bounds.count - 1)][max(place, 0)] += 1
    }
    let sources = RunSource.allCases.filter { counts[$0] != nil }
    let largest = Double(counts.values.compactMap { $0.max() }.max() ?? 1)
    var rows = ""
    for index in ReportContacts.bounds.indices.dropLast() {
      let bars = sources.map { source in
        let count = counts[source]?[index] ?? 0
        return HTMLText.bar(
          Double(count) / max(largest, 1), amount: HTMLText.number(count), colour: source == .truth ? "truth" : "seen")
      }
      rows += """
        <tr><th scope="row">\(ReportContacts.range(index))</th><td class="meter">\(bars.joined())</td></tr>
        """
    }
    let keys =
      sources.count == 2
      ? "<ul class=\"keys\"><li><span class=\"key square truth\">true</span></li><li><span class=\"key square seen\">observed</span></li></ul>"
      : ""
    let note = isLeftOut ? "<p class=\"note\">Contacts of people without a device are left out here.</p>" : ""
    return """
      <div><h3>How long contacts last</h3>\(keys)<table><thead><tr><th scope="col">duration</th>\
      <th scope="col">number of contacts</th></tr></thead><tbody>\(rows)</tbody></table>\(note)</div>
      """
  }

  private static func range(_ index: Int) -> String {
    let (lower, upper) = (bounds[index], bounds[index + 1])
    if index == 0 { return "under \(Quantity.duration(upper))" }
    if upper == .infinity { return "\(Quantity.duration(lower)) or more" }
    return "\(Quantity.duration(lower)) to \(Quantity.duration(upper))"
  }

  // MARK: Most connected

  /// Returns the first part of a long identifier, with the complete one as a tooltip.
  private static func name(_ identifier: String) -> String {
    guard identifier.count > 20 else { return HTMLText.escaped(identifier) }
    return """
      <span title="\(HTMLText.escaped(identifier))"><code>\(HTMLText.escaped(String(identifier.prefix(13))))…</code></span>
      """
  }

  private var mostConnected: String {
    let source: RunSource = totals.people[.observed] != nil ? .observed : .truth
    let all = totals.people[source] ?? []
    let ranked = all.indices.filter { all[$0].others > 0 }.sorted { a, b in
      if all[a].others != all[b].others { return all[a].others > all[b].others }
      return all[a].total != all[b].total ? all[a].total > all[b].total : a < b
    }
    let minutes = WarningSentence.plain(contents.parameters.warningThreshold.seconds / 60)
    let who = source == .observed ? "device" : "person"
    var table = HTMLTable([
      .init(name: who), .init(name: source == .observed ? "devices met" : "people met"),
      .init(name: "of these, \(minutes) min or more"), .init(name: "time in contact"), .init(name: "longest contact"),
    ])
    for person in ranked.prefix(10) {
      let device = contents.people[person].device?.rawValue
      table.add(
        ReportContacts.name(device ?? "person \(person)"),
        [
          .init(html: HTMLText.number(all[person].others)), .init(html: HTMLText.number(all[person].longPairs)),
          .init(html: Quantity.duration(Double(all[person].total) / 1e6)),
          .init(html: Quantity.duration(Double(all[person].longest) / 1e6)),
        ])
    }
    let heading = source == .observed ? "The devices with the most contacts" : "The people with the most contacts"
    return """
      <div><h3>\(heading)</h3>\(table.html())\
      <p class="note">\(source == .observed ? "As observed. " : "")The time in contact is the sum over all others, also at the same \
      time.</p></div>
      """
  }
}
