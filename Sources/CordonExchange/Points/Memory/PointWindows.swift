package import CordonContacts
internal import CordonCore
package import CordonGeometry

/// Points of a source that was read once, handed out venue by venue in windows of time.
///
/// Few points are in memory; more are in a temporary file without a name, 48 bytes each, so that memory does not follow
/// the length of the record.
package final class PointWindows {
  /// A venue of the source.
  package struct Venue: Sendable {
    /// The venue's name; empty when the source names none.
    package let name: String
    /// The frame of the points; `nil` when the source gives metres.
    package let frame: LocalFrame?
    let number: Int32

    init(name: String, frame: LocalFrame?, number: Int32) {
      (self.name, self.frame, self.number) = (name, frame, number)
    }
  }

  /// The points of one window of time.
  package struct Window: Sendable {
    /// Those after the last window's ``limit`` and not after this one's, by time or nearly so.
    package var points: [TrackPoint] = []
    /// Radius at 68 % of each point, metres, NaN when unknown; empty when the source has none.
    package var accuracies: [Float] = []
    /// Until when each device rested, milliseconds; empty when the source has none.
    package var stillUntil: [Int64] = []
    /// Milliseconds.
    package let start: Int64
    /// Milliseconds. The last window ends a millisecond after the last point.
    package internal(set) var end: Int64
    /// Up to which time points were given, milliseconds: `end` and the gap.
    package let limit: Int64

    /// Makes room for as many points as the last window had, and a few more.
    fileprivate mutating func reserve(_ count: Int, accuracies hasAccuracies: Bool, rests hasRests: Bool) {
      let room = count + count / 8
      points.reserveCapacity(room)
      if hasAccuracies { accuracies.reserveCapacity(room) }
      if hasRests { stillUntil.reserveCapacity(room) }
    }
  }

  /// How many rows are held in memory, if nothing else is said: 200 MB.
  package static let rowsInMemory = 1 << 22
  /// How many rows are sorted together on their way to the temporary file: 25 MB.
  static let rowsOfRun = 1 << 19
  /// How many rows are sorted together while they stay in memory: 6 MB, so that they are in the cache meanwhile.
  static let rowsOfKeptRun = 1 << 17

  /// The names of the devices, sorted; a device's index is its place.
  package let devices: [String]
  /// The venues, by name.
  package let venues: [Venue]
  /// How many points there are.
  package var pointCount: Int { spool.count }
  /// Rows that could not be read, the first few.
  package let badRows: [PointTable.BadRow]
  /// How many rows could not be read.
  package let badRowCount: Int
  /// The assumptions of the reader, and the order of the rows.
  package let reading: PointReading
  let spool: PointSpool
  /// The times at which devices appeared in other venues. These rows have no position; ``Segment/elsewhere`` marks them.
  private(set) var absences = PointSpool(capacity: 1)
  /// How often a device was in two venues at once.
  package private(set) var venueConflicts = 0
  /// The first few times that a device was in two venues at once: the device's index, and milliseconds since 1970.
  package private(set) var listedVenueConflicts: [(device: Int32, time: Int64)] = []
  /// Whether the rows are degrees, which become metres of the venue's frame.
  private let isDegrees: Bool
  /// For each device of the spool its index.
  private let places: [Int32]
  /// The venues whose rests already end at the next point of the device.
  private var settled: Set<Int32> = []

  /// - Parameter travellers: the devices of the spool that were in several venues.
  init(
    _ spool: PointSpool, travellers: Set<Int32> = [], devices: [String], places: [Int32], venues: [Venue],
    badRows: [PointTable.BadRow] = [],
    badRowCount: Int = 0, reading: PointReading = PointReading(), isDegrees: Bool
  ) throws(PointFileError) {
    self.spool = spool
    self.isDegrees = isDegrees
    self.devices = devices
    self.places = places
    self.venues = venues
    self.badRows = badRows
    self.badRowCount = badRowCount
    self.reading = reading
    guard !travellers.isEmpty else { return }
    let found = try VenueChangeScan.run(travellers, spool, ends: windowEnds(spool.parts, least: 1, points: 500_000))
    absences = found.absences
    venueConflicts = found.conflicts
    listedVenueConflicts = found.listed.map { (places.isEmpty ? $0.device : places[Int($0.device)], $0.time) }
  }

  /// Takes points in metres of one venue, in any order.
  /// - Parameters:
  ///   - frame: the frame of the metres, when it is known.
  ///   - rowsInMemory: how many points are held in memory; more go to a temporary file.
  ///   - fill: gives the points to the closure that it is handed, each with its accuracy radius (NaN when unknown) and
  ///     until when the device rested there (`Int64.min` when it did not), and answers the names of the devices.
  package convenience init(
    frame: LocalFrame?, rowsInMemory: Int = PointWindows.rowsInMemory,
    fill: (_ add: (TrackPoint, Float, Int64) throws -> Void) throws -> [String]
  ) throws {
    let spool = PointSpool(capacity: min(rowsInMemory, PointWindows.rowsOfRun), memory: rowsInMemory)
    let devices = try fill { point, accuracy, still in
      try spool.add(
        PointSpool.Record(
          device: point.device, venue: 0, floor: point.floor, accuracy: accuracy, time: point.time, stillUntil: still,
          x: point.x, y: point.y))
    }
    try spool.finish()
    try self.init(
      spool, devices: devices, places: [], venues: [Venue(name: "", frame: frame, number: 0)], isDegrees: false)
  }

  /// From the first to the last time that can be used, milliseconds; `nil` without points.
  package var span: ClosedRange<Int64>? {
    guard let first = spool.parts.compactMap(\.times.first).min(), let last = spool.parts.map(\.last).max() else {
      return nil
    }
    return PointWindows.clamped(first)...PointWindows.clamped(last)
  }

  /// About how many bytes the points of the longest window take, which are held a few times while they are joined.
  /// - Parameters:
  ///   - points: how many there are in all, evenly spread.
  ///   - length: milliseconds from the first to the last one.
  ///   - least: windows are at least so long, milliseconds.
  ///   - perWindow: how many points a window has when it is longer than that.
  package static func memoryNeeded(points: Int, over length: Int64, inWindowsOf least: Int64, or perWindow: Int)
    -> Double
  {
    let share = min(max(Double(least), 0) / Double(max(length, 1)), 1)
    return min(Double(points), max(Double(points) * share, Double(perWindow))) * 300
  }

  /// Calls `body` with the windows of a venue in order of time, until it returns false.
  /// - Parameters:
  ///   - venue: one of ``venues``.
  ///   - gap: how much later than a window the points that it is given may be, milliseconds.
  ///   - minimumLength: windows are not shorter, milliseconds.
  ///   - points: about how many points a window has when it is longer than that.
  ///   - body: is given each window; false ends it.
  /// - Throws: ``PointFileError``, and what `body` throws.
  package func forEach(
    of venue: Venue, gap: Int64, minimumLength: Int64 = 0, points: Int = 500_000,
    _ body: (Window) throws -> Bool
  ) throws {
    let parts = spool.parts.filter { $0.venue == venue.number }
    guard let earliest = parts.compactMap(\.times.first).min() else { return }
    let ends = windowEnds(parts, least: max(minimumLength, 2 * min(gap, PointWindows.timeLimit)), points: points)
    if !ends.isEmpty, spool.hasRests, !settled.contains(venue.number) {
      try settleRests(parts, ends)
      settled.insert(venue.number)
    }
    var readers = parts.map { SpoolReader($0, of: parts.count) }
    let away = absences.parts.filter { $0.venue == venue.number }
    var absent = away.map { SpoolReader($0, of: away.count) }
    var start = PointWindows.clamped(earliest)
    var latest = start
    let frame = isDegrees ? venue.frame : nil
    var usual = min(points, spool.count)
    for k in 0...ends.count {
      let limit = k < ends.count ? ends[k] + min(gap, PointWindows.timeLimit) : Int64.max
      var window = Window(start: start, end: k < ends.count ? ends[k] : start, limit: limit)
      window.reserve(usual, accuracies: spool.hasAccuracies, rests: spool.hasRests)
      for r in readers.indices {
        try readers[r].take(through: limit, from: spool) { rows in
          latest = max(latest, append(rows, in: frame, to: &window))
        }
      }
      for r in absent.indices {
        try absent[r].take(through: limit, from: absences) { _ = append($0, in: frame, to: &window) }
      }
      // The last point is a moment too.
      if k == ends.count { window.end = latest + 1 }
      usual = window.points.count
      start = window.end
      guard try body(window) else { return }
    }
  }

  /// Adds rows to a window; answers the latest time that they say.
  private func append(
    _ rows: UnsafeBufferPointer<PointSpool.Record>, in frame: LocalFrame?, to window: inout Window
  ) -> Int64 {
    var latest = Int64.min
    places.withUnsafeBufferPointer { places in
      for row in rows {
        let device = places.isEmpty ? row.device : places[Int(row.device)]
        window.points.append(row.point(device: device, in: frame))
        latest = max(latest, row.time, row.stillUntil)
      }
    }
    if spool.hasAccuracies { for row in rows { window.accuracies.append(row.accuracy) } }
    if spool.hasRests { for row in rows { window.stillUntil.append(row.stillUntil) } }
    return PointWindows.clamped(latest)
  }

  /// Nanoseconds since 1970 fit 64 bits up to here.
  private static let timeLimit: Int64 = 9_200_000_000_000

  private static func clamped(_ time: Int64) -> Int64 { min(max(time, -timeLimit), timeLimit) }

  /// The ends of all windows but the last one, which ends with the points.
  private func windowEnds(_ parts: [PointSpool.Part], least: Int64, points: Int) -> [Int64] {
    let times = parts.flatMap(\.times).sorted()
    let step = max(points / spool.markInterval, 1)
    guard var start = times.first, times.count > step else { return [] }
    start = PointWindows.clamped(start)
    var ends: [Int64] = []
    for k in stride(from: step, to: times.count, by: step) {
      let time = PointWindows.clamped(times[k])
      guard time - start >= max(least, 1) else { continue }
      ends.append(time)
      start = time
    }
    return ends
  }

  /// Ends rests at the next point of the device, so that a window does not depend on points long after it.
  private func settleRests(_ parts: [PointSpool.Part], _ ends: [Int64]) throws(PointFileError) {
    var readers = parts.map { SpoolReader($0, of: parts.count) }
    var rests: [Int32: RestingRows] = [:]
    for limit in ends + [.max] {
      var slices: [SpoolReader.Slice] = []
      for k in readers.indices { slices += try readers[k].slices(through: limit, from: spool) }
      var order: [(time: Int64, slice: Int, row: Int)] = []
      for (number, slice) in slices.enumerated() {
        for (row, record) in slice.records.enumerated() { order.append((record.time, number, row)) }
      }
      if slices.count > 1 { order.sort { ($0.time, $0.slice, $0.row) < ($1.time, $1.slice, $1.row) } }
      for (time, number, row) in order {
        let record = slices[number].records[row]
        if let resting = rests[record.device], resting.time < time {
          rests[record.device] = nil
          for place in resting.places {
            if let slice = slices.firstIndex(where: { $0.range.contains(place) }) {
              slices[slice].cutRest(at: place, to: time)
            } else {
              var before = try spool.read(place..<(place + 1))
              before[0].stillUntil = min(before[0].stillUntil, time)
              try spool.replace(at: place, with: before)
            }
          }
        }
        if record.stillUntil > time {
          rests[record.device, default: RestingRows(time: time)].places.append(slices[number].range.lowerBound + row)
        }
      }
      for slice in slices where slice.isChanged { try spool.replace(at: slice.range.lowerBound, with: slice.records) }
    }
  }
}

