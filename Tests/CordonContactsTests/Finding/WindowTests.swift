import CordonCore
import CordonExchange
import CordonGeometry
import CordonTestSupport
import Foundation
import Testing

@testable import CordonContacts

/// Points in windows of time give the same contacts as all of them at once.
@Suite struct WindowTests {
  struct World: Sendable, CustomStringConvertible {
    var order = Order.time
    var resting = 0.0
    var repeated = 0.0
    /// Rows held in memory; the others are in a temporary file.
    var rows = 60
    var gap: Int64 = 30_000

    var description: String { "\(order) resting \(resting) repeated \(repeated) rows \(rows) gap \(gap)" }
  }

  enum Order: Sendable {
    case time, device, chance
  }

  static let worlds = [
    World(), World(order: .device), World(order: .chance), World(order: .chance, repeated: 0.2),
    World(resting: 0.3), World(order: .device, resting: 0.3), World(order: .chance, resting: 0.5, repeated: 0.2),
    World(order: .chance, resting: 0.3, rows: 1), World(rows: 100_000), World(order: .chance, gap: 400_000),
  ]

  /// Rows of CSV: eight devices in two venues for twenty minutes.
  private static func csv(_ world: World, seed: UInt64) -> String {
    var random = RandomStream(seed: seed, stream: 4)
    var rows: [(time: Int64, device: Int, text: String)] = []
    for device in 0..<8 {
      var (x, y) = (random.nextUnit() * 6, random.nextUnit() * 6)
      var time: Int64 = 1_700_000_000_000 + Int64(random.nextIndex(below: 9_000))
      var floor = "0"
      for _ in 0..<90 {
        let rest = random.nextUnit() < world.resting ? String(time + Int64(random.nextIndex(below: 300_000))) : ""
        let venue = device % 4 == 3 ? "south" : "north"
        let accuracy = (random.nextUnit() * 9).rounded() / 2
        let row = { (east: Double, accuracy: Double) in
          "d\(device),\(venue),\(time),\(east),\(y),\(floor),\(accuracy),\(rest)\n"
        }
        rows.append((time, device, row(x, accuracy)))
        if random.nextUnit() < world.repeated { rows.append((time, device, row(x + 1, accuracy - 0.25))) }
        (x, y) = (x + random.nextUnit() - 0.5, y + random.nextUnit() - 0.5)
        time += 1 + Int64(random.nextIndex(below: 20_000))
        if random.nextUnit() < 0.05 { floor = ["0", "1", ""][random.nextIndex(below: 3)] }
        if random.nextUnit() < 0.03 { time += 200_000 }
      }
    }
    switch world.order {
    case .time: rows.sort { ($0.time, $0.device) < ($1.time, $1.device) }
    case .device: break
    case .chance: for k in rows.indices.dropFirst().reversed() { rows.swapAt(k, random.nextIndex(below: k + 1)) }
    }
    return "device,venue,t_ms,x,y,floor,accuracy,still_until\n" + rows.map(\.text).joined()
  }

  /// Random rows hide that the devices are too fast for degrees.
  private var metres: PointFileOptions {
    var options = PointFileOptions()
    options.isMetres = true
    return options
  }

  @Test(arguments: worlds, 0..<2)
  func windowsGiveTheResultOfAllPoints(world: World, seed: Int) throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.write(WindowTests.csv(world, seed: UInt64(seed)), to: "points.csv")
    let table = try PointCSV.read(path: path, options: metres)
    let windows = try PointCSV.windows(path: path, options: metres, rowsInMemory: world.rows)
    #expect(windows.devices == table.devices && windows.pointCount == table.pointCount)
    #expect(windows.venues.map(\.name) == table.groups.map(\.venue))
    let gap = TimeSpan.milliseconds(world.gap)
    let finder = ContactFinder(distance: 2)
    for (group, venue) in zip(table.groups, windows.venues) {
      let all = ObservedTracks(
        group.points, accuracies: group.accuracies, stillUntil: group.stillUntil, maximumGap: gap)
      let expected = finder.contacts(in: all)
      var assessor = ContactAssessor(all, distance: 2)
      let assessed = expected.map { assessor.assess($0) }
      for (points, least) in [(1, 0), (150, 0), (1, 60_000), (100_000, 0)] as [(Int, Int64)] {
        var tracks = TrackWindows(maximumGap: gap)
        let session = ContactSession(finder: finder)
        var sink = AssessedList()
        var count = 0
        try windows.forEach(of: venue, gap: world.gap, minimumLength: least, points: points) { window in
          let joined = tracks.tracks(
            adding: window.points, accuracies: window.accuracies, stillUntil: window.stillUntil)
          if sink.assessor == nil { sink.assessor = ContactAssessor(joined, distance: 2) }
          sink.assessor?.move(to: joined)
          session.run(
            joined, from: Instant(milliseconds: window.start), to: Instant(milliseconds: window.end), into: &sink)
          tracks.release(before: window.end, keeping: session.openStarts)
          count += 1
          return true
        }
        session.finish(into: &sink)
        let found = sink.list.sorted { Contact.isListedBefore($0.contact, $1.contact) }
        #expect(found.map(\.contact) == expected, "\(world) seed \(seed) points \(points)")
        #expect(found == assessed, "\(world) seed \(seed) points \(points)")
        if world.rows < 100, points == 1, least == 0, world.gap < 100_000 { #expect(count > 3) }
        var report = all.report
        report.wasSorted = tracks.report.wasSorted
        #expect(tracks.report == report, "\(world) points \(points)")
      }
    }
  }

