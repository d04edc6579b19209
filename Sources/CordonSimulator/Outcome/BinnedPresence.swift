import CordonCore
import CordonRun

/// The figures of one place over a run, from its bins of time. They agree with the table `occupancy` in every bin.
struct BinnedPresence {
  /// A bin with people in it.
  struct Bin {
    /// Milliseconds since 1970; a multiple of the width.
    var start: Int64
    /// The mean number of people over the bin.
    var mean: Double
    /// The maximum number at one time.
    var peak: Int32
  }

  /// The mean number of people over the run: their time in the place, divided by the duration of the run.
  let mean: Double
  /// The 95 % quantile over the bins of the run.
  let p95: Double
  /// The maximum number at one time.
  let peak: Int32
  /// The start of the first bin with the peak, in milliseconds since 1970; the start of the run without people.
  let peakTime: Int64
  /// The permitted maximum, if there is a rule.
  let capacity: Int?
  /// The length of the bins above the capacity in minutes.
  let minutesOverCapacity: Double?
  /// The part of these minutes in which more people stayed than the capacity; `nil` without stays.
  let minutesOverCapacityStaying: Double?
  /// The area in square metres per person at the peak; `nil` without an area or people.
  let areaPerPerson: Double?
  /// The minutes at each level of service; `nil` without an area.
  let levelMinutes: LevelMinutes?

  /// Creates the figures.
  /// - Parameters:
  ///   - bins: the bins with people in them, in order of time.
  ///   - start: the start of the run.
  ///   - end: the end of the run.
  ///   - width: the width of a bin.
  ///   - area: the area of the place in square metres; `nil` for a floor.
  ///   - capacity: the permitted maximum.
  ///   - stays: the stays in the place; `nil` if they are unknown.
  init(
    _ bins: [Bin], start: Instant, end: Instant, width: TimeSpan, area: Double?, capacity: Int?,
    stays: [StayLength]? = nil
  ) {
    // Bins begin at multiples of their width, so that a run can end in one bin more than it is long.
    let count = max((end - .milliseconds(1)).bucket(of: width) - start.bucket(of: width) + 1, 1)
    // The first and the last bin can extend beyond the run.
    let duration = (end - start).seconds
    let presence = bins.reduce(0) { $0 + $1.mean } * width.seconds
    mean = PlaceFigures.rounded(duration > 0 ? presence / duration : 0)
    // Bins without a row are empty.
    let empty = max(Int(count) - bins.count, 0)
    p95 = PlaceFigures.rounded(Sample(bins.map(\.mean) + Array(repeating: 0, count: empty)).quantile(0.95))
    let highest = bins.max { ($0.peak, -$0.start) < ($1.peak, -$1.start) }
    let peak = highest?.peak ?? 0
    self.peak = peak
    peakTime = highest?.start ?? start.milliseconds
    self.capacity = capacity
    let minutes = width.seconds / 60
    let full = capacity.map { limit in bins.filter { Int($0.peak) > limit } }
    minutesOverCapacity = full.map { Double($0.count) * minutes }
    minutesOverCapacityStaying = full.flatMap { full in
      stays.map { stays in
        guard !full.isEmpty else { return 0 }
        let over = CapacityMinutes.bins(of: stays, above: capacity ?? .max, width: width.milliseconds)
        return Double(full.count { over.contains($0.start / max(width.milliseconds, 1)) }) * minutes
      }
    }
    areaPerPerson = area.flatMap { peak > 0 ? PlaceFigures.rounded($0 / Double(peak)) : nil }
    levelMinutes = area.map { area in
      var levels = LevelMinutes()
      for bin in bins where bin.peak > 0 {
        levels.add(minutes, at: LevelOfService(areaPerPerson: area / Double(bin.peak)))
      }
      return levels
    }
  }
}
