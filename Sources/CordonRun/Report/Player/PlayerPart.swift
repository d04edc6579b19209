import CReportPages
package import CordonContacts
package import CordonCore
import CordonSupport

/// The part "player" of pages: people who move over the floor plans of a venue, with the time, speed and view that the reader
/// chooses.
///
///     let player = PlayerPart(venue: venue, segments: segments, people: populations, start: start, end: end)
///     let body = player.html
///     let script = PlayerPart.script
///
/// A page needs ``html`` in its body, ``script`` in one script element behind it, and the style sheet of ``ReportStyle``.
/// Nothing else is loaded. Without scripts the page shows the plans. docs/reference/pages.md describes keys and data.
package struct PlayerPart {
  private let venue: RunVenue
  private let storeys: ReportStoreys
  private let data: PlayerData

  /// Creates a player.
  ///
  /// - Parameters:
  ///   - venue: the venue whose floors are drawn.
  ///   - segments: the movement, sorted by device and time; `device` is an index in `people`. Floors are those of the venue.
  ///   - people: the group of every person (`staff`), empty for none.
  ///   - start: the start of the time shown.
  ///   - end: the end of the time shown, after `start`.
  ///   - origin: a moment from which the clock also counts, such as an alarm.
  ///   - layers: values of spaces that can be shown as colours.
  package init(
    venue: RunVenue, segments: [Segment], people: [String], start: Instant, end: Instant, origin: Instant? = nil,
    layers: [SpaceLayer] = []
  ) {
    self.venue = venue
    storeys = ReportStoreys(venue: venue)
    data = PlayerData(
      venue: venue, storeys: storeys, segments: segments, people: people, start: start, end: end, origin: origin,
      layers: layers, busiestStorey: PlayerPart.busiestStorey(segments, storeys))
  }

  /// Returns the storey on which most people begin; the lowest of equal ones.
  private static func busiestStorey(_ segments: [Segment], _ storeys: ReportStoreys) -> Int {
    var counts = [Int](repeating: 0, count: storeys.list.count)
    var last: Int32?
    for segment in segments where segment.device != last {
      last = segment.device
      if let storey = storeys.index(ofFloor: segment.floor) { counts[storey] += 1 }
    }
    return counts.indices.max { counts[$0] < counts[$1] || counts[$0] == counts[$1] && $0 > $1 } ?? 0
  }

  /// The plans and the data.
  package var html: String { html(PlanPart(venue: venue, storeys: storeys) { _ in PlanPart.Figure() }) }

  /// Returns the plans and the data, with a plan whose figures are read with the keyboard.
  func html(_ plan: PlanPart) -> String {
    PlayerPart.markup(plans: plan.html, legend: "")
      + "\n<script type=\"application/json\" class=\"player-data\">\(data.json.text())</script>"
  }

  /// The script of all parts, which starts the players of the page.
  package static var script: String { PageScript.text(PageScript.parts + PageScript.player, end: "startPlayers();") }

  /// The elements that exist without a script; the script adds the controls.
  static func markup(plans: String, legend: String) -> String {
    """
    <div class="player">
    <div class="stage">
    <div class="floors">
    \(plans)
    </div>
    <div class="under"><ul class="legend">\(legend)</ul></div>
    </div>
    </div>
    """
  }
}

/// The scripts of pages, put together of the files that a page needs.
package enum PageScript {
  /// The script of pages without a player: tables of the class `sortable` are sorted by their headings, and paper gets closed
  /// parts open.
  package static var ofTables: String { text(parts, end: "document.documentElement.dataset.ready = \"true\";") }

  /// Elements, numbers, times, tables.
  static var parts: [[UInt8]] { [cordon_report_parts_js, cordon_report_tables_js].map(embeddedFile) }

  /// The script of the report itself.
  static var report: [UInt8] { embeddedFile(cordon_report_report_js) }

  /// The player.
  static var player: [[UInt8]] {
    [
      cordon_report_player_tracks_js, cordon_report_player_plan_js, cordon_report_player_field_js,
      cordon_report_player_view_js, cordon_report_player_dots_js, cordon_report_player_paint_js,
      cordon_report_player_show_js, cordon_report_player_controls_js, cordon_report_player_keys_js,
      cordon_report_player_record_js, cordon_report_player_js,
    ].map(embeddedFile)
  }

  /// Returns one script in which the files share their names with each other and with nothing else.
  static func text(_ files: [[UInt8]], end: String = "") -> String {
    let body = files.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
    return "(() => {\n\"use strict\";\n" + body + end + "\n})();\n"
  }
}
