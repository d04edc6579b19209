internal import CordonContacts
internal import Foundation

/// Rows of points in order of venue and time, in memory while they are few and in a temporary file beyond.
///
/// Rows lie in sorted runs, the first of which stay in memory; a reader merges the beginnings of all runs. The file has no name, so
/// that no file stays behind when the process ends, however it ends.
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
  /// The number of rows of a run that stays in memory.
  private let keptCapacity: Int
  /// How many rows may be in memory.
  private let memory: Int
  /// Runs of `keptCapacity` rows that stay in memory, in order.
  private var runs: [UnsafeMutablePointer<Record>] = []
  /// How many rows are in `runs`.
  private var keptCount = 0
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

  /// - Parameters:
  ///   - capacity: how many rows a run in the file has; `Int.max` keeps all rows in memory.
  ///   - memory: how many rows are held in memory, at least one run.
  ///   - keptCapacity: how many rows a run in memory has.
  init(capacity: Int = 1 << 19, memory: Int = 0, keptCapacity: Int = PointWindows.rowsOfKeptRun) {
    self.capacity = max(capacity, 1)
    self.keptCapacity = capacity == .max ? .max : min(max(keptCapacity, 1), self.capacity)
    self.memory = memory
    markInterval = min(max(capacity / 8, 1), 1_024)
    let room = min(self.keptCapacity, 1 << 10)
    buffer = .allocate(capacity: 1)
    buffer.initialize(to: Buffer(rows: .allocate(capacity: room), room: room))
  }

  deinit {
    rows.deallocate()
    for run in runs { run.deallocate() }
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

  /// Adds the rows of a block.
  func add(_ block: PointBlock, count: Int) throws(PointFileError) {
    var (hasRests, hasAccuracies) = (false, false)
    for k in 0..<count {
      hasRests = hasRests || block.rests[k] > block.times[k]
      hasAccuracies = hasAccuracies || !block.accuracies[k].isNaN
    }
    if hasRests { buffer.pointee.hasRests = true }
    if hasAccuracies { buffer.pointee.hasAccuracies = true }
    var first = 0
    while first < count {
      if rowCount == room { try makeRoom() }
      let step = min(count - first, room - rowCount)
      let rows = rows + rowCount
      for k in 0..<step { (rows + k).initialize(to: block.record(first + k)) }
      rowCount += step
      first += step
    }
  }

  /// Memory for `count` rows, in large pages where the system has some.
  private static func rows(_ count: Int) -> UnsafeMutablePointer<Record> {
    let rows = UnsafeMutablePointer<Record>.allocate(capacity: count)
    LargePages.ask(for: UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(start: rows, count: count)))
    return rows
  }

  @inline(never)
  private func makeRoom() throws(PointFileError) {
    if room == keptCapacity, file < 0, keptCount + rowCount + capacity <= memory { return keep(order()) }
    guard room < capacity else { return try spill() }
    let next = room < keptCapacity ? keptCapacity : capacity
    let larger = room > next / 2 ? next : room * 2
    let moved = PointSpool.rows(larger)
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
    if file >= 0 {
      try spill()
      rows.deallocate()
      (rows, room) = (.allocate(capacity: 1), 1)
    } else {
      let order = order()
      if !order.isEmpty {
        let sorted = PointSpool.rows(max(rowCount, 1))
        for k in 0..<rowCount { (sorted + k).initialize(to: rows[Int(order[k])]) }
        rows.deallocate()
        (rows, room) = (sorted, max(rowCount, 1))
      }
      note([])
    }
  }

  /// Ends a run: writes it to the file.
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

  /// Keeps the run in memory, and begins another one.
  private func keep(_ order: [UInt32]) {
    note(order)
    let other = PointSpool.rows(keptCapacity)
    keptCount += rowCount
    if order.isEmpty {
      runs.append(rows)
      rows = other
    } else {
      for k in 0..<rowCount { (other + k).initialize(to: rows[Int(order[k])]) }
      runs.append(other)
    }
    (rowCount, room) = (0, keptCapacity)
  }

  /// Rows in memory from a place on, up to the end of their run; `nil` for rows that are in the file.
  private func kept(_ place: Int) -> UnsafeMutableBufferPointer<Record>? {
    guard place < keptCount else { return nil }
    let (run, first) = place.quotientAndRemainder(dividingBy: keptCapacity)
    return UnsafeMutableBufferPointer(start: runs[run] + first, count: min(keptCapacity - first, keptCount - place))
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

  private func order() -> [UInt32] { RunOrder.order(of: UnsafeBufferPointer(start: rows, count: rowCount)) }

  /// Whether the part of a place is in memory; known after ``finish()``.
  func isInMemory(_ place: Int) -> Bool { place < keptCount || file < 0 }

  /// Lends the rows at some places of one part.
  func withRows<Value>(
    _ range: Range<Int>, _ body: (UnsafeBufferPointer<Record>) throws(PointFileError) -> Value
  ) throws(PointFileError) -> Value {
    if let kept = kept(range.lowerBound), kept.count >= range.count {
      return try body(UnsafeBufferPointer(rebasing: kept[..<range.count]))
    }
    if file < 0 {
      return try body(UnsafeBufferPointer(start: rows + (range.lowerBound - keptCount), count: range.count))
    }
    let records = try read(range)
    let outcome = records.withUnsafeBufferPointer { rows in
      Result { () throws(PointFileError) in try body(rows) }
    }
    return try outcome.get()
  }

  /// The rows at some places of one part.
  func read(_ range: Range<Int>) throws(PointFileError) -> [Record] {
    if let kept = kept(range.lowerBound), kept.count >= range.count { return Array(kept[..<range.count]) }
    if file < 0 {
      return Array(UnsafeBufferPointer(start: rows + (range.lowerBound - keptCount), count: range.count))
    }
    let size = MemoryLayout<Record>.stride
    let first = range.lowerBound - keptCount
    var done = 0
    let records = [Record](unsafeUninitializedCapacity: range.count) { rows, initialized in
      // No rows, no memory.
      guard let base = rows.baseAddress, !range.isEmpty else { return }
      let bytes = UnsafeMutableRawPointer(base)
      while done < range.count * size {
        let read = pread(file, bytes + done, range.count * size - done, off_t(first * size + done))
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

  /// Puts rows in the place of others of one part.
  func replace(at place: Int, with records: [Record]) throws(PointFileError) {
    if let kept = kept(place), kept.count >= records.count {
      for (k, record) in records.enumerated() { kept[k] = record }
    } else if file < 0 {
      for (k, record) in records.enumerated() { rows[place - keptCount + k] = record }
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
        file, base + done, bytes.count - done, off_t((place - keptCount) * MemoryLayout<Record>.stride + done))
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
