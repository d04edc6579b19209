extension Occupancy {
  /// The number of devices in one place during one bin of time.
  public struct Bin: Hashable, Sendable {
    /// The number of the bin, counted from 1970: it begins at this multiple of the width.
    public let number: Int64
    /// Devices present on average over the bin, weighted by time.
    public let mean: Double
    /// The maximum number of devices present at once.
    public let peak: Int32
  }

  /// The bins of one place in which devices were present, in order of time.
  ///
  /// The bins are computed during the iteration. Their memory depends on how often devices came and went, not on the length of
  /// time: a row with a wrong year costs nothing.
  package struct Bins: Sequence, Hashable, Sendable {
    /// A stretch of time with a constant number of devices, at least one.
    package struct Stretch: Hashable, Sendable {
      /// Milliseconds since 1970, UTC.
      package var start: Int64
      /// Milliseconds since 1970, after the start.
      package var end: Int64
      /// The number of devices.
      package var present: Int32
    }

    /// In order of time, without overlaps.
    package private(set) var stretches: [Stretch] = []
    /// The width of a bin, milliseconds.
    let width: Int64

    init(width: Int64) {
      self.width = width
    }

    /// Adds the stretch that follows the earlier ones.
    mutating func append(_ stretch: Stretch) {
      if let last = stretches.last, last.end == stretch.start, last.present == stretch.present {
        stretches[stretches.count - 1].end = stretch.end
      } else {
        stretches.append(stretch)
      }
    }

    /// Returns an iterator that begins with the first bin.
    package func makeIterator() -> Iterator {
      Iterator(stretches: stretches, width: width)
    }

    /// Computes one bin after the other.
    package struct Iterator: IteratorProtocol, Sendable {
      fileprivate let stretches: [Stretch]
      fileprivate let width: Int64
      /// The index of the stretch that the next bin begins with.
      private var index = 0
      /// The end of the last bin.
      private var reached = Int64.min

      fileprivate init(stretches: [Stretch], width: Int64) {
        self.stretches = stretches
        self.width = width
      }

      /// Returns the next bin in which devices were present.
      package mutating func next() -> Bin? {
        guard index < stretches.count else { return nil }
        let start = Swift.max(reached, stretches[index].start).flooredMultiple(of: width)
        let end = start + width
        var (sum, peak): (Int64, Int32) = (0, 0)
        while index < stretches.count, stretches[index].start < end {
          let stretch = stretches[index]
          sum += Int64(stretch.present) * (Swift.min(stretch.end, end) - Swift.max(stretch.start, start))
          peak = Swift.max(peak, stretch.present)
          if stretch.end > end { break }
          index += 1
        }
        reached = end
        return Bin(number: start / width, mean: Double(sum) / Double(width), peak: peak)
      }
    }
  }
}
