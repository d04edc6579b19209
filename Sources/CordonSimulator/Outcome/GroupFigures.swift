import CordonContacts
import CordonCore
import CordonCrowd
import CordonRun

/// The occupancy, dwell times and waits of groups of spaces.
struct GroupFigures {
  let places: RunPlaces
  let start: Instant
  let end: Instant
  let bin: TimeSpan
  /// The capacity of each space, by number.
  let capacities: [Int32: Int]

  /// Returns the figures of all groups and their bins, by source and group.
  /// - Parameters:
  ///   - counts: the presence by source.
  ///   - stays: the planned stays.
  ///   - waits: the waits with the space in which people waited.
  func rows(
    _ counts: [(source: RunSource, presence: Occupancy)], stays: [StayLength], waits: [SpaceWait]
  ) -> (groups: [RunOutcome.Group], bins: [RunOutcome.GroupBin]) {
    var groups: [RunOutcome.Group] = []
    var bins: [RunOutcome.GroupBin] = []
    for count in counts {
      for (number, group) in places.venue.groups.enumerated() {
        let series = count.presence.series(inAnyOf: group.spaces.map(Int.init))
        let own = (series?.bins).map { $0.map { $0 } } ?? []
        bins += own.map {
          RunOutcome.GroupBin(
            source: count.source, group: number, binStart: $0.number * bin.milliseconds, mean: $0.mean, peak: $0.peak)
        }
        let members = Set(group.spaces)
        let inside = stays.filter { members.contains($0.space) }
        let lengths = Sample(inside.map(\.seconds))
        let isTruth = count.source == .truth
        let presence = BinnedPresence(
          own.map { BinnedPresence.Bin(start: $0.number * bin.milliseconds, mean: $0.mean, peak: $0.peak) },
          start: start, end: end, width: bin, area: places.venue.area(of: group), capacity: capacity(of: group),
          stays: isTruth ? inside : nil)
        let place = RunOutcome.Place(
          source: count.source, floor: Segment.unknownFloor, space: ObservedLocation.noSpace, mean: presence.mean,
          p95: presence.p95, peak: presence.peak, peakTime: presence.peakTime, capacity: presence.capacity,
          minutesOverCapacity: presence.minutesOverCapacity,
          minutesOverCapacityStaying: presence.minutesOverCapacityStaying, areaPerPerson: presence.areaPerPerson,
          stays: isTruth ? lengths.count : nil,
          medianDwell: isTruth && lengths.count > 0 ? PlaceFigures.rounded(lengths.quantile(0.5)) : nil,
          p95Dwell: isTruth && lengths.count > 0 ? PlaceFigures.rounded(lengths.quantile(0.95)) : nil,
          visits: series?.dwell.visits ?? 0, meanVisit: (series?.dwell.mean).map(PlaceFigures.rounded),
          levelMinutes: presence.levelMinutes)
        let waited = Sample(waits.lazy.filter { members.contains($0.space) }.map(\.seconds))
        let hasWaits = isTruth && waited.count > 0
        groups.append(
          RunOutcome.Group(
            number: number, presence: place, waits: isTruth ? waited.count : nil,
            meanWait: hasWaits ? PlaceFigures.rounded(waited.mean) : nil,
            p95Wait: hasWaits ? PlaceFigures.rounded(waited.quantile(0.95)) : nil))
      }
    }
    return (groups, bins)
  }

  /// The stated capacity, or the sum of the limits if every space of the group has one.
  private func capacity(of group: RunGroup) -> Int? {
    if let capacity = group.capacity { return capacity }
    let limits = group.spaces.compactMap { capacities[$0] }
    return limits.count == group.spaces.count && !limits.isEmpty ? limits.reduce(0, +) : nil
  }
}

/// A wait in a queue in a space.
struct SpaceWait {
  /// The number of the space.
  var space: Int32
  var seconds: Double

  /// Returns the waits of people at the desks of spaces before the end of a run.
  static func list(_ waits: some Sequence<Wait>, end: Instant, world: World, places: RunPlaces) -> [SpaceWait] {
    waits.compactMap { wait in
      let destination: Int
      switch wait.reason {
      case .connection, .room: return nil
      case .service(let index), .station(_, destination: let index): destination = index
      }
      guard wait.start < end, let space = world.destinations[destination].space else { return nil }
      let number = places.number(of: world.plan.spaces[space].id)
      guard number != ObservedLocation.noSpace else { return nil }
      return SpaceWait(space: number, seconds: (min(wait.end, end) - wait.start).seconds)
    }
  }
}