  @Test(arguments: worlds, [1_000, 15_000, 60_000] as [Int64])
  func sampledContactsAreTheSameInWindows(world: World, bucket: Int64) throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.write(WindowTests.csv(world, seed: 7), to: "points.csv")
    let table = try PointCSV.read(path: path, options: metres)
    let windows = try PointCSV.windows(path: path, options: metres, rowsInMemory: world.rows)
    let finder = SampledFinder(bucket: .milliseconds(bucket), rule: .within(metres: 3))
    let (group, venue) = (table.groups[0], windows.venues[0])
    let expected = finder.contacts(in: ObservedTracks(group.points, accuracies: group.accuracies))
    #expect(!expected.contacts.isEmpty)
    var tracks = TrackWindows()
    var session = SampledSession(finder)
    var found: [Contact] = []
    var start: Int64?
    try windows.forEach(of: venue, gap: 30_000, points: 1) { window in
      let joined = tracks.tracks(adding: window.points, accuracies: window.accuracies)
      let end = window.limit == .max ? window.end : window.end.flooredMultiple(of: bucket)
      let from = start ?? window.start.flooredMultiple(of: bucket)
      found += session.contacts(in: joined, from: from, to: end)
      tracks.release(before: end)
      start = end
      return true
    }
    found += session.finish()
    #expect(found == found.sorted(by: Contact.isClosedBefore))
    #expect(found.sorted(by: Contact.isListedBefore) == expected.contacts)
    #expect(session.pairTicks == expected.pairTicks)
  }

  @Test(arguments: worlds)
  func occupancyIsTheSameInWindows(world: World) throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.write(WindowTests.csv(world, seed: 9), to: "points.csv")
    let table = try PointCSV.read(path: path, options: metres)
    let windows = try PointCSV.windows(path: path, options: metres, rowsInMemory: world.rows)
    let gap = TimeSpan.milliseconds(world.gap)
    for (group, venue) in zip(table.groups, windows.venues) {
      let all = ObservedTracks(
        group.points, accuracies: group.accuracies, stillUntil: group.stillUntil, maximumGap: gap)
      let expected = Occupancy(of: all.segments(), in: Quarters())
      var tracks = TrackWindows(maximumGap: gap)
      var count = OccupancyCount(in: Quarters())
      var segments: [Segment] = []
      try windows.forEach(of: venue, gap: world.gap, points: 1) { window in
        let joined = tracks.tracks(
          adding: window.points, accuracies: window.accuracies, stillUntil: window.stillUntil)
        let fresh = joined.segments(beginningIn: window.start..<window.end)
        segments += fresh
        count.add(fresh)
        tracks.release(before: window.end)
        return true
      }
      #expect(segments.sorted(by: Segment.isSortedBefore) == all.segments().sorted(by: Segment.isSortedBefore))
      #expect(Occupancy(count).series == expected.series, "\(world)")
      #expect(
        Occupancy(count).indirectContacts(within: .minutes(5)) == expected.indirectContacts(within: .minutes(5)))
      #expect(expected.series.count > 3)
    }
  }

  @Test(arguments: 0..<4)
  func knownSegmentsAreTheSameInWindows(seed: Int) {
    let segments = RandomTracks(devices: 9, size: 12, unknown: 0.1).segments(seed: UInt64(seed))
    let finder = ContactFinder(distance: 2)
    let expected = finder.contacts(in: segments)
    let sorted = segments.sorted { $0.start < $1.start }
    for size in [1, 7, 100] {
      var windows = SegmentWindows()
      let session = ContactSession(finder: finder)
      var list = ContactList()
      var (begin, start) = (0, sorted[0].start)
      while begin < sorted.count {
        var next = min(begin + size, sorted.count)
        while next < sorted.count, sorted[next].start <= start { next += 1 }
        // All rows that begin before the end are in the window.
        while next < sorted.count, sorted[next].start == sorted[next - 1].start { next += 1 }
        let end = next < sorted.count ? sorted[next].start : sorted.map(\.end).max() ?? 0
        windows.add(Array(sorted[begin..<next]))
        session.run(windows, from: Instant(milliseconds: start), to: Instant(milliseconds: end), into: &list)
        windows.release(before: end)
        (begin, start) = (next, end)
      }
      session.finish(into: &list)
      #expect(list.contacts.sorted(by: Contact.isListedBefore) == expected, "seed \(seed) size \(size)")
    }
  }

  @Test func aFixAfterTheWindowCutsARestShort() throws {
    // Two people would sit together for ten minutes, but one is elsewhere after five; a third makes the windows
    // short.
    let windows = try PointWindows(frame: nil, rowsInMemory: 8) { add in
      try add(TrackPoint(device: 0, floor: 0, time: 0, x: 0, y: 0), .nan, 600_000)
      try add(TrackPoint(device: 1, floor: 0, time: 0, x: 1, y: 0), .nan, 600_000)
      try add(TrackPoint(device: 0, floor: 0, time: 300_000, x: 90, y: 0), .nan, .min)
      for k in 0..<120 {
        try add(TrackPoint(device: 2, floor: 0, time: Int64(k) * 5_000, x: 500, y: 0), .nan, .min)
      }
      return []
    }
    var tracks = TrackWindows(maximumGap: .seconds(5))
    let session = ContactSession(finder: ContactFinder(distance: 2))
    var list = ContactList()
    var count = 0
    try windows.forEach(of: windows.venues[0], gap: 5_000, points: 1) { window in
      let joined = tracks.tracks(adding: window.points, stillUntil: window.stillUntil)
      session.run(
        joined, from: Instant(milliseconds: window.start), to: Instant(milliseconds: window.end), into: &list)
      tracks.release(before: window.end)
      count += 1
      return true
    }
    session.finish(into: &list)
    #expect(count > 10)
    #expect(list.contacts.map(\.duration) == [300_000_000])
  }

  /// A point whose rest ends in a window is kept for a contact that continues, and for the last moment of its rest.
  /// That moment is in the next window when the rest ends where that window begins.
  @Test func aPointIsKeptForAnOpenContact() {
    for (end, isOpen, kept) in [(10_000, false, 1), (10_000, true, 1), (10_001, false, 0), (10_001, true, 1)]
      as [(Int64, Bool, Int)]
    {
      var tracks = TrackWindows(maximumGap: .seconds(5))
      _ = tracks.tracks(
        adding: [TrackPoint(device: 3, floor: 0, time: 0, x: 0, y: 0)], stillUntil: [10_000])
      var starts = DeviceTimes(devices: [3])
      if isOpen { starts.lower(3, to: 5_000) }
      tracks.release(before: end, keeping: starts)
      #expect(tracks.tracks(adding: []).points.count == kept)
    }
  }

  @Test func aStayOverManyWindowsIsHeldOnce() {
    var count = OccupancyCount(in: Quarters())
    for k in 0..<50 as Range<Int64> {
      count.add([Segment(device: 1, floor: 0, start: k * 1_000, end: k * 1_000 + 1_000, x0: 1, y0: 1, x1: 1, y1: 1)])
    }
    #expect(count.presences.mapValues(\.count) == [.floor(0): 1, .space(0): 1])
  }

  @Test func longSlabsNeedMoreMemoryThanShortOnes() {
    let needed = { (slab: Int64) in
      PointWindows.memoryNeeded(points: 1_000_000_000, over: 86_400_000 * 100, inWindowsOf: slab, or: 500_000)
    }
    #expect(needed(0) == 150e6)
    #expect(needed(86_400_000) == 3e9)
    #expect(needed(86_400_000 * 1_000) == 300e9)
    #expect(PointWindows.memoryNeeded(points: 10, over: 0, inWindowsOf: 0, or: 500_000) == 3_000)
  }

  @Test func memoryHoldsDevicesAndNotTheRecord() throws {
    // Ten devices for four hours: of 14 400 points memory holds at most a window, its gap and one for each device.
    var tracks = TrackWindows(maximumGap: .seconds(5))
    let windows = try PointWindows(frame: nil, rowsInMemory: 500) { add in
      for k in 0..<1_440 {
        for device in 0..<10 {
          try add(
            TrackPoint(device: Int32(device), floor: 0, time: Int64(k) * 10_000, x: Double(device), y: 0), .nan, .min)
        }
      }
      return []
    }
    var most = 0
    try windows.forEach(of: windows.venues[0], gap: 5_000, points: 1) { window in
      most = max(most, tracks.tracks(adding: window.points).points.count)
      tracks.release(before: window.end)
      return true
    }
    #expect(tracks.report.points == 14_400)
    #expect(most < 300, "\(most)")
  }
}

/// Four spaces on every known floor.
private struct Quarters: SpaceLocator {
  var spaceCount: Int { 4 }

  func space(floor: Int32, x: Double, y: Double) -> Int? {
    floor == Segment.unknownFloor ? nil : (x < 3 ? 0 : 1) + (y < 3 ? 0 : 2)
  }
}

/// Assesses contacts as they close.
private struct AssessedList: ContactSink {
  var assessor: ContactAssessor?
  var list: [ProbableContact] = []
  var needsOrder: Bool { true }

  mutating func receive(_ contacts: [Contact]) {
    for contact in contacts { if let assessed = assessor?.assess(contact) { list.append(assessed) } }
  }
}
