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
  package static func html(of venue: Venue, drawings: [Drawing], marks: FloorMarks) -> String {
    let title = text(venue.name.text() ?? venue.id.rawValue)
    var out = SVGText()
    out.line("<!doctype html>")
    out.line("<html lang=\"en\"><head><meta charset=\"utf-8\">")
    out.line("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">")
    out.line("<title>\(title): floor plans</title>")
    out.line("<style>\n\(style)\n</style></head><body><main>")
    out.line("<h1>\(title)</h1>")
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
    :root{color-scheme:light dark}
    body{margin:0;font:16px/1.5 system-ui,sans-serif;background:#fff;color:#222}
    main{max-width:75rem;margin:0 auto;padding:1rem}
    h1{font-size:1.5rem}h2{font-size:1.2rem;margin-top:2rem}
    nav ul{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:.5rem 1rem}
    a{color:#0b57d0}img{display:block;width:100%;height:auto;border:1px solid #ccc}
    .scroll{overflow-x:auto}table{border-collapse:collapse;width:100%}
    th,td{text-align:left;padding:.35rem .6rem;border-bottom:1px solid #ddd;vertical-align:top}
    .warning{border-left:4px solid #a30000;padding-left:.75rem}
    @media (prefers-color-scheme:dark){body{background:#16181b;color:#e8e8e8}a{color:#8ab4ff}
    img{border-color:#444}th,td{border-color:#444}.warning{border-color:#ff8080}}
    """
}
