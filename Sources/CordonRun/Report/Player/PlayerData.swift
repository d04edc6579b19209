import CordonContacts
import CordonCore
import CordonGeometry
import CordonSupport

/// The data of a player for the script.
struct PlayerData {
  let json: JSONValue

  /// - Parameters:
  ///   - noun: what a moving dot is: `person` or `device`.
  ///   - busiestStorey: the storey that is shown first.
  init(
    venue: RunVenue, storeys: ReportStoreys, segments: [Segment], people: [String], start: Instant, end: Instant,
    origin: Instant? = nil, layers: [SpaceLayer] = [], noun: String = "person", busiestStorey: Int = 0
  ) {
    var storeyOf: [Int32: Int] = [:]
    for (index, entry) in storeys.list.enumerated() { storeyOf[entry.ordinal.thousandths] = index }
    let tracks = PlayerTracks(segments, people: people.count, start: start.milliseconds) { storeyOf[$0] }
    let clock = ReportClock(zone: venue.timeZone)
    let groups = PlayerData.groups(people)
    var members: [JSONValue.Member] = [
      .init("start", .integer(start.milliseconds)), .init("end", .integer(end.milliseconds)),
      .init("zone", .string(clock.zone)),
      .init(
        "offsets",
        .array(clock.offsets(from: start, to: end).map { [.integer($0.from), .integer($0.offset)] })),
      .init("noun", .string(noun)),
      .init("storeys", .array(storeys.list.map { .string($0.name) })),
      .init("storey", JSONValue(busiestStorey)),
      .init(
        "spaces",
        .array(
          venue.spaces.indices.map { index in
            [
              "title": .string(storeys.titles[index]),
              "name": .string(HTMLText.readable(venue.spaces[index].name)),
              "area": .number((venue.spaces[index].area * 10).rounded() / 10),
              "storey": JSONValue(storeys.ofFloor[venue.spaces[index].floor]),
            ]
          })),
      .init("groups", .array(groups.names.map { .string(HTMLText.readable($0)) })),
      .init("groupRuns", .array(groups.runs.map { [JSONValue($0.count), JSONValue($0.group)] })),
      .init("layers", .array(layers.map(\.json))),
      .init(
        "levels", .array(LevelOfService.allCases.map { [.string($0.rawValue), .number($0.minimumArea)] })),
    ]
    if let origin { members.append(.init("origin", .integer(origin.milliseconds))) }
    if let tracks { members.append(.init("tracks", tracks.json)) }
    json = .object(members)
  }

  /// Returns the names of groups in the order of their first person, and the lengths of runs of people of one group.
  private static func groups(_ people: [String]) -> (names: [String], runs: [(count: Int, group: Int)]) {
    var names: [String] = []
    var numbers: [String: Int] = [:]
    var runs: [(count: Int, group: Int)] = []
    for person in people {
      let group = numbers[person] ?? names.count
      if group == names.count {
        numbers[person] = group
        names.append(person)
      }
      if let last = runs.last, last.group == group {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((1, group))
      }
    }
    return (names, runs)
  }
}

extension RunContents {
  /// The movement that a player shows: the truth, or what devices reported if it is unknown.
  ///
  /// A device rests until its last report of stillness. It then moves straight to the next report if that comes within the
  /// maximum gap, and otherwise stays for the gap and disappears.
  var shownSegments: [Segment] {
    guard truth.isEmpty else { return truth }
    let gap = parameters.maximumGap.milliseconds
    let frame = LocalFrame(origin: parameters.frameOrigin)
    var segments: [Segment] = []
    for (index, location) in locations.enumerated() {
      let place = frame.project(location.coordinate)
      let next = index + 1 < locations.count ? locations[index + 1] : location
      let isSame = index + 1 < locations.count && next.person == location.person
      let isJoined = isSame && next.floor == location.floor && next.time - location.stillUntil <= gap
      var still = isJoined ? location.stillUntil : location.stillUntil + gap
      if isSame { still = min(still, next.time) }
      segments.append(
        Segment(
          device: location.person, floor: location.floor, start: location.time, end: max(still, location.time),
          x0: place.x, y0: place.y, x1: place.x, y1: place.y))
      guard isJoined, next.time > still else { continue }
      let end = frame.project(next.coordinate)
      segments.append(
        Segment(
          device: location.person, floor: location.floor, start: still, end: next.time, x0: place.x, y0: place.y,
          x1: end.x, y1: end.y))
    }
    return segments
  }
}
