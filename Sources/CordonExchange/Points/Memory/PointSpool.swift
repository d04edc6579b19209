internal import CordonContacts
internal import Foundation

/// Rows of points in order of venue and time, in memory while they are few and in a temporary file beyond.
///
/// The file consists of sorted runs; a reader merges the beginnings of all runs. It has no name, so that no file stays
/// behind when the process ends, however it ends.
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
    /// The times of the first row and of each row that follows ``PointSpool/markInterval`` rows later.
    var times: [Int64]
    /// The last time.
    var last: Int64
  }

  /// The number of rows from one entry of ``Part/times`` to the next.
  let markInterval: Int

  private(set) var parts: [Part] = []
  private(set) var count = 0
  private let capacity: Int
  private var file: Int32 = -1

  /// The rows in memory.
  private struct Buffer {
    /// The rows that are not written yet, as they came; in order once ``finish()`` has found them to be few.
    var rows: UnsafeMutablePointer<Record>
    var count = 0
    var room: Int
    var hasRests = false
    var hasAccuracies = false
  }

  // Behind a pointer: every row changes it, and Swift would check each access to a variable of a class.
  private let buffer: UnsafeMutablePointer<Buffer>

  /// Whether a row rests.
  var hasRests: Bool { buffer.pointee.hasRests }
  /// Whether a row has an accuracy.
  var hasAccuracies: Bool { buffer.pointee.hasAccuracies }

  private var rows: UnsafeMutablePointer<Record> {
    get { buffer.pointee.rows }
    set { buffer.pointee.rows = newValue }
  }

  private var rowCount: Int {
    get { buffer.pointee.count }
    set { buffer.pointee.count = newValue }
  }

  private var room: Int {
    get { buffer.pointee.room }
    set { buffer.pointee.room = newValue }
  }

  /// - Parameter capacity: how many rows are held in memory.
  init(capacity: Int = 1 << 19) {
    self.capacity = max(capacity, 1)
    markInterval = min(max(capacity / 8, 1), 1_024)
    let room = min(self.capacity, 1 << 10)
    buffer = .allocate(capacity: 1)
    buffer.initialize(to: Buffer(rows: .allocate(capacity: room), room: room))
  }

  deinit {
    rows.deallocate()
    buffer.deallocate()
    if file >= 0 { close(file) }
  }

  /// Adds a row.
  @inline(__always)
  func add(_ record: Record) throws(PointFileError) {
    if buffer.pointee.count == buffer.pointee.room { try makeRoom() }
    (buffer.pointee.rows + buffer.pointee.count).initialize(to: record)
    buffer.pointee.count &+= 1
    if record.stillUntil > record.time { buffer.pointee.hasRests = true }
    if !record.accuracy.isNaN { buffer.pointee.hasAccuracies = true }
  }

  @inline(never)
  private func makeRoom() throws(PointFileError) {
    guard room < capacity else { return try spill() }
    let larger = room > capacity / 2 ? capacity : room * 2
    let moved = UnsafeMutablePointer<Record>.allocate(capacity: larger)
    moved.moveInitialize(from: rows, count: rowCount)
    rows.deallocate()
    (rows, room) = (moved, larger)
  }

  /// Lends the rows in the order in which they came; only while all are in memory and before ``finish()``.
  func withUnsorted(_ body: (UnsafeBufferPointer<Record>) -> Void) {
    body(UnsafeBufferPointer(start: rows, count: rowCount))
  }

  /// Ends the writing: what was added can be read now.
  func finish() throws(PointFileError) {
    if count > 0 {
      try spill()
      rows.deallocate()
      (rows, room) = (.allocate(capacity: 1), 1)
    } else {
      let order = order()
      if !order.isEmpty {
        let sorted = UnsafeMutablePointer<Record>.allocate(capacity: max(rowCount, 1))
        for k in 0..<rowCount { (sorted + k).initialize(to: rows[Int(order[k])]) }
        rows.deallocate()
        (rows, room) = (sorted, max(rowCount, 1))
      }
      note([])
    }
  }

  /// Writes what is in memory to the file, in order.
  private func spill() throws(PointFileError) {
    guard rowCount > 0 else { return }
    let order = order()
    let place = count
    note(order)
    if order.isEmpty {
      try write(UnsafeRawBufferPointer(UnsafeBufferPointer(start: rows, count: rowCount)), at: place)
    } else {
      // A little at a time, so that what is put in order is still in the cache when it is written.
      let step = 1 << 12
      let part = UnsafeMutablePointer<Record>.allocate(capacity: step)
      defer { part.deallocate() }
      for begin in stride(from: 0, to: rowCount, by: step) {
        let size = min(step, rowCount - begin)
        for k in 0..<size { (part + k).initialize(to: rows[Int(order[begin + k])]) }
        try write(UnsafeRawBufferPointer(UnsafeBufferPointer(start: part, count: size)), at: place + begin)
      }
    }
    rowCount = 0
  }

  /// Notes where the rows of each venue are in a run, in the order given; empty when they are in order as they are.
  private func note(_ order: [UInt32]) {
    let row = { [rows = rows] (k: Int) -> UnsafeMutablePointer<Record> in rows + (order.isEmpty ? k : Int(order[k])) }
    var begin = 0
    while begin < rowCount {
      let venue = row(begin).pointee.venue
      var end = begin + 1
      while end < rowCount, row(end).pointee.venue == venue { end += 1 }
      let times = stride(from: begin, to: end, by: markInterval).map { row($0).pointee.time }
      parts.append(
        Part(venue: venue, range: (count + begin)..<(count + end), times: times, last: row(end - 1).pointee.time))
      begin = end
    }
    count += rowCount
  }

  /// The numbers of the rows by venue and time, those of one time as they came; empty when that is how they lie.
  private func order() -> [UInt32] {
    let records = UnsafeBufferPointer(start: rows, count: rowCount)
    guard let first = records.first else { return [] }
    var (isSorted, earliest, lastVenue) = (true, first.time, first.venue)
    var previous = (first.venue, first.time)
    for record in records {
      isSorted = isSorted && (record.venue, record.time) >= previous
      previous = (record.venue, record.time)
      earliest = min(earliest, record.time)
      lastVenue = max(lastVenue, record.venue)
    }
    if isSorted { return [] }
    var keys = records.indices.map { k in
      TimeKey(time: UInt64(bitPattern: records[k].time &- earliest), row: UInt32(truncatingIfNeeded: k))
    }
    TimeKey.sort(&keys)
    guard lastVenue > 0 else { return keys.map(\.row) }
    // Rows of one venue stay in the order of time.
    var starts = [Int](repeating: 0, count: Int(lastVenue) + 2)
    for record in records { starts[Int(record.venue) + 1] += 1 }
    for k in 0...Int(lastVenue) { starts[k + 1] += starts[k] }
    var order = [UInt32](repeating: 0, count: rowCount)
    for key in keys {
      let venue = Int(records[Int(key.row)].venue)
      order[starts[venue]] = key.row
      starts[venue] += 1
    }
    return order
  }

  /// The rows at some places.
  func read(_ range: Range<Int>) throws(PointFileError) -> [Record] {
    if file < 0 { return Array(UnsafeBufferPointer(start: rows + range.lowerBound, count: range.count)) }
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
      for (k, record) in records.enumerated() { rows[place + k] = record }
    } else {
      let outcome = records.withUnsafeBytes { bytes in
        Result { () throws(PointFileError) in try write(bytes, at: place) }
      }
      try outcome.get()
    }
  }

  private func write(_ bytes: UnsafeRawBufferPointer, at place: Int) throws(PointFileError) {
    if file < 0 { try open() }
    var done = 0
    while let base = bytes.baseAddress, done < bytes.count {
      let written = pwrite(
        file, base + done, bytes.count - done, off_t(place * MemoryLayout<Record>.stride + done))
      guard written > 0 else {
        throw PointFileError(
          .tooLarge,
          "the temporary file cannot be written: \(String(cString: strerror(errno))); name a larger folder with TMPDIR")
      }
      done += written
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
    let bits = 11
    let largest = keys.reduce(0) { max($0, $1.time) }
    var other = keys
    var starts = [Int](repeating: 0, count: (1 << bits) + 1)
    var shift: UInt64 = 0
    while shift < 64, largest >> shift > 0 {
      keys.withUnsafeBufferPointer { keys in
        other.withUnsafeMutableBufferPointer { other in
          starts.withUnsafeMutableBufferPointer { starts in
            starts.update(repeating: 0)
            for key in keys { starts[Int(truncatingIfNeeded: key.time &>> shift) & ((1 << bits) - 1) + 1] += 1 }
            for k in 0..<(1 << bits) { starts[k + 1] += starts[k] }
            for key in keys {
              let place = Int(truncatingIfNeeded: key.time &>> shift) & ((1 << bits) - 1)
              other[starts[place]] = key
              starts[place] += 1
            }
          }
        }
      }
      swap(&keys, &other)
      shift += UInt64(bits)
    }
  }
}
