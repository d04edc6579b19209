import CordonContacts
import CordonCore
import CordonExchange
import CordonGeometry
import CordonRun
import CordonVenues
import Foundation

/// Tracks that were read, ready to be searched.
struct ContactDataset {
  /// The tracks of one venue.
  struct Group {
    var venue: String
    var source: Source
    var frame: LocalFrame?
  }

  /// Observed points, or segments that are known.
  enum Source {
    case observed(ObservedTracks)
    case known([Segment])
  }

  var groups: [Group]
  /// The names of the devices, by index.
  var devices: [String]
  var pointCount: Int
  /// Devices with at least one point.
  var deviceCount: Int
  var badRows: [PointTable.BadRow] = []
  var badRowCount = 0
  /// The spaces and walls, when there is a map.
  var map: ContactMap?

  /// The name of a device.
  func name(_ device: Int32) -> String {
    devices.indices.contains(Int(device)) ? devices[Int(device)] : String(device)
  }

  /// The index of a device by name.
  func index(of name: String) throws -> Int32 {
    guard let index = devices.firstIndex(of: name) else {
      throw Failure("there is no device \(name) in the input", code: "unknown-device")
    }
    return Int32(index)
  }

  /// All segments.
  func segments(of group: Group) -> [Segment] {
    switch group.source {
    case .observed(let tracks): tracks.segments()
    case .known(let segments): segments
    }
  }

  /// All contacts, by start, devices and floor. With several venues each is searched apart.
  func contacts(_ finder: ContactFinder) -> [Contact] {
    groups.flatMap { group in
      switch group.source {
      case .observed(let tracks): finder.contacts(in: tracks)
      case .known(let segments): finder.contacts(in: segments)
      }
    }.sorted(by: Contact.isListedBefore)
  }

  /// Says that no contact is found between fixes that are too far apart in time.
  static func warn(beyondGap count: Int, of intervals: Int, gap: TimeSpan) {
    guard count > 0 else { return }
    FileHandle.standardError.write(Data("cordon: \(beyondGap(count, of: intervals, gap: gap))\n".utf8))
  }

  private static func beyondGap(_ count: Int, of intervals: Int, gap: TimeSpan) -> String {
    let percent = (Double(count) / Double(max(intervals, 1)) * 10_000).rounded() / 100
    return "\(percent) % of the intervals are longer than \(gap); no contact is found in them"
  }

  /// Says on standard error what a user should know about the points.
  func warn(maximumGap: TimeSpan) {
    var lines: [String] = []
    if badRowCount > 0 {
      lines.append("\(badRowCount) rows could not be read:")
      lines += badRows.map { "  line \($0.line): \($0.reason)" }
      if badRowCount > badRows.count { lines.append("  and \(badRowCount - badRows.count) more") }
    }
    for group in groups {
      guard case .observed(let tracks) = group.source else { continue }
      let report = tracks.report
      let place = group.venue.isEmpty ? "" : "\(group.venue): "
      if report.intervalsBeyondGap > 0 {
        lines.append(place + ContactDataset.beyondGap(report.intervalsBeyondGap, of: report.intervals, gap: maximumGap))
      }
      if report.unusable > 0 { lines.append("\(place)\(report.unusable) points have impossible values") }
      if report.conflicting > 0 {
        lines.append(
          "\(place)\(report.conflicting) times a device was in two places at once; the more accurate fix was kept")
      }
    }
    guard !lines.isEmpty else { return }
    FileHandle.standardError.write(Data(lines.map { "cordon: \($0)\n" }.joined().utf8))
  }
}

extension ContactInput {
  /// Reads everything into memory.
  func load() throws -> ContactDataset {
    try MemoryForecast.check(path: path, format: format)
    let map = try venuePath.map { try ContactMap(venueAt: $0) }
    do {
      switch format {
      case .run: return try loadRun()
      case .workload: return try loadWorkload(map)
      case .jsonl: return try dataset(PointJSONLines.read(path: path, options: pointOptions(map)), map)
      case .csv, .auto: return try dataset(PointCSV.read(path: path, options: pointOptions(map)), map)
      }
    } catch let error as PointFileError {
      var failure = error.failure
      failure.file = path
      throw failure
    }
  }

  /// Points are projected to the frame of the map, when there is one.
  private func pointOptions(_ map: ContactMap?) -> PointFileOptions {
    var options = pointOptions
    if options.origin == nil { options.origin = map?.frame.origin }
    return options
  }

  private func dataset(_ table: PointTable, _ map: ContactMap?) throws -> ContactDataset {
    guard table.pointCount > 0 else {
      let reason = table.badRows.first.map { "; line \($0.line): \($0.reason)" } ?? ""
      throw Failure("holds no points\(reason)", code: "empty", file: path)
    }
    let groups = table.groups.map { group in
      ContactDataset.Group(
        venue: group.venue,
        source: .observed(
          ObservedTracks(
            group.points, accuracies: group.accuracies, stillUntil: group.stillUntil, maximumGap: maxGap.span)),
        frame: group.frame)
    }
    return ContactDataset(
      groups: groups, devices: table.devices, pointCount: table.pointCount, deviceCount: table.devices.count,
      badRows: table.badRows, badRowCount: table.badRowCount, map: map)
  }

  private func loadWorkload(_ map: ContactMap?) throws -> ContactDataset {
    let points = try WorkloadFile.read(path: path)
    let count = points.count
    let largest = points.reduce(-1) { max($0, Int($1.device)) }
    let tracks = ObservedTracks(points, maximumGap: maxGap.span)
    return ContactDataset(
      groups: [ContactDataset.Group(venue: "", source: .observed(tracks), frame: nil)],
      devices: largest < 10_000_000 ? (0..<(largest + 1)).map { String($0) } : [], pointCount: count,
      deviceCount: tracks.report.devices, map: map)
  }

  private func loadRun() throws -> ContactDataset {
    let run = try RunReader(path: path)
    let parameters = try run.parameters()
    let frame = LocalFrame(origin: parameters.frameOrigin)
    let people = try run.people()
    let names = people.enumerated().map { number, person in person.device?.rawValue ?? "person-\(number)" }
    let map = try venuePath.map { try ContactMap(venueAt: $0, frame: frame) } ?? ContactMap(try run.venue(), frame)
    if truth {
      let segments = try run.truth()
      guard !segments.isEmpty else { throw Failure("the run does not know the truth", code: "empty", file: path) }
      let group = ContactDataset.Group(venue: "", source: .known(segments), frame: frame)
      return ContactDataset(
        groups: [group], devices: names, pointCount: segments.count, deviceCount: Set(segments.map(\.device)).count,
        map: map)
    }
    let locations = try run.locations()
    let points = locations.map { location in
      let place = frame.projectRounded(location.coordinate)
      return TrackPoint(
        device: location.person, floor: location.floor, time: location.time, x: place.x, y: place.y)
    }
    let tracks = ObservedTracks(
      points, accuracies: locations.map { Float($0.accuracy) }, stillUntil: locations.map(\.stillUntil),
      maximumGap: maxGap.span)
    return ContactDataset(
      groups: [ContactDataset.Group(venue: "", source: .observed(tracks), frame: frame)], devices: names,
      pointCount: locations.count, deviceCount: tracks.report.devices, map: map)
  }
}
