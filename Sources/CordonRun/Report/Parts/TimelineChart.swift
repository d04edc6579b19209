import CordonSupport

/// The part "timeline" of pages: one strip for each day, coloured by what the time was, with a legend.
package struct TimelineChart {
  /// What time can be.
  package struct Kind: Sendable {
    /// The name in the legend.
    package let name: String
    /// The number of the colour, 0 ... 4.
    package let colour: Int

    /// Creates a kind.
    package init(_ name: String, colour: Int) {
      self.name = name
      self.colour = colour
    }
  }

  /// A part of a strip.
  package struct Span: Sendable {
    /// Minutes since midnight, 0 ... 1440.
    package let start: Double
    package let end: Double
    /// The index of the kind.
    package let kind: Int

    /// Creates a span.
    package init(_ start: Double, _ end: Double, kind: Int) {
      self.start = start
      self.end = end
      self.kind = kind
    }
  }

  /// A strip.
  package struct Row: Sendable {
    /// The name beside it.
    package let name: String
    /// The text of its title, such as its sums.
    package let title: String
    package let spans: [Span]

    /// Creates a strip.
    package init(_ name: String, title: String, spans: [Span]) {
      self.name = name
      self.title = title
      self.spans = spans
    }
  }

  private let title: String
  private let rows: [Row]
  private let kinds: [Kind]
  private let emptyName: String
  private static let left = 120.0
  private static let right = 712.0
  private static let height = 18.0

  /// Creates a timeline.
  /// - Parameters:
  ///   - title: the caption.
  ///   - rows: the strips from the top.
  ///   - kinds: the kinds in the order of the legend.
  ///   - emptyName: the name of time without a span.
  package init(_ title: String, rows: [Row], kinds: [Kind], emptyName: String) {
    self.title = title
    self.rows = rows
    self.kinds = kinds
    self.emptyName = emptyName
  }

  /// The figure. A table with the sums must stand beside it.
  package var html: String {
    let name = MarkupText.escaped(title)
    let bottom = Double(rows.count) * TimelineChart.height + 6
    var svg = ""
    for hour in stride(from: 0, through: 24, by: 3) {
      let x = TimelineChart.place(Double(hour) * 60)
      svg += "<path class=\"grid\" d=\"M\(x) 0V\(bottom)\"/>"
      svg += "<text x=\"\(x)\" y=\"\(bottom + 16)\" text-anchor=\"middle\">\(hour)</text>"
    }
    for (index, row) in rows.enumerated() {
      let y = Double(index) * TimelineChart.height + 3
      svg += "<g><title>\(MarkupText.escaped(row.title))</title>"
      svg +=
        "<text x=\"\(TimelineChart.left - 8)\" y=\"\(y + 11)\" text-anchor=\"end\">\(MarkupText.escaped(row.name))</text>"
      svg += bar("none", 0, 1_440, y)
      for span in row.spans where span.end > span.start && kinds.indices.contains(span.kind) {
        svg += bar("c\(kinds[span.kind].colour)", span.start, span.end, y)
      }
      svg += "</g>"
    }
    let items = kinds.map { "<li class=\"c\($0.colour)\"><i></i>\(MarkupText.escaped($0.name))</li>" }
    return """
      <figure><figcaption>\(name)</figcaption>
      <svg class="strips" viewBox="0 0 720 \(bottom + 20)" role="img" aria-label="\(name)">\(svg)</svg>
      <ul class="legend-list">\(items.joined())<li class="none"><i></i>\(MarkupText.escaped(emptyName))</li></ul></figure>
      """
  }

  private func bar(_ style: String, _ start: Double, _ end: Double, _ y: Double) -> String {
    let (from, to) = (TimelineChart.place(start), TimelineChart.place(end))
    let width = ((to - from) * 10).rounded() / 10
    return "<rect class=\"\(style)\" x=\"\(from)\" y=\"\(y)\" width=\"\(width)\" height=\"12\"/>"
  }

  private static func place(_ minute: Double) -> Double {
    let share = min(max(minute / 1_440, 0), 1)
    return ((left + share * (right - left)) * 10).rounded() / 10
  }
}
