import CReportPages
import CordonContacts
import CordonCore
import CordonSupport

/// The file `report.html`, which shows a run to people without any other file or network access.
///
/// The text, the tables and the drawings are made here, so that the page is readable without scripts. The script adds
/// time to the drawings. The page depends only on the contents, not on a clock or a path.
struct ReportPage {
  let contents: RunContents
  let storeys: ReportStoreys
  let occupancy: ReportOccupancy
  let clock: ReportClock
  private let totals: PairTotals

  /// Creates the page of a run.
  /// - Parameter totals: the sums over its contacts; `nil` to compute them.
  init(contents: RunContents, totals: PairTotals? = nil) {
    self.contents = contents
    self.totals = totals ?? PairTotals(contents: contents)
    storeys = ReportStoreys(venue: contents.venue)
    occupancy = ReportOccupancy(contents: contents)
    clock = ReportClock(zone: contents.venue.timeZone)
  }

  func bytes() -> [UInt8] {
    let plan = ReportPlan(page: self)
    let values = [
      "version": HTMLText.escaped(contents.parameters.version),
      "title": HTMLText.escaped(title) + " · Cordon run report",
      "css": ReportStyle.css,
      "script": PageScript.text(PageScript.parts + PageScript.player + [PageScript.report]),
      "heading": HTMLText.escaped(title),
      "venue": title == contents.venue.name ? "" : "<p class=\"venue\">\(HTMLText.escaped(contents.venue.name))</p>",
      "headline": headline,
      "partial": contents.isPartial
        ? "<p class=\"warning\">This run was interrupted: what follows is its beginning only.</p>" : "",
      "answer": ReportAnswer(contents: contents).html,
      "plan_note": plan.note,
      "plan": plan.html,
      "spaces_note": spacesNote,
      "places": ReportPlaces(contents: contents, storeys: storeys, occupancy: occupancy).html,
      "levels": ReportLevels(contents: contents, occupancy: occupancy, clock: clock).html,
      "air": ReportAir(contents: contents, storeys: storeys).html,
      "assumptions": ReportAssumptions(contents: contents).html,
      "mixing": ReportMixing(contents: contents, storeys: storeys, totals: totals).html,
      "contacts_note": contactsNote,
      "contacts": ReportContacts(contents: contents, totals: totals).html,
      "agreement": ReportAgreement(contents: contents).html,
      "outcome": ReportOutcome(contents: contents, storeys: storeys).html,
      "fixes": ReportFixes(contents: contents).html,
      "repeat": ReportRepeat(contents: contents).html,
      "data": ReportData(page: self).text,
    ]
    return Array(HTMLText.fill(String(decoding: embeddedFile(cordon_report_report_html), as: UTF8.self), values).utf8)
  }

  /// The name of the scenario, or of the venue without one.
  private var title: String {
    let name = contents.parameters.others.first { $0.name == "title" }?.value
    guard case .string(let text)? = name, !text.isEmpty else { return contents.venue.name }
    return text
  }

  private var headline: String {
    let summary = contents.summary
    let parameters = contents.parameters
    let people = HTMLText.count(summary.people, "person", "people")
    let devices = HTMLText.count(summary.devices, "device", "devices")
    let who =
      contents.truth.isEmpty
      ? "<strong>\(devices)</strong>" : "<strong>\(people)</strong>, <strong>\(devices)</strong> among them"
    return """
      <p class="headline">\(who) · <strong>\(Quantity.duration(parameters.duration.seconds))</strong> from \
      \(clock.dateAndTime(parameters.start)) · seed <strong>\(parameters.seed)</strong></p>
      """
  }

  private var spacesNote: String {
    guard !occupancy.top.isEmpty else { return "Nobody entered a space of the map." }
    let who =
      occupancy.sources.count == 2
      ? "<span class=\"key truth square\">people</span> and <span class=\"key seen square\">devices, as observed</span>."
      : occupancy.sources == [.observed] ? "Counts of devices, as observed." : "Counts of people."
    return "\(who) Filled: mean of each bin of time. Thin line: maximum within it."
  }

  private var contactsNote: String {
    let distance = WarningSentence.plain(contents.parameters.contactDistance)
    let gap = contents.parameters.maximumGap
    return """
      A contact is an unbroken time that two spend within \(distance) m of each other on one floor. Fixes of one \
      device more than \(gap) apart are not joined.\(wallsNote)
      """
  }

  /// The share of the contact time with a wall between the two, for contacts on floors with known walls.
  private var wallsNote: String {
    let shares = RunSource.allCases.compactMap { source -> String? in
      var (time, hidden) = (0.0, 0.0)
      for row in contents.contacts where row.source == source {
        guard let share = row.wallShare else { continue }
        time += Double(row.contact.duration)
        hidden += Double(row.contact.duration) * share
      }
      guard time > 0 else { return nil }
      return "\(Quantity.percent(hidden / time)) of the \(source == .truth ? "true" : "observed") time"
    }
    guard !shares.isEmpty else { return "" }
    return " A wall was between the two for \(shares.joined(separator: " and ")): they were near, but not in one room."
  }
}
