import CordonCore
import CordonSupport
package import CordonVenues

/// A page that lists the drawings of all floors, with a table of the entrances.
package enum FloorIndexPage {
  /// A drawing on the page.
  package struct Drawing: Hashable, Sendable {
    /// The floor.
    package var floor: Floor
    /// The name of the file beside the page.
    package var file: String

    /// Creates a drawing from its parts.
    package init(floor: Floor, file: String) {
      self.floor = floor
      self.file = file
    }
  }

  /// Returns the page as an HTML document. Equal input gives equal bytes.
  /// - Parameters:
  ///   - venue: the venue.
  ///   - drawings: its drawings, in the order of the page.
  ///   - marks: the entrances and other results about walking.
  ///   - look: the style sheet that all pages share.
  package static func html(of venue: Venue, drawings: [Drawing], marks: FloorMarks, look: String = "") -> String {
    let title = text(venue.name.text() ?? venue.id.rawValue)
    var out = SVGText()
    out.line("<!doctype html>")
    out.line("<html lang=\"en\"><head><meta charset=\"utf-8\">")
    out.line("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">")
    out.line("<title>\(title): floor plans</title>")
    out.line("<meta name=\"color-scheme\" content=\"light dark\">")
    out.line("<style>\n\(look)\n\(style)\n</style></head><body class=\"study\">")
    out.line("<header class=\"masthead\"><p class=\"brand\">Cordon <span>floor plans</span></p>")
    out.line("<h1>\(title)</h1></header><main>")
    if !marks.sentence.isEmpty { out.line("<p>\(text(marks.sentence))</p>") }
    if let warning = marks.warning { out.line("<p class=\"warning\">Unreachable: \(text(warning))</p>") }
    out.line("<nav aria-label=\"Floors\"><ul>")
    for drawing in drawings {
      out.line(
        "<li><a href=\"#\(text(anchor(drawing)))\">\(text(FloorDrawing.label(drawing.floor, in: venue)))</a></li>")
    }
    out.line("</ul></nav>")
    out.line("<h2>Entrances</h2>")
    out.line(table(marks.entrances, venue: venue, drawings: drawings))
    for drawing in drawings { out.line(section(drawing, venue: venue, marks: marks)) }
    out.line("</main></body></html>")
    return out.text
  }

  private static func section(_ drawing: Drawing, venue: Venue, marks: FloorMarks) -> String {
    let label = FloorDrawing.label(drawing.floor, in: venue)
    let here = marks.entrances(on: drawing.floor.id)
    let entrances = here.isEmpty ? "no entrance" : "entrances " + here.map(\.words).joined(separator: "; ")
    return """
      <section id="\(text(anchor(drawing)))">
      <h2>\(text(label))</h2>
      <p>\(text("\(venue.spaces.count { $0.floor == drawing.floor.id }) spaces, \(entrances)"))</p>
      <a href="\(text(drawing.file))"><img src="\(text(drawing.file))" alt="\(text("Plan of \(label), \(entrances)"))"></a>
      </section>
      """
  }

  private static func table(_ entrances: [FloorMarks.Entrance], venue: Venue, drawings: [Drawing]) -> String {
    guard !entrances.isEmpty else { return "<p>The map has no entrance.</p>" }
    let rows = entrances.map { entrance in
      let floor = venue.floors.first { $0.id == entrance.floor }.map { FloorDrawing.label($0, in: venue) } ?? ""
      let target = drawings.first { $0.floor.id == entrance.floor }.map {
        "<a href=\"#\(text(anchor($0)))\">\(text(floor))</a>"
      }
      return "<tr><td>\(entrance.number)</td><td>\(text(entrance.name))</td><td>\(text(entrance.space ?? ""))</td>"
        + "<td>\(target ?? text(floor))</td></tr>"
    }
    return """
      <div class="scroll"><table><thead><tr><th scope="col">Number</th><th scope="col">Name</th>\
      <th scope="col">Space behind it</th><th scope="col">Floor</th></tr></thead><tbody>
      \(rows.joined(separator: "\n"))
      </tbody></table></div>
      """
  }

  private static func anchor(_ drawing: Drawing) -> String { String(drawing.file.prefix { $0 != "." }) }

  private static func text(_ text: String) -> String { MarkupText.escaped(text) }

  private static let style = """
    nav ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 8px 16px; }
    main a { color: var(--focus); } main img { display: block; width: 100%; height: auto; border: 1px solid var(--line); border-radius: 8px; }
    """
}
