import CordonContacts
import CordonCore

/// Occupancy in the shape that the page needs: few enough bins, one list of means for a space.
struct ReportOccupancy {
  struct Record {
    /// Mean by bin, of everybody in the venue.
    var total: [Double]
    /// Mean by bin, by number of space.
    var means: [Int: [Double]] = [:]
    /// The most at one time, by number of space.
    var peaks: [Int: Int] = [:]
    /// Sum over the run of the presence on each floor, by thousandths.
    var floors: [Int32: Double] = [:]
  }

  /// Truth first; those that the run has.
  let sources: [RunSource]
  let records: [RunSource: Record]
  let binCount: Int
  let binMilliseconds: Int64
  /// The spaces with the most presence, most first.
  let top: [Int]

  /// More bins than this are drawn as fewer, wider ones.
  private static let mostBins: Int64 = 288

  init(contents: RunContents) {
    let parameters = contents.parameters
    let width = parameters.occupancyBin.milliseconds
    let fine = max((parameters.duration.milliseconds + width - 1) / width, 1)
    let factor = (fine + ReportOccupancy.mostBins - 1) / ReportOccupancy.mostBins
    let bins = Int((fine + factor - 1) / factor)
    let start = parameters.start.milliseconds
    var records: [RunSource: Record] = [:]
    for row in contents.occupancy {
      let offset = row.binStart - start
      guard offset >= 0, offset / width < fine else { continue }
      let bin = Int(offset / width / factor)
      // The last wide bin may hold fewer narrow ones.
      let share = 1 / Double(min(factor, fine - Int64(bin) * factor))
      var record = records[row.source] ?? Record(total: Array(repeating: 0, count: bins))
      if row.space == ObservedLocation.noSpace {
        record.total[bin] += row.mean * share
        record.floors[row.floor, default: 0] += row.mean
      } else {
        let space = Int(row.space)
        record.means[space, default: Array(repeating: 0, count: bins)][bin] += row.mean * share
        record.peaks[space] = max(record.peaks[space] ?? 0, Int(row.peak))
      }
      records[row.source] = record
    }
    self.records = records
    sources = RunSource.allCases.filter { records[$0] != nil }
    binCount = bins
    binMilliseconds = width * factor
    let first = sources.first.flatMap { records[$0] }
    let presence = (first?.means ?? [:]).map { (space: $0.key, sum: $0.value.reduce(0, +)) }
    top = presence.sorted { $0.sum != $1.sum ? $0.sum > $1.sum : $0.space < $1.space }.prefix(9).map(\.space)
  }

  /// The record that plans start with: truth where there is one.
  var first: Record? { sources.first.flatMap { records[$0] } }

  /// Whether most of the presence is in spaces, so that colouring spaces tells something.
  var isMostlyInSpaces: Bool {
    guard let first else { return false }
    // Sums over lists, whose order is fixed, not over dictionaries.
    let inside = first.means.keys.sorted().reduce(0) { $0 + (first.means[$1] ?? []).reduce(0, +) }
    return inside >= first.total.reduce(0, +) * 0.5
  }

  /// The figures of the most visited spaces as a table.
  func table(storeys: ReportStoreys, contents: RunContents, clock: ReportClock) -> String {
    guard !top.isEmpty else { return "" }
    let heads = sources.flatMap { source in
      let who = source == .truth ? "people" : "devices"
      return ["mean \(who)", "most \(who)"]
    }
    var rows = ""
    for space in top {
      var cells = ""
      for source in sources {
        let record = records[source]
        let mean = (record?.means[space] ?? []).reduce(0, +) / Double(binCount)
        cells +=
          "<td class=\"n\">\(Quantity.decimal(mean, places: 1))</td><td class=\"n\">\(record?.peaks[space] ?? 0)</td>"
      }
      let values = first?.means[space] ?? []
      let busiest = values.indices.max { values[$0] < values[$1] } ?? 0
      let time = contents.parameters.start + TimeSpan(milliseconds: Int64(busiest) * binMilliseconds)
      rows += """
        <tr><th scope="row" class="name">\(HTMLText.escaped(storeys.titles[space]))</th>\
        <td class="n wide">\(Quantity.decimal(contents.venue.spaces[space].area, places: 0)) m²</td>\(cells)\
        <td class="n wide">\(clock.time(time))</td></tr>
        """
    }
    return """
      <details><summary>The most visited spaces as a table</summary><div class="scroll"><table>
      <thead><tr><th scope="col">space</th><th scope="col" class="n wide">area</th>\
      \(heads.map { "<th scope=\"col\" class=\"n\">\($0)</th>" }.joined())\
      <th scope="col" class="n wide">busiest from</th></tr></thead>
      <tbody>\(rows)</tbody></table></div></details>
      """
  }
}
