import CordonContacts
import CordonCore
import CordonCrowd
import CordonRun

/// The occupancy of floors and spaces, and the dwell times of people.
struct PlaceFigures {
  let places: RunPlaces
  let start: Instant
  let end: Instant
  let bin: TimeSpan
  /// The capacity of each space, by number.
  let capacities: [Int32: Int]

  /// Returns the rows of all floors and spaces with people in them.
  /// - Parameters:
  ///   - counts: the presence by source.
  ///   - occupancy: the bins of `counts`.
  ///   - stays: the planned stays.
  func rows(
    _ counts: [(source: RunSource, presence: Occupancy)], occupancy: [RunOccupancy], stays: [StayLength]
  ) -> [RunOutcome.Place] {
    let areas = places.venue.spaces.map(\.area)
    let dwell = Dictionary(grouping: stays) { Key(source: .truth, floor: $0.floor, space: $0.space) }
    let grouped = Dictionary(grouping: occupancy) { Key(source: $0.source, floor: $0.floor, space: $0.space) }
    var visits: [Key: Occupancy.Dwell] = [:]
    for count in counts {
      for series in count.presence.series {
        let (floor, space) = places.location(of: series.place)
        visits[Key(source: count.source, floor: floor, space: space)] = series.dwell
      }
    }
    return grouped.keys.sorted().map { key in
      let isSpace = key.space != ObservedLocation.noSpace
      let presence = BinnedPresence(
        (grouped[key] ?? []).map { BinnedPresence.Bin(start: $0.binStart, mean: $0.mean, peak: $0.peak) },
        start: start, end: end, width: bin, area: isSpace ? areas[Int(key.space)] : nil,
        capacity: isSpace ? capacities[key.space] : nil,
        stays: key.source == .truth && isSpace ? dwell[key] ?? [] : nil)
      let lengths = dwell[key].map { Sample($0.map(\.seconds)) }
      return RunOutcome.Place(
        source: key.source, floor: key.floor, space: key.space, mean: presence.mean, p95: presence.p95,
        peak: presence.peak, peakTime: presence.peakTime, capacity: presence.capacity,
        minutesOverCapacity: presence.minutesOverCapacity,
        minutesOverCapacityStaying: presence.minutesOverCapacityStaying, areaPerPerson: presence.areaPerPerson,
        stays: key.source == .truth && isSpace ? lengths?.count ?? 0 : nil,
        medianDwell: lengths.map { PlaceFigures.rounded($0.quantile(0.5)) },
        p95Dwell: lengths.map { PlaceFigures.rounded($0.quantile(0.95)) }, visits: visits[key]?.visits,
        meanVisit: visits[key].map { PlaceFigures.rounded($0.mean) }, levelMinutes: presence.levelMinutes)
    }
  }

  /// Returns a number rounded to four decimals.
  static func rounded(_ value: Double) -> Double { (value * 1e4).rounded() / 1e4 }

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

/// One stay of a person in a space, up to the end of the run.
struct StayLength {
  var floor: Int32
  /// The number of the space.
  var space: Int32
  /// The beginning and the end, in milliseconds since 1970.
  var start: Int64
  var end: Int64

  /// The duration in seconds.
  var seconds: Double { Double(end - start) / 1_000 }

  /// Returns the stays of people in spaces before the end of a run.
  static func list(_ truth: Truth, end: Instant, world: World, places: RunPlaces) -> [StayLength] {
    truth.people.flatMap(\.stays).compactMap { stay in
      guard let space = stay.space, stay.start < end else { return nil }
      let number = places.number(of: world.plan.spaces[space].id)
      guard number != ObservedLocation.noSpace else { return nil }
      return StayLength(
        floor: places.floor(ofSpace: Int(number)), space: number, start: stay.start.milliseconds,
        end: min(stay.end, end).milliseconds)
    }
  }
}
