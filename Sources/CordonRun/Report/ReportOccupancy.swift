import CordonContacts
import CordonCore

/// The occupancy in the form that the page needs: a limited number of bins, one list of means for each space and group.
struct ReportOccupancy {
  struct Record {
    /// The mean of each bin for all people in the venue.
    var total: [Double]
    /// The mean and the maximum of each bin, by the number of the space.
    var spaces: [Int: Series] = [:]
    /// The mean and the maximum of each bin, by the number of the group.
    var groups: [Int: Series] = [:]
    /// The sum of the presence on each floor over the run, by thousandths.
    var floors: [Int32: Double] = [:]

    /// The mean of each bin, by the number of the space.
    var means: [Int: [Double]] { spaces.mapValues(\.means) }
    /// The maximum at one time, by the number of the space.
    var peaks: [Int: Int] { spaces.mapValues(\.peak) }
  }

  /// The people in one place over time.
  struct Series {
    /// The mean of each bin.
    var means: [Double]
    /// The maximum at one time in each bin.
    var maxima: [Int]

    /// The maximum at one time.
    var peak: Int { maxima.max() ?? 0 }

    fileprivate init(bins: Int) {
      means = Array(repeating: 0, count: bins)
      maxima = Array(repeating: 0, count: bins)
    }

    fileprivate mutating func add(_ mean: Double, peak: Int32, to bin: Int) {
      means[bin] += mean
      maxima[bin] = max(maxima[bin], Int(peak))
    }
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
    /// Returns the bin of a row, and the share of the bin that a narrow bin is; the last wide bin can contain fewer of them.
    func bin(of binStart: Int64) -> (number: Int, share: Double)? {
      let offset = binStart - start
      guard offset >= 0, offset / width < fine else { return nil }
      let number = Int(offset / width / factor)
      return (number, 1 / Double(min(factor, fine - Int64(number) * factor)))
    }
    var records: [RunSource: Record] = [:]
    for row in contents.occupancy {
      guard let (bin, share) = bin(of: row.binStart) else { continue }
      if row.space == ObservedLocation.noSpace {
        let empty = Record(total: Array(repeating: 0, count: bins))
        records[row.source, default: empty].total[bin] += row.mean * share
        records[row.source]?.floors[row.floor, default: 0] += row.mean
      } else {
        let empty = Record(total: Array(repeating: 0, count: bins))
        records[row.source, default: empty].spaces[Int(row.space), default: Series(bins: bins)].add(
          row.mean * share, peak: row.peak, to: bin)
      }
    }
    for row in contents.outcome.groupBins {
      guard let (bin, share) = bin(of: row.binStart) else { continue }
      records[row.source]?.groups[row.group, default: Series(bins: bins)].add(row.mean * share, peak: row.peak, to: bin)
    }
    self.records = records
    sources = RunSource.allCases.filter { records[$0] != nil }
    binCount = bins
    binMilliseconds = width * factor
    self.start = start
    let first = sources.first.flatMap { records[$0] }
    let presence = (first?.spaces ?? [:]).map { (space: $0.key, sum: $0.value.means.reduce(0, +)) }
    top = presence.sorted { $0.sum != $1.sum ? $0.sum > $1.sum : $0.space < $1.space }.prefix(9).map(\.space)
  }

  /// The record that plans start with: the truth if there is one.
  var first: Record? { sources.first.flatMap { records[$0] } }

  /// Whether most of the presence is in spaces, so that coloured spaces are informative.
  var isMostlyInSpaces: Bool {
    guard let first else { return false }
    // Sums over lists, which have a fixed order, instead of dictionaries.
    let inside = first.spaces.keys.sorted().reduce(0) { $0 + (first.spaces[$1]?.means ?? []).reduce(0, +) }
    return inside >= first.total.reduce(0, +) * 0.5
  }
}
