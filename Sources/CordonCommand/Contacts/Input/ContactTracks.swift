import CordonCommandLine
import CordonContacts
import CordonCore
import CordonExchange
import CordonGeometry
import CordonRun
import CordonSupport
import CordonVenues
import Foundation

/// Tracks of an input, ready to be searched in windows of time: only the points of one window are in memory.
final class ContactTracks {
  /// A venue of the input; each is searched apart.
  struct Venue {
    var name: String
    var frame: LocalFrame?
  }

  /// The tracks of one window.
  struct Stretch {
    var feed: Feed
    /// Milliseconds.
    var start: Int64
    var end: Int64
    /// Whether it is the last one of its venue.
    var isLast = false
  }

  enum Feed {
    case observed(ObservedTracks)
    case known(SegmentWindows)
  }

  /// Where the points are.
  enum Source {
    case points(PointWindows)
    case workload(WorkloadWindows)
    case truth(RunReader)
  }

  /// How long windows are.
  struct Lengths {
    /// Milliseconds; not shorter.
    var least: Int64 = 0
    /// Windows begin and end at multiples, milliseconds.
    var multiple: Int64 = 1
    var points = 500_000
    /// How many threads may look at the points of a window.
    var threads = 1
  }

  let source: Source
  let venues: [Venue]
  /// The names of the devices, by index; empty when they are plain numbers.
  let devices: [String]
  /// The spaces and walls, when there is a map.
  let map: ContactMap?
  let maximumGap: TimeSpan
  /// The contact distance that a run was made with, metres; `nil` for other inputs.
  let runDistance: Double?
  /// The input, for messages.
  let path: String
  /// Points or segments so far.
  private(set) var pointCount = 0
  /// The report on the fixes of the windows that are joined so far.
  private(set) var report = ObservedTracks.Report()
  /// Of known segments.
  private(set) var rejected = RejectedSegments()
  private var seen = DeviceSet()

  init(
    _ source: Source, of input: ContactInput, venues: [Venue], devices: [String], map: ContactMap?,
    maximumGap: TimeSpan, runDistance: Double? = nil
  ) {
    self.source = source
    self.venues = venues
    self.devices = devices
    self.map = map
    self.maximumGap = maximumGap
    self.runDistance = runDistance
    path = input.name
  }

  /// Devices with a usable point so far.
  var deviceCount: Int {
    if case .workload(let windows) = source { return windows.deviceCount }
    return seen.count
  }

  /// Devices with a usable point so far, in rising order.
  var presentDevices: [Int32] {
    if case .workload(let windows) = source { return windows.devices }
    return seen.members
  }

  var badRows: [PointTable.BadRow] {
    if case .points(let windows) = source { return windows.badRows }
    return []
  }

  /// The assumptions made while reading, the number of rows out of order, and the columns.
  var reading: PointReading {
    if case .points(let windows) = source { return windows.reading }
    return PointReading()
  }

  var badRowCount: Int {
    if case .points(let windows) = source { return windows.badRowCount }
    return 0
  }

  /// How often a device was in two venues at once, and the first few times.
  var venueConflicts: (count: Int, listed: [(device: Int32, time: Int64)]) {
    guard case .points(let windows) = source else { return (0, []) }
    return (windows.venueConflicts, windows.listedVenueConflicts)
  }

  /// Whether the input is what a simulation knows, not what devices reported.
  var isTruth: Bool {
    if case .truth = source { return true }
    return false
  }

  /// The name of a device.
  func name(_ device: Int32) -> String {
    devices.indices.contains(Int(device)) ? devices[Int(device)] : String(device)
  }

  /// The name of a device for people: what a terminal would obey is escaped.
  func shownName(_ device: Int32) -> String { name(device).escapedForTerminal() }

  /// The index of a device by name.
  func index(of name: String) throws -> Int32 {
    if devices.isEmpty, let number = Int32(name), number >= 0 { return number }
    guard let index = devices.firstIndex(of: name) else {
      throw CommandError("no device \(name) in the input", code: "unknown-device")
    }
    return Int32(index)
  }

  /// Calls `body` with the tracks of a venue, window after window.
  /// - Parameters:
  ///   - keeping: since when points are needed after a window, besides those that the next one needs.
  ///   - whenRead: called between the reading of points and the joining of them.
  func forEach(
    of venue: Int, _ lengths: Lengths = Lengths(), keeping: () -> DeviceTimes? = { nil }, whenRead: () -> Void = {},
    _ body: (Stretch) throws -> Void
  ) throws {
    var lengths = lengths
    lengths.points = MemoryForecast.fitted(lengths.points)
    switch source {
    case .points(let windows):
      try forEach(windows, windows.venues[venue], lengths, keeping, whenRead, body)
    case .workload(let windows):
      try forEach(windows, lengths, whenRead, body)
    case .truth(let run):
      try forEach(run, lengths, whenRead, body)
    }
  }

