import CordonCommandLine
import CordonConsole
import CordonContacts
import CordonCore
import CordonExchange
import CordonGeometry
import CordonOverlays
import CordonRun
import CordonSupport
import Foundation

extension ContactInput {
  /// Reads the input for windows of time: what does not fit goes to a temporary file.
  /// - Parameter sorted: whether a workload file that is sorted may be read where it lies; its windows know no earlier
  ///   points than they need.
  func open(readingInPlace sorted: Bool = false) throws -> ContactTracks {
    WindowMemory.keepsFreed()
    let map = try (format == .run ? nil : venuePath).map { try ContactMap(overlay.load($0).venue) }
    do {
      switch format {
      case .run: return try openRun()
      case .workload: return try openWorkload(map, sorted: sorted)
      case .jsonl, .csv, .arrow, .auto:
        try MemoryForecast.check(paths: paths, format: format)
        return try tracks(of: PointFiles.windows(pointFiles, options: pointOptions(map)), map)
      }
    } catch let error as PointFileError {
      var failure = error.commandError
      if failure.file == nil { failure.file = name }
      throw failure
    }
  }

  /// Points are projected to the frame of the map, when there is one.
  private func pointOptions(_ map: ContactMap?) -> PointFileOptions {
    var options = pointOptions
    if options.origin == nil { options.origin = map?.frame.origin }
    options.floors = map?.floorOrdinals ?? [:]
    return options
  }

  private func tracks(of windows: PointWindows, _ map: ContactMap?) throws -> ContactTracks {
    guard windows.pointCount > 0 else {
      let reason = windows.badRows.first.map { "; \($0.place): \($0.reason)" } ?? ""
      throw CommandError("holds no points\(reason)", code: "empty", file: name)
    }
    return ContactTracks(
      .points(windows), of: self, venues: windows.venues.map { ContactTracks.Venue(name: $0.name, frame: $0.frame) },
      devices: windows.devices, map: map, maximumGap: try gap(of: windows))
  }

  private func openWorkload(_ map: ContactMap?, sorted: Bool) throws -> ContactTracks {
    let path = name
    let venues = [ContactTracks.Venue(name: "", frame: map?.frame)]
    if sorted, let gap = try workloadGap(), let windows = try WorkloadWindows(path: path, gap: gap.milliseconds) {
      return ContactTracks(
        .workload(windows), of: self, venues: venues, devices: [], map: map, maximumGap: gap)
    }
    try MemoryForecast.check(paths: paths, format: format)
    let windows = try PointWindows(frame: map?.frame) { add in
      try WorkloadFile.forEach(path: path) { try add($0, .nan, .min) }
      return []
    }
    return ContactTracks(
      .points(windows), of: self, venues: venues, devices: [], map: map, maximumGap: try gap(of: windows))
  }

  /// The gap of a workload file that is read where it lies; `nil` when it is not sorted.
  private func workloadGap() throws -> TimeSpan? {
    guard case .auto = maximumGap else { return gap(chosenFrom: .zero) }
    return try WorkloadWindows(path: name).map { gap(chosenFrom: .milliseconds($0.typicalInterval)) }
  }

  private func gap(of windows: PointWindows, otherwise usual: TimeSpan = ObservedTracks.defaultMaximumGap) throws
    -> TimeSpan
  {
    guard case .auto = maximumGap else { return gap(chosenFrom: .zero, otherwise: usual) }
    return gap(chosenFrom: try windows.typicalInterval())
  }

  /// Returns the maximum gap of the option. An automatic gap follows from the typical interval between two fixes and is
  /// printed as a note.
  private func gap(
    chosenFrom interval: TimeSpan, otherwise usual: TimeSpan = ObservedTracks.defaultMaximumGap
  ) -> TimeSpan {
    switch maximumGap {
    case .span(let gap): return gap
    case nil: return usual
    case .auto:
      let gap = TimeSpan.milliseconds(interval.milliseconds * GapArgument.defaultIntervals)
      StandardOutput.note("cordon: --maximum-gap auto: \(gap), three times the typical interval\n")
      return gap
    }
  }

  private func openRun() throws -> ContactTracks {
    let path = name
    let run = try RunReader(path: path)
    let parameters = try run.parameters()
    let frame = LocalFrame(origin: parameters.frameOrigin)
    let names = try run.people().enumerated().map { number, person in person.device?.rawValue ?? "person-\(number)" }
    let map =
      try venuePath.map { try ContactMap(overlay.load($0).venue, frame: frame) } ?? ContactMap(run.venue(), frame)
    let venues = [ContactTracks.Venue(name: "", frame: frame)]
    if truth {
      var isEmpty = true
      try run.forEachTrueSegment { _ in
        isEmpty = false
        return false
      }
      if isEmpty { throw CommandError("the run has no true positions", code: "empty", file: path) }
      if case .auto = maximumGap {
        throw CommandError(
          "--maximum-gap auto needs fixes, and the truth has none; use --source observed", code: "usage")
      }
      return ContactTracks(
        .truth(run), of: self, venues: venues, devices: names, map: map,
        maximumGap: gap(chosenFrom: .zero, otherwise: parameters.maximumGap), runDistance: parameters.contactDistance)
    }
    // Phones store at least as many rows as the sink receives.
    if let stored = try? run.summary().accounting.stored { try MemoryForecast.check(rows: stored, file: path) }
    let windows = try PointWindows(frame: frame) { add in
      try run.forEachLocation { location in
        let place = frame.projectRounded(location.coordinate)
        let point = TrackPoint(
          device: location.person, floor: location.floor, time: location.time, x: place.x, y: place.y)
        let accuracy = Float(location.accuracy)
        try add(point, accuracy > 0 ? accuracy : .nan, location.stillUntil)
        return true
      }
      return names
    }
    return ContactTracks(
      .points(windows), of: self, venues: venues, devices: names, map: map,
      maximumGap: try gap(of: windows, otherwise: parameters.maximumGap), runDistance: parameters.contactDistance)
  }
}

