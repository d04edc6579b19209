import CordonContacts
import CordonCore

/// The occupancy in the form that the page needs: a limited number of bins, one list of means for each space.
struct ReportOccupancy {
  struct Record {
    /// The mean of each bin for all people in the venue.
    var total: [Double]
    /// The mean of each bin, by the number of the space.
    var means: [Int: [Double]] = [:]
    /// The maximum at one time, by the number of the space.
    var peaks: [Int: Int] = [:]
    /// The sum of the presence on each floor over the run, by thousandths.
    var floors: [Int32: Double] = [:]
  }

  /// The records that the run has, truth first.
  let sources: [RunSource]
  let records: [RunSource: Record]
  let binCount: Int
  let binMilliseconds: Int64
  /// The start of the first bin in milliseconds since 1970.
  let start: Int64
  /// The spaces with the most presence, in descending order.
  let top: [Int]

  /// The maximum number of bins; more are merged into wider ones.
  private static let maximumBins: Int64 = 288

  init(contents: RunContents) {
    let parameters = contents.parameters
    let width = parameters.occupancyBin.milliseconds
    // Bins begin at multiples of their width, so that the first can begin before the run.
    let start = parameters.start.bucket(of: parameters.occupancyBin) * width
    let fine = max((parameters.end.milliseconds - start + width - 1) / width, 1)
    let factor = (fine + ReportOccupancy.maximumBins - 1) / ReportOccupancy.maximumBins
    let bins = Int((fine + factor - 1) / factor)
    var records: [RunSource: Record] = [:]
    for row in contents.occupancy {
      let offset = row.binStart - start
      guard offset >= 0, offset / width < fine else { continue }
      let bin = Int(offset / width / factor)
      // The last wide bin can contain fewer narrow ones.
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
    self.start = start
    let first = sources.first.flatMap { records[$0] }
    let presence = (first?.means ?? [:]).map { (space: $0.key, sum: $0.value.reduce(0, +)) }
    top = presence.sorted { $0.sum != $1.sum ? $0.sum > $1.sum : $0.space < $1.space }.prefix(9).map(\.space)
  }

  /// The record that plans start with: the truth if there is one.
  var first: Record? { sources.first.flatMap { records[$0] } }

  /// Whether most of the presence is in spaces, so that coloured spaces are informative.
  var isMostlyInSpaces: Bool {
    guard let first else { return false }
    // Sums over lists, which have a fixed order, instead of dictionaries.
    let inside = first.means.keys.sorted().reduce(0) { $0 + (first.means[$1] ?? []).reduce(0, +) }
    return inside >= first.total.reduce(0, +) * 0.5
  }

  /// Returns the figures of the most visited spaces as a table.
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
      let time = Instant(milliseconds: start + Int64(busiest) * binMilliseconds)
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