  private func forEach(
    _ windows: PointWindows, _ venue: PointWindows.Venue, _ lengths: Lengths, _ keeping: () -> DeviceTimes?,
    _ whenRead: () -> Void, _ body: (Stretch) throws -> Void
  ) throws {
    if let span = windows.span {
      try MemoryForecast.check(
        points: windows.pointCount, over: span.upperBound - span.lowerBound, inWindowsOf: lengths.least,
        or: lengths.points, file: path)
    }
    var tracks = TrackWindows(maximumGap: maximumGap)
    let gap = maximumGap.milliseconds
    var start: Int64?
    try windows.forEach(of: venue, gap: gap, minimumLength: lengths.least, points: lengths.points) { window in
      whenRead()
      let joined = tracks.tracks(
        adding: window.points, accuracies: window.accuracies, stillUntil: window.stillUntil)
      note(window.points)
      let isLast = window.limit == .max
      // Whole multiples; the rest of the last one is a window's too.
      let from = start ?? window.start.flooredMultiple(of: lengths.multiple)
      let end = isLast ? window.end : window.end.flooredMultiple(of: lengths.multiple)
      guard end > from else { return true }
      try body(Stretch(feed: .observed(joined), start: from, end: end, isLast: isLast))
      tracks.release(before: end, keeping: keeping())
      start = end
      return true
    }
    report.add(tracks.report)
  }

  /// The middling time between two fixes of a device; of several venues the longest.
  func typicalInterval() throws -> TimeSpan {
    guard case .points(let windows) = source else { return .seconds(1) }
    return try windows.typicalInterval()
  }

  private func note(_ points: [TrackPoint]) {
    for point in points where point.floor != Segment.elsewhere {
      pointCount += 1
      if point.isUsable { seen.insert(point.device) }
    }
  }

  private func forEach(
    _ windows: WorkloadWindows, _ lengths: Lengths, _ whenRead: () -> Void, _ body: (Stretch) throws -> Void
  ) throws {
    pointCount = windows.pointCount
    report.points = windows.pointCount
    report.devices = windows.deviceCount
    report.intervals = windows.intervals
    report.intervalsBeyondGap = windows.intervalsBeyondGap
    let length = windows.span.upperBound - windows.span.lowerBound
    try MemoryForecast.check(
      points: windows.pointCount, over: length, inWindowsOf: lengths.least, or: lengths.points, file: path)
    let perPoint = windows.typicalInterval / Int64(max(windows.deviceCount, 1)) + 1
    let window = max(Int64(lengths.points) * perPoint, lengths.least, windows.typicalInterval * 4)
    try windows.forEach(length: window, gap: maximumGap.milliseconds) { window in
      whenRead()
      let tracks = ObservedTracks(window.points, maximumGap: maximumGap, threads: lengths.threads)
      try body(Stretch(feed: .observed(tracks), start: window.start, end: window.end))
      return true
    }
  }

  private func forEach(
    _ run: RunReader, _ lengths: Lengths, _ whenRead: () -> Void, _ body: (Stretch) throws -> Void
  ) throws {
    var windows = SegmentWindows()
    var fresh: [Segment] = []
    var (start, latest) = (Int64.max, Int64.min)
    let available = FreeMemory.bytes
    func flush(until end: Int64) throws {
      whenRead()
      windows.add(fresh)
      try body(Stretch(feed: .known(windows), start: start, end: end))
      windows.release(before: end)
      fresh.removeAll(keepingCapacity: true)
      start = end
    }
    try run.forEachTrueSegment { segment in
      if start == .max { start = segment.start }
      if fresh.count >= lengths.points, segment.start >= start + max(lengths.least, 1) {
        try flush(until: segment.start)
      }
      fresh.append(segment)
      if fresh.count % 1_024 == 0 {
        try MemoryForecast.check(segments: fresh.count, available: available, file: path)
      }
      latest = max(latest, segment.end)
      pointCount += 1
      if segment.device >= 0 { seen.insert(segment.device) }
      return true
    }
    // The last instant is a moment too.
    if !fresh.isEmpty { try flush(until: latest + 1) }
    rejected = windows.rejected
  }
}

extension PointWindows {
  /// The middling time between two fixes of a device, by the first window of each venue; of several venues the longest.
  func typicalInterval() throws -> TimeSpan {
    var longest: TimeSpan?
    for venue in venues {
      try forEach(of: venue, gap: ObservedTracks.defaultMaximumGap.milliseconds) { window in
        let tracks = ObservedTracks(window.points)
        if tracks.report.intervals > 0 { longest = max(longest ?? .zero, tracks.typicalInterval) }
        return false
      }
    }
    return longest ?? .seconds(1)
  }
}

extension ContactSession {
  /// Works on a window of an input.
  func run<Sink: ContactSink>(_ stretch: ContactTracks.Stretch, into sink: inout Sink) throws(Sink.Failure) {
    let (start, end) = (Instant(milliseconds: stretch.start), Instant(milliseconds: stretch.end))
    switch stretch.feed {
    case .observed(let tracks): try run(tracks, from: start, to: end, into: &sink)
    case .known(let segments): try run(segments, from: start, to: end, into: &sink)
    }
  }
}

extension ContactTracks.Stretch {
  /// The segments that begin in the window.
  var segments: [Segment] {
    switch feed {
    case .observed(let tracks): tracks.segments(beginningIn: start..<end)
    case .known(let windows): windows.segments(beginningIn: start..<end)
    }
  }
}

extension ObservedTracks.Report {
  fileprivate mutating func add(_ other: ObservedTracks.Report) {
    points += other.points
    devices += other.devices
    unusable += other.unusable
    duplicates += other.duplicates
    add(conflicting: other.conflicting, other.conflicts)
    conflictingAlike += other.conflictingAlike
    intervals += other.intervals
    intervalsBeyondGap += other.intervalsBeyondGap
    floorChanges += other.floorChanges
  }
}