extension ContactTracks {
  /// The contacts of several finders, each by start, devices and floor, from one reading. With several venues each is
  /// searched apart.
  func contacts(_ finders: [ContactFinder]) throws -> [[Contact]] {
    try gather(finders, countsOccupancy: false).contacts
  }

  /// The occupancy of each venue, from one reading.
  func occupancyCounts() throws -> [OccupancyCount<MapSpaces>] {
    try gather([], countsOccupancy: true).counts
  }

  /// Both at once, since standard input can be read but once.
  func gather(
    _ finders: [ContactFinder], countsOccupancy: Bool
  ) throws -> (contacts: [[Contact]], counts: [OccupancyCount<MapSpaces>]) {
    let room = MemoryBudget(file: path)
    var lists = finders.map { _ in ContactBuffer(room: room) }
    var counts: [OccupancyCount<MapSpaces>] = []
    for venue in venues.indices {
      let sessions = finders.map { ContactSession(finder: $0) }
      var count = OccupancyCount(in: map?.spaces)
      try forEach(of: venue) { stretch in
        for k in sessions.indices { try sessions[k].run(stretch, into: &lists[k]) }
        if countsOccupancy { count.add(stretch.segments) }
      }
      for k in sessions.indices { try sessions[k].finish(into: &lists[k]) }
      counts.append(count)
    }
    warn()
    // Where they are: there may be no room for them twice.
    for k in lists.indices { lists[k].contacts.sort(by: Contact.isListedBefore) }
    try checkThatPointsAreUsable()
    return (lists.map(\.contacts), counts)
  }

  /// - Throws: ``CommandError`` when points were read and none of them can be used.
  func checkThatPointsAreUsable() throws {
    guard pointCount > 0, deviceCount == 0 else { return }
    throw CommandError(
      "none of \(Counted.of(pointCount, "point")) is usable: places are at most 1e9 m from the origin, "
        + "times between July 1678 and June 2261", code: "empty", file: path)
  }

  /// Describes which fix was kept when a device had several places at one time.
  static func keptFixes(of report: ObservedTracks.Report) -> String {
    let alike = "the fix on the lowest known floor, of these the westernmost, was kept"
    if report.conflictingAlike == report.conflicting { return "nothing says which is right, so " + alike }
    let better = "the more accurate fix was kept"
    return report.conflictingAlike == 0
      ? better : better + "; of \(report.conflictingAlike) equally accurate ones " + alike
  }

  /// Says on standard error what a user should know about what was read.
  func warn() {
    var lines = reading.assumed
    if reading.outOfOrder > 0 {
      let rows = Counted.of(reading.outOfOrder, "row")
      lines.append("\(rows) after a later one of the device; the times decide, not the order of rows")
    }
    if badRowCount > 0 {
      lines.append("\(Counted.of(badRowCount, "row")) could not be read:")
      lines += badRows.map { "  \($0.place): \($0.reason)" }
      if badRowCount > badRows.count { lines.append("  and \(badRowCount - badRows.count) more") }
    }
    if report.intervalsBeyondGap > 0 {
      let percent = (report.shareBeyondGap * 10_000).rounded() / 100
      lines.append("\(percent) % of the intervals are longer than --maximum-gap (\(maximumGap)); they are left out")
    }
    if report.unusable > 0 {
      lines.append("\(Counted.of(report.unusable, "point")) \(report.unusable == 1 ? "has" : "have") impossible values")
    }
    if report.conflicting > 0 {
      lines.append(
        "\(Counted.of(report.conflicting, "time")) a device was in two places at once; "
          + "\(ContactTracks.keptFixes(of: report)):")
      lines += report.conflicts.map { "  \(shownName($0.device)) at \(Instant(milliseconds: $0.time).rfc3339)" }
      if report.conflicting > report.conflicts.count {
        lines.append("  and \(report.conflicting - report.conflicts.count) more")
      }
    }
    let (count, listed) = venueConflicts
    if count > 0 {
      lines.append("\(Counted.of(count, "time")) a device was in two venues at once:")
      lines += listed.map { "  \(shownName($0.device)) at \(Instant(milliseconds: $0.time).rfc3339)" }
      if count > listed.count { lines.append("  and \(count - listed.count) more") }
    }
    if rejected.overlapping > 0 {
      lines.append(
        "\(Counted.of(rejected.overlapping, "segment")) begin before an earlier one of their device ends and are left out"
      )
    }
    guard !lines.isEmpty else { return }
    StandardOutput.note(lines.map { "cordon: \($0)\n" }.joined())
  }
}

extension PointTable.BadRow {
  /// `line 3`, or `row 3` of Arrow; after the name of the file when there are several.
  var place: String { (file.map { "\($0): " } ?? "") + "\(isInBatches ? "row" : "line") \(line)" }
}
