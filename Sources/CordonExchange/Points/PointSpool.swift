internal import CordonContacts
internal import Foundation

/// Rows of points in order of venue and time, in memory while they are few and in a temporary file beyond.
///
/// The file consists of runs that are sorted each; whoever reads takes the beginnings of all runs together. It has no
/// name, so that nothing stays behind when the process ends, however it ends.
final class PointSpool {
  /// One row; 48 bytes.
  struct Record {
    var device: Int32
    var venue: Int32
    var floor: Int32
    /// Radius at 68 %, metres; NaN when unknown.
    var accuracy: Float
    /// Milliseconds.
    var time: Int64
    /// Until when the device rested there; not after `time` when it did not.
    var stillUntil: Int64
    /// As in the source: metres, or degrees of longitude.
    var x: Double
    var y: Double
  }

  /// The rows of one venue in one run.
  struct Part {
    var venue: Int32
    /// Places among all rows.
    var range: Range<Int>
    /// The times of every so many rows, from the first one on.
    var times: [Int64]
    /// The last time.
    var last: Int64
  }

  /// One of so many rows has its time noted in ``Part/times``.
  let markInterval: Int

  private(set) var parts: [Part] = []
  private(set) var count = 0
  private(set) var hasRests = false
  private(set) var hasAccuracies = false
  private let capacity: Int
  private var buffer: [Record] = []
  private var file: Int32 = -1

  /// - Parameter capacity: how many rows are held in memory.
  init(capacity: Int = 1 << 19) {
    self.capacity = max(capacity, 1)
    markInterval = min(max(capacity / 8, 1), 1_024)
  }

  deinit {
    if file >= 0 { close(file) }
  }

  /// Adds a row.
  @inline(__always)
  func add(_ record: Record) throws(PointFileError) {
    if buffer.count == capacity { try spill() }
    buffer.append(record)
    if record.stillUntil > record.time { hasRests = true }
    if !record.accuracy.isNaN { hasAccuracies = true }
  }

  /// The rows in the order in which they came; only while all are in memory and before ``finish()``.
  func takeUnsorted() -> [Record] {
    var taken: [Record] = []
    swap(&taken, &buffer)
    return taken
  }

  /// Ends the writing: what was added can be read now.
  func finish() throws(PointFileError) {
    if count > 0 {
      try spill()
      buffer = []
    } else {
      buffer = sorted()
      note(buffer)
    }
  }

  private func spill() throws(PointFileError) {
    guard !buffer.isEmpty else { return }
    let records = sorted()
    let place = count
    note(records)
    try write(records, at: place)
    buffer.removeAll(keepingCapacity: true)
  }

  /// Notes where the rows of each venue are in a run that is sorted.
  private func note(_ records: [Record]) {
    var begin = 0
    while begin < records.count {
      let venue = records[begin].venue
      var end = begin + 1
      while end < records.count, records[end].venue == venue { end += 1 }
      let times = stride(from: begin, to: end, by: markInterval).map { records[$0].time }
      parts.append(
        Part(venue: venue, range: (count + begin)..<(count + end), times: times, last: records[end - 1].time))
      begin = end
    }
    count += records.count
  }

  /// The buffer by venue and time; rows of one time stay in the order in which they came.
  private func sorted() -> [Record] {
    let records = buffer
    let isSorted = records.withUnsafeBufferPointer { rows in
      rows.indices.dropFirst().allSatisfy { (rows[$0 - 1].venue, rows[$0 - 1].time) <= (rows[$0].venue, rows[$0].time) }
    }
    if isSorted { return records }
    let earliest = records.reduce(Int64.max) { min($0, $1.time) }
    var keys = records.indices.map { k in
      TimeKey(time: UInt64(bitPattern: records[k].time &- earliest), row: UInt32(truncatingIfNeeded: k))
    }
    TimeKey.sort(&keys)
    let venues = Int(records.reduce(0) { max($0, $1.venue) }) + 1
    // Rows of one venue stay in the order of time.
    if venues > 1 {
      var starts = [Int](repeating: 0, count: venues + 1)
      for record in records { starts[Int(record.venue) + 1] += 1 }
      for k in 0..<venues { starts[k + 1] += starts[k] }
      var byVenue = keys
      for key in keys {
        let venue = Int(records[Int(key.row)].venue)
        byVenue[starts[venue]] = key
        starts[venue] += 1
      }
      keys = byVenue
    }
    return keys.map { records[Int($0.row)] }
  }

