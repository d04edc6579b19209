/// The bins of a result: of one width, at multiples of it, the first and last cut at the ends of the time.
package struct BinGrid: Hashable, Sendable {
  /// The start of the time in milliseconds since 1970.
  package let start: Int64
  /// The end of the time.
  package let end: Int64
  /// The width of a bin in milliseconds.
  package let bin: Int64
  /// The number of the first bin: its start divided by the width.
  let first: Int64
  /// The number of bins.
  package let count: Int

  init(start: Int64, end: Int64, bin: Int64) {
    self.start = start
    self.end = max(start, end)
    self.bin = bin
    func floor(_ time: Int64) -> Int64 { time >= 0 ? time / bin : -((-time + bin - 1) / bin) }
    first = floor(start)
    count = end > start ? Int(floor(end - 1) - first) + 1 : 0
  }

  /// Returns the start of a bin, which may lie before that of the time.
  package func start(of index: Int) -> Int64 { (first + Int64(index)) * bin }

  /// Returns the end of a bin within the time.
  func end(of index: Int) -> Int64 { min(end, (first + Int64(index) + 1) * bin) }

  /// Returns the hours of a bin within the time.
  func hours(of index: Int) -> Double { Double(end(of: index) - max(start, start(of: index))) / 3_600_000 }
}

/// Concentrations in spaces over time, and the doses of all stays.
package struct AirResult: Hashable, Sendable {
  /// The air of a space in one bin.
  package struct Bin: Hashable, Sendable {
    /// The mean number of people.
    package var people = 0.0
    /// The mean number of infectious people.
    package var infectious = 0.0
    /// The mean carbon dioxide in parts per million.
    package var co2 = 0.0
    /// The carbon dioxide at the end of the bin.
    package var co2AtEnd = 0.0
    /// The mean quanta per cubic metre.
    package var quanta = 0.0
    /// The quanta per cubic metre at the end of the bin.
    package var quantaAtEnd = 0.0
  }

  /// What one person of a stay inhaled.
  package struct Dose: Hashable, Sendable {
    /// The inhaled quanta.
    package var quanta = 0.0
    /// The integral of the carbon dioxide over the time, in parts per million times hours.
    package var co2Hours = 0.0
    /// The length of the stay within the time, in hours.
    package var hours = 0.0
  }

  /// The bins.
  package let grid: BinGrid
  private var bins: [Bin]
  /// The dose of each stay, in the order of the input.
  package internal(set) var doses: [Dose]
  /// The maximum carbon dioxide of each space in parts per million, at changes of occupancy and ends of bins.
  package internal(set) var peakCO2: [Double]

  init(spaces: Int, stays: Int, bins: BinGrid) {
    grid = bins
    self.bins = [Bin](repeating: Bin(), count: spaces * bins.count)
    doses = [Dose](repeating: Dose(), count: stays)
    peakCO2 = [Double](repeating: 0, count: spaces)
  }

  /// The bins of a space in order of time.
  package subscript(space: Int) -> [Bin] { Array(bins[space * grid.count..<(space + 1) * grid.count]) }

  mutating func set(_ bin: Bin, space: Int, index: Int) { bins[space * grid.count + index] = bin }
}
