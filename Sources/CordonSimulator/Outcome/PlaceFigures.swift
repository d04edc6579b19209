import CordonContacts
import CordonCore
import CordonRun

/// The occupancy of floors and spaces, and the dwell times of people.
struct PlaceFigures {
  let places: RunPlaces
  let start: Instant
  let end: Instant
  let bin: TimeSpan
  /// The capacity of each space, by number.
  let capacities: [Int32: Int]

  func rows(_ occupancy: [RunOccupancy], stays: [StayLength]) -> [RunOutcome.Place] {
    let areas = places.venue.spaces.map(\.area)
    let bins = max(Int(((end - start).milliseconds + bin.milliseconds - 1) / bin.milliseconds), 1)
    let dwell = Dictionary(grouping: stays) { Key(source: .truth, floor: $0.floor, space: $0.space) }
    let grouped = Dictionary(grouping: occupancy) { Key(source: $0.source, floor: $0.floor, space: $0.space) }
    return grouped.keys.sorted().map { key in
      let rows = grouped[key] ?? []
      let highest = rows.max { ($0.peak, -$0.binStart) < ($1.peak, -$1.binStart) }
      let peak = highest?.peak ?? 0
      // Bins without a row are empty.
      let means = Sample(rows.map(\.mean) + Array(repeating: 0, count: max(bins - rows.count, 0)))
      let isSpace = key.space != ObservedLocation.noSpace
      let capacity = isSpace ? capacities[key.space] : nil
      let lengths = dwell[key].map { Sample($0.map(\.seconds)) }
      return RunOutcome.Place(
        source: key.source, floor: key.floor, space: key.space, mean: rounded(means.mean),
        p95: rounded(means.quantile(0.95)), peak: peak, peakTime: highest?.binStart ?? start.milliseconds,
        capacity: capacity,
        minutesOverCapacity: capacity.map { limit in
          Double(rows.count { Int($0.peak) > limit }) * bin.seconds / 60
        }, areaPerPerson: isSpace && peak > 0 ? rounded(areas[Int(key.space)] / Double(peak)) : nil,
        stays: key.source == .truth && isSpace ? lengths?.count ?? 0 : nil,
        medianDwell: lengths.map { rounded($0.quantile(0.5)) }, p95Dwell: lengths.map { rounded($0.quantile(0.95)) })
    }
  }

  private func rounded(_ value: Double) -> Double { (value * 1e4).rounded() / 1e4 }

  private struct Key: Hashable, Comparable {
    var source: RunSource
    var floor: Int32
    var space: Int32

    static func < (a: Key, b: Key) -> Bool {
      if a.source != b.source { return a.source == .truth }
      return (a.floor, a.space) < (b.floor, b.space)
    }
  }
}

/// The duration of one stay.
struct StayLength {
  var floor: Int32
  /// The number of the space.
  var space: Int32
  var seconds: Double
}
