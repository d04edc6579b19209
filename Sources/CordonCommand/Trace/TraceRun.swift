import CordonConsole
import CordonContacts
import CordonCore
import CordonExchange
import CordonGeometry
import CordonRun
import CordonSupport

/// A trace as a run: devices and what was seen of them. Nobody knows where the people really were, in which venue, or who
/// met, so the run says nothing of it.
struct TraceRun {
  private let trace: Trace
  private let command: [String]

  /// - Parameter command: the words that decide the contents.
  init(_ trace: Trace, command: [String]) {
    self.trace = trace
    self.command = command
  }

  /// Counts the points with an attribute that a run cannot store.
  static func unheld(in trace: Trace) -> [(name: String, count: Int)] {
    let points = trace.tracks.lazy.flatMap(\.points)
    return [("elevation", points.count { $0.elevation != nil }), ("mocked", points.count { $0.isMocked })]
      .filter { $0.1 > 0 }.map { (name: $0.0, count: $0.1) }
  }

  /// - Throws: `TraceError` when a point has no time, no accuracy or no place in degrees, or a device no name that can be
  ///   one; `TraceError/Code/empty` when there is no point at all.
  func contents() throws(TraceError) -> RunContents {
    var people: [RunPerson] = []
    var numbers: [DeviceID: Int32] = [:]
    var locations: [ObservedLocation] = []
    locations.reserveCapacity(trace.pointCount)
    for (index, track) in trace.tracks.enumerated() where !track.points.isEmpty {
      let label = track.device ?? (track.name.isEmpty ? "track-\(index + 1)" : track.name)
      guard let device = DeviceID(label) else {
        throw TraceError(
          .unsuitable, "\(label.debugDescription) is not a valid name of a device", line: track.points.first?.line)
      }
      let person = numbers[device] ?? Int32(people.count)
      if numbers.updateValue(person, forKey: device) == nil { people.append(RunPerson(device: device)) }
      for point in track.points { locations.append(try location(point, of: device, person)) }
    }
    guard let first = locations.map(\.time).min(), let last = locations.map(\.stillUntil).max(),
      let origin = locations.first?.coordinate, let venue = VenueID("no-venue")
    else { throw TraceError(.empty, "holds no position") }
    // One file often holds the same fix twice; a run, like a server, has one copy of it.
    var seen: Set<FixID> = []
    locations.removeAll { !seen.insert($0.fix).inserted }
    return RunContents(
      parameters: RunParameters(
        command: command, version: CordonVersion.current, seed: 0,
        start: Instant(milliseconds: first), duration: .milliseconds(last - first), frameOrigin: origin,
        others: [.init("made_from", .string("trace")), .init("trace_format", .string(trace.format.rawValue))]),
      venue: RunVenue(
        id: venue, name: "no venue", format: "none", contentHash: "",
        floors: [], spaces: []),
      people: people, locations: locations,
      summary: RunSummary(
        people: people.count, devices: people.count,
        accounting: RunAccounting(fixes: locations.count, stored: locations.count, acknowledged: locations.count),
        trueContacts: 0, observedContacts: 0, agreement: nil))
  }

  private func location(
    _ point: TracePoint, of device: DeviceID, _ person: Int32
  ) throws(TraceError) -> ObservedLocation {
    guard case .degrees(let place) = point.place else {
      throw TraceError(.unsuitable, "its places are metres; say where they lie (--origin)", line: point.line)
    }
    guard let time = point.time else {
      throw TraceError(
        .missing, "a point has no time, which a run needs; say when it began (--start)", line: point.line)
    }
    guard let accuracy = point.accuracy else {
      throw TraceError(
        .missing, "a point has no accuracy, which a run needs; say what it was (--assume-accuracy)", line: point.line)
    }
    return ObservedLocation(
      fix: FixID(device: device, time: time, coordinate: place, accuracy: accuracy, floor: point.floor),
      person: person, time: time.milliseconds, coordinate: place, accuracy: accuracy,
      floor: point.floor?.thousandths ?? Segment.unknownFloor,
      stillUntil: max(point.stillUntil ?? time, time).milliseconds, space: ObservedLocation.noSpace)
  }
}
