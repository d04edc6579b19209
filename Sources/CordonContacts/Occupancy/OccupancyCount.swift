/// The stays of devices, collected window by window, without their ways.
package struct OccupancyCount<Locator: SpaceLocator>: Sendable {
  private(set) var presences: [Occupancy.Place: [Presence]] = [:]
  /// Where the latest stay of a device in a place is.
  private var latest: [Stay: Int] = [:]
  private let cutter: PresenceCutter<Locator>?

  private struct Stay: Hashable {
    var place: Occupancy.Place
    var device: Int32
  }

  /// Creates an empty count.
  /// - Parameter locator: the spaces; `nil` to count on floors only.
  package init(in locator: Locator?) {
    cutter = locator.map { PresenceCutter(locator: $0) }
  }

  /// The number of stays collected.
  package var stayCount: Int { presences.values.reduce(0) { $0 + $1.count } }

  /// Ends the stays of all devices. Segments added later begin new stays.
  package mutating func endStays() { latest.removeAll(keepingCapacity: true) }

  /// Adds segments by device and time. None of them may begin before an earlier added segment of the same device. Instants
  /// are skipped because they have no duration.
  package mutating func add(_ segments: [Segment]) {
    var fresh: [Occupancy.Place: [Presence]] = [:]
    for segment in segments where segment.end > segment.start {
      let all = Presence(device: segment.device, start: segment.start, end: segment.end)
      Presence.append(all, to: &fresh[.floor(segment.floor), default: []])
      cutter?.cut(segment) { space, start, end in
        guard let space else { return }
        let part = Presence(device: segment.device, start: start, end: end)
        Presence.append(part, to: &fresh[.space(space), default: []])
      }
    }
    for place in fresh.keys {
      var list = presences.removeValue(forKey: place) ?? []
      for presence in fresh[place] ?? [] {
        let stay = Stay(place: place, device: presence.device)
        if let k = latest[stay], list[k].end == presence.start {
          list[k].end = presence.end
        } else {
          latest[stay] = list.count
          list.append(presence)
        }
      }
      presences[place] = list
    }
  }
}
