import CordonCore
import CordonSupport
import CordonVenues

/// The legend below a drawing, and the list of its entrances.
struct Legend {
  /// The sample in front of an entry.
  private enum Sample {
    case area(String), line(String), dot(String), number(Int)
  }

  private struct Entry {
    var sample: Sample
    var words: String

    init(_ sample: Sample, _ words: String) {
      self.sample = sample
      self.words = words
    }
  }

  private let entries: [Entry]
  private let entrances: [Entry]

  /// Width of a column and height of a line, in pixels.
  private static let column = 240.0
  private static let line = 20.0

  init(_ drawing: FloorDrawing) {
    entries =
      Legend.spaces(drawing) + Legend.barriers(drawing) + Legend.doors(drawing) + Legend.ways(drawing)
      + Legend.boundary(drawing)
    entrances = drawing.marks.entrances(on: drawing.id).map { Entry(.number($0.number), Legend.words($0)) }
  }

  private static func words(_ entrance: FloorMarks.Entrance) -> String {
    entrance.name + (entrance.space.map { $0 == entrance.name ? "" : ", to \($0)" } ?? "")
  }

  private static func spaces(_ drawing: FloorDrawing) -> [Entry] {
    let spaces = drawing.spacesHere
    let kinds = drawing.kindsHere.map { kind in
      Entry(.area("space \(PlanStyle.name(kind))"), "\(kind.rawValue) (\(spaces.count { $0.kind == kind }))")
    }
    let unreachable = spaces.count { drawing.marks.unreachable.contains($0.id) }
    return kinds + (unreachable > 0 ? [Entry(.area("unreachable"), "no entrance reaches it (\(unreachable))")] : [])
  }

  private static func barriers(_ drawing: FloorDrawing) -> [Entry] {
    let venue = drawing.venue
    return counted([
      (.line("wall"), "wall", venue.walls.count { $0.floor == drawing.id }),
      (.area("obstruction solid"), "obstruction", venue.obstructions.count { $0.floor == drawing.id }),
      (.area("furniture solid"), "furniture", venue.furniture.count { $0.floor == drawing.id }),
    ])
  }

  private static func doors(_ drawing: FloorDrawing) -> [Entry] {
    let doors = drawing.venue.openings.filter { $0.floor == drawing.id }
    let entrances = doors.count(where: \.isEntrance)
    let assumed = drawing.marks.assumedDoors.count { $0.floor == drawing.id }
    return counted([
      (.line("door"), "opening", doors.count - entrances), (.line("way-in"), "entrance on the map", entrances),
      (.line("assumed"), "assumed door", assumed),
    ])
  }

  /// Returns the entries of things that there are.
  private static func counted(_ things: [(sample: Sample, name: String, count: Int)]) -> [Entry] {
    things.compactMap { $0.count > 0 ? Entry($0.sample, "\($0.name) (\($0.count))") : nil }
  }

  private static func ways(_ drawing: FloorDrawing) -> [Entry] {
    var entries = drawing.connectionKindsHere.map { kind in
      let count = drawing.venue.connections.count { connection in
        connection.kind == kind && connection.landings.contains { $0.floor == drawing.id }
      }
      return Entry(.dot("landing \(PlanStyle.name(kind))"), "\(kind.rawValue) connection (\(count))")
    }
    if drawing.options.showsGraph, let graph = drawing.venue.graph {
      let nodes = graph.nodes.count { $0.floor == drawing.id }
      if nodes > 0 { entries.append(Entry(.line("graph"), "the map's graph (\(nodes) nodes)")) }
    }
    return entries
  }

  private static func boundary(_ drawing: FloorDrawing) -> [Entry] {
    var entries: [Entry] = []
    if drawing.options.boundary != nil { entries.append(Entry(.line("boundary"), "boundary")) }
    if let circle = drawing.options.circle {
      entries.append(Entry(.line("circle"), "circle, radius \(SVGText.number(circle.radius)) m"))
    }
    return entries
  }

  private func columns(in width: Double) -> Int { max(1, Int(width / Legend.column)) }

  /// Returns the height of the legend in a width, in pixels.
  func height(in width: Double) -> Double {
    let lines = [entries, entrances].map { ($0.count + columns(in: width) - 1) / columns(in: width) }
    return Double(lines.reduce(0, +)) * Legend.line + (entrances.isEmpty ? 0 : 1.8 * Legend.line)
  }

  /// Draws the legend in columns, and the entrances below it.
  func draw(_ out: inout SVGText, x: Double, y: Double, width: Double) {
    var top = draw(entries, &out, x: x, y: y, width: width)
    guard !entrances.isEmpty else { return }
    top += 1.2 * Legend.line
    out.line(
      "<text x=\"\(SVGText.number(x))\" y=\"\(SVGText.number(top))\" font-weight=\"bold\">Entrances on this floor</text>"
    )
    _ = draw(entrances, &out, x: x, y: top + 0.6 * Legend.line, width: width)
  }

  /// Draws entries from the top to the bottom, column by column; returns the end.
  private func draw(
    _ entries: [Entry], _ out: inout SVGText, x: Double, y: Double, width: Double
  ) -> Double {
    let columns = columns(in: width)
    let rows = (entries.count + columns - 1) / columns
    for (index, entry) in entries.enumerated() {
      let left = x + Double(index / max(rows, 1)) * width / Double(columns)
      let top = y + Double(index % max(rows, 1)) * Legend.line
      out.line(
        Legend.drawn(entry.sample, x: left, y: top)
          + "<text x=\"\(SVGText.number(left + 26))\" y=\"\(SVGText.number(top + 11))\">\(MarkupText.escaped(entry.words))</text>"
      )
    }
    return y + Double(rows) * Legend.line
  }

  private static func drawn(_ sample: Sample, x: Double, y: Double) -> String {
    func n(_ value: Double) -> String { SVGText.number(value) }
    switch sample {
    case .area(let style): return "<rect class=\"\(style)\" x=\"\(n(x))\" y=\"\(n(y))\" width=\"18\" height=\"13\"/>"
    case .line(let style): return "<path class=\"\(style)\" d=\"M\(n(x)) \(n(y + 7))h18\"/>"
    case .dot(let style): return "<circle class=\"\(style)\" cx=\"\(n(x + 9))\" cy=\"\(n(y + 7))\" r=\"5\"/>"
    case .number(let number):
      return "<circle class=\"badge\" cx=\"\(n(x + 9))\" cy=\"\(n(y + 7))\" r=\"9\"/>"
        + "<text class=\"on\" x=\"\(n(x + 9))\" y=\"\(n(y + 11))\" font-size=\"10\" font-weight=\"bold\" "
        + "text-anchor=\"middle\">\(number)</text>"
    }
  }
}