/// The rows of a device's latest time that say that it rested on.
private struct RestingRows {
  var time: Int64
  var places: [Int] = []
}

/// Reads the rows of one part from the first one on.
struct SpoolReader {
  /// Rows that lie together.
  struct Slice {
    var range: Range<Int>
    var records: [PointSpool.Record]
    var isChanged = false

    mutating func cutRest(at place: Int, to time: Int64) {
      let row = place - range.lowerBound
      guard records[row].stillUntil > time else { return }
      records[row].stillUntil = time
      isChanged = true
    }
  }

  private var next: Int
  private let end: Int
  private var held: [PointSpool.Record] = []
  private var position = 0
  private let chunk: Int

  /// - Parameter parts: how many are read at the same time.
  init(_ part: PointSpool.Part, of parts: Int) {
    (next, end) = (part.range.lowerBound, part.range.upperBound)
    chunk = max(min((1 << 19) / max(parts, 1), 4_096), 64)
  }

  /// Calls `body` with the rows up to a time, some at a time.
  mutating func take(
    through limit: Int64, from spool: PointSpool, _ body: (UnsafeBufferPointer<PointSpool.Record>) -> Void
  ) throws(PointFileError) {
    guard !spool.isInMemory(next) else { return try takeFromMemory(through: limit, from: spool, body) }
    while try fill(from: spool) {
      let stop = max(held.partitionPoint { $0.time > limit }, position)
      if stop > position {
        held.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[position..<stop])) }
      }
      position = stop
      if position < held.count { return }
    }
  }

  /// The same for a part in memory, whose rows are not copied.
  private mutating func takeFromMemory(
    through limit: Int64, from spool: PointSpool, _ body: (UnsafeBufferPointer<PointSpool.Record>) -> Void
  ) throws(PointFileError) {
    while next < end {
      let range = next..<min(next + chunk, end)
      let taken = try spool.withRows(range) { rows in
        let taken = rows.partitionPoint { $0.time > limit }
        if taken > 0 { body(UnsafeBufferPointer(rebasing: rows[..<taken])) }
        return taken
      }
      next += taken
      if taken < range.count { return }
    }
  }

  /// The rows up to a time, as they lie.
  mutating func slices(through limit: Int64, from spool: PointSpool) throws(PointFileError) -> [Slice] {
    var found: [Slice] = []
    while try fill(from: spool) {
      let stop = max(held.partitionPoint { $0.time > limit }, position)
      if stop > position {
        let first = next - held.count
        found.append(
          Slice(range: (first + position)..<(first + stop), records: Array(held[position..<stop])))
      }
      position = stop
      if position < held.count { break }
    }
    return found
  }

  /// Sees to it that a row is there; false when there are no more.
  private mutating func fill(from spool: PointSpool) throws(PointFileError) -> Bool {
    guard position == held.count else { return true }
    guard next < end else { return false }
    let count = min(end - next, chunk)
    held = try spool.read(next..<(next + count))
    next += count
    position = 0
    return true
  }
}
