import CordonCore

/// A chart of counts over time as a figure without script.
struct EvacuationChart {
  /// A line of values, one for each interval of ``EvacuationReport/bin``.
  struct Line {
    var name: String
    var values: [Double]
  }

  let title: String
  let yName: String
  let lines: [Line]
  /// A band between two rows of values; empty for none.
  var band: (low: [Double], high: [Double]) = ([], [])

  private static let (left, right, top, bottom) = (56.0, 640.0, 18.0, 240.0)

  /// Maximum number of lines; further ones are left to the table.
  static let maximumLines = 8

  var html: String {
    let bins = max((lines.map(\.values.count) + [band.high.count]).max() ?? 0, 2)
    let end = Double(bins - 1) * EvacuationReport.bin
    let most = max((lines.flatMap(\.values) + band.high).max() ?? 1, 1)
    func x(_ bin: Int) -> String {
      Quantity.decimal(Self.left + Double(bin) / Double(bins - 1) * (Self.right - Self.left), places: 1)
    }
    func y(_ value: Double) -> String {
      Quantity.decimal(Self.bottom - value / most * (Self.bottom - Self.top), places: 1)
    }
    var body = ""
    if !band.high.isEmpty {
      let upper = band.high.enumerated().map { "\(x($0)),\(y($1))" }
      let lower = band.low.enumerated().reversed().map { "\(x($0.offset)),\(y($0.element))" }
      body += "<polygon class=\"range\" points=\"\((upper + lower).joined(separator: " "))\"/>"
    }
    for (index, line) in lines.prefix(Self.maximumLines).enumerated() {
      let points = line.values.enumerated().map { "\(x($0)),\(y($1))" }.joined(separator: " ")
      body += "<polyline class=\"k\(index)\" points=\"\(points)\"/>"
    }
    var axes = "<path class=\"axis\" d=\"M\(Self.left) \(Self.top)V\(Self.bottom)H\(Self.right)\"/>"
    for tick in Self.ticks(most) {
      axes +=
        "<text x=\"\(Self.left - 6)\" y=\"\(y(tick))\" dy=\"4\" text-anchor=\"end\">\(Quantity.decimal(tick, places: 0))</text>"
    }
    for tick in Self.ticks(end) where tick > 0 {
      let place = Quantity.decimal(Self.left + tick / max(end, 1) * (Self.right - Self.left), places: 1)
      axes += "<text x=\"\(place)\" y=\"258\" text-anchor=\"middle\">\(Self.clock(tick))</text>"
    }
    let name = HTMLText.escaped(title)
    let items = lines.prefix(Self.maximumLines).enumerated().map { index, line in
      "<li class=\"k\(index)\"><i></i>\(HTMLText.escaped(HTMLText.readable(line.name)))</li>"
    }
    return """
      <figure class="chart"><figcaption>\(name)</figcaption><svg viewBox="0 0 660 276" role="img" aria-label="\(name)">\
      \(body)\(axes)<text x="\(Self.right)" y="273" text-anchor="end">minutes after the start</text>\
      <text x="4" y="12">\(HTMLText.escaped(yName))</text></svg>\
      \(lines.count > 1 ? "<ul class=\"legend-list\">\(items.joined())</ul>" : "")</figure>
      """
  }

  /// Returns minutes and seconds: `4:05`.
  static func clock(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded())
    return "\(whole / 60):\(whole % 60 < 10 ? "0" : "")\(whole % 60)"
  }

  /// Returns up to seven round numbers from 0 to a maximum; for times, multiples of 10 s, 30 s or minutes fit as well.
  private static func ticks(_ most: Double) -> [Double] {
    guard most > 0 else { return [0] }
    let steps = [1.0, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_200, 3_000, 6_000, 12_000, 30_000, 60_000, 300_000]
    let step = steps.first { most / $0 <= 6 } ?? 1_000_000
    return stride(from: 0, through: most, by: step).map { $0 }
  }
}