  /// The rows at some places.
  func read(_ range: Range<Int>) throws(PointFileError) -> [Record] {
    if file < 0 { return Array(buffer[range]) }
    let size = MemoryLayout<Record>.stride
    var done = 0
    let records = [Record](unsafeUninitializedCapacity: range.count) { rows, initialized in
      // No rows, no memory.
      guard let base = rows.baseAddress, !range.isEmpty else { return }
      let bytes = UnsafeMutableRawPointer(base)
      while done < range.count * size {
        let read = pread(file, bytes + done, range.count * size - done, off_t(range.lowerBound * size + done))
        guard read > 0 else { break }
        done += read
      }
      initialized = done / size
    }
    guard records.count == range.count else {
      throw PointFileError(.unreadable, "the temporary file cannot be read: \(String(cString: strerror(errno)))")
    }
    return records
  }

  /// Puts rows in the place of others.
  func replace(at place: Int, with records: [Record]) throws(PointFileError) {
    if file < 0 {
      buffer.replaceSubrange(place..<(place + records.count), with: records)
    } else {
      try write(records, at: place)
    }
  }

  private func write(_ records: [Record], at place: Int) throws(PointFileError) {
    if file < 0 { try open() }
    let isWritten = records.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let written = pwrite(
          file, bytes.baseAddress.unsafelyUnwrapped + done, bytes.count - done,
          off_t(place * MemoryLayout<Record>.stride + done))
        guard written > 0 else { return false }
        done += written
      }
      return true
    }
    guard isWritten else {
      throw PointFileError(
        .tooLarge,
        "the temporary file cannot be written: \(String(cString: strerror(errno))); name a larger folder with TMPDIR")
    }
  }

  private func open() throws(PointFileError) {
    let folder = FileManager.default.temporaryDirectory
    var name = Array(folder.appendingPathComponent("cordon-points-XXXXXX").path.utf8CString)
    file = mkstemp(&name)
    guard file >= 0 else {
      throw PointFileError(
        .unreadable, "no temporary file can be made in \(folder.path): \(String(cString: strerror(errno)))")
    }
    unlink(name)
    // No program that is started meanwhile gets hold of the rows.
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
  }
}

/// A time and whose it is, to sort by.
private struct TimeKey {
  var time: UInt64
  var row: UInt32

  /// Least significant digits first, which keeps the order of equal times.
  static func sort(_ keys: inout [TimeKey]) {
    let largest = keys.reduce(0) { max($0, $1.time) }
    var other = keys
    let bits = 11
    var shift = 0
    while shift < 64, largest >> UInt64(shift) > 0 {
      var starts = [Int](repeating: 0, count: (1 << bits) + 1)
      for key in keys { starts[Int(truncatingIfNeeded: key.time >> UInt64(shift)) & ((1 << bits) - 1) + 1] += 1 }
      for k in 0..<(1 << bits) { starts[k + 1] += starts[k] }
      keys.withUnsafeBufferPointer { keys in
        other.withUnsafeMutableBufferPointer { other in
          for key in keys {
            let digit = Int(truncatingIfNeeded: key.time >> UInt64(shift)) & ((1 << bits) - 1)
            other[starts[digit]] = key
            starts[digit] += 1
          }
        }
      }
      swap(&keys, &other)
      shift += bits
    }
  }
}
