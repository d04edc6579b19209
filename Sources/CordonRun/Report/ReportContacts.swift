import CordonContacts
import CordonCore

/// The durations of contacts, and the devices with the most contacts.
struct ReportContacts {
  let contents: RunContents
  private let carriers: Set<Int32>

  init(contents: RunContents) {
    self.contents = contents
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

  private struct Connections {
    var partners: [Int32: Int64] = [:]
    var longest: Int64 = 0
    var total: Int64 { partners.values.reduce(0, +) }

    mutating func add(_ duration: Int64, with other: Int32) {
      partners[other, default: 0] += duration
      longest = max(longest, duration)
    }
  }

  /// Returns the first part of a long identifier, with the complete one as a tooltip.
  private static func name(_ identifier: String) -> String {
    guard identifier.count > 20 else { return HTMLText.escaped(identifier) }
    return """
      <span title="\(HTMLText.escaped(identifier))"><code>\(HTMLText.escaped(String(identifier.prefix(13))))…</code></span>
      """
  }

  private var mostConnected: String {
    let source: RunSource = contents.contacts.contains { $0.source == .observed } ? .observed : .truth
    var all: [Int32: Connections] = [:]
    for row in contents.contacts where row.source == source {
      for (one, other) in [(row.contact.first, row.contact.second), (row.contact.second, row.contact.first)] {
        all[one, default: Connections()].add(row.contact.duration, with: other)
      }
    }
    let threshold = contents.parameters.warningThreshold.milliseconds * 1_000
    let ranked = all.map { (person: $0.key, value: $0.value, total: $0.value.total) }
      .sorted {
        if $0.value.partners.count != $1.value.partners.count {
          return $0.value.partners.count > $1.value.partners.count
        }
        return $0.total != $1.total ? $0.total > $1.total : $0.person < $1.person
      }
    var rows = ""
    for entry in ranked.prefix(10) {
      let person = contents.people[Int(entry.person)]
      let long = entry.value.partners.values.count { $0 >= threshold }
      rows += """
        <tr><th scope="row" class="id">\(ReportContacts.name(person.device?.rawValue ?? "person \(entry.person)"))</th>\
        <td class="n">\(entry.value.partners.count)</td><td class="n">\(long)</td>\
        <td class="n">\(Quantity.duration(Double(entry.total) / 1e6))</td>\
        <td class="n wide">\(Quantity.duration(Double(entry.value.longest) / 1e6))</td></tr>
        """
    }
    let minutes = WarningSentence.plain(contents.parameters.warningThreshold.seconds / 60)
    let heading = source == .observed ? "The most connected devices" : "The most connected people"
    let others = source == .observed ? "devices met" : "people met"
    return """
      <div><h3>\(heading)</h3><div class="scroll"><table><thead><tr>\
      <th scope="col">\(source == .observed ? "device" : "person")</th><th scope="col" class="n">\(others)</th>\
      <th scope="col" class="n">of them \(minutes) min</th><th scope="col" class="n">time in contact</th>\
      <th scope="col" class="n wide">longest contact</th></tr></thead><tbody>\(rows)</tbody></table></div>\
      <p class="note">\(source == .observed ? "As observed. " : "")Time in contact adds up over all that were met, also at one time.</p></div>
      """
  }
}
