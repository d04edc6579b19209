/// The order of the rows of a run.
enum RunOrder {
  /// The numbers of the rows by venue and time, those of one time as they came; empty when that is how they lie.
  static func order(of records: UnsafeBufferPointer<PointSpool.Record>) -> [UInt32] {
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
    var order = [UInt32](repeating: 0, count: records.count)
    for key in keys {
      let venue = Int(records[Int(key.row)].venue)
      order[starts[venue]] = key.row
      starts[venue] += 1
    }
    return order
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
