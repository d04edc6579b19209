internal import CordonContacts
internal import CordonCore

/// Rows in blocks: each column is converted in a loop of its own, and a block is stored when none of its rows has a fault.
///
/// A block that is refused here is read again row by row, with the same numbers for devices and the same words for faults.
extension ArrowPointReader {
  /// Stores rows of a batch.
  /// - Returns: false, with nothing stored and no number given, when a row has a fault or a column needs the reading row by row.
  mutating func addBlock(
    _ rows: Range<Int>, _ columns: ArrowPoints.Columns, _ clock: ArrowPoints.Clock, _ restClock: ArrowPoints.Clock
  ) throws -> Bool {
    guard let reader = collector.reader, !reader.isSuspicious, fill(rows, columns, clock, restClock),
      isInRange(rows.count, latitudeLimit: reader.degreeLimit)
    else { return false }
    // Both, before either gets a number: each number has a row.
    guard try hasNames(columns.device, rows, block.devices), try hasNames(columns.venue, rows, block.venues) else {
      return false
    }
    try number(columns.device, rows, isVenue: false)
    try number(columns.venue, rows, isVenue: true)
    try collector.store(block, count: rows.count)
    return true
  }

  /// Converts the columns of numbers; false when a column has another type than these loops read.
  private func fill(
    _ rows: Range<Int>, _ columns: ArrowPoints.Columns, _ clock: ArrowPoints.Clock, _ restClock: ArrowPoints.Clock
  ) -> Bool {
    // A missing time is outside of the range.
    guard clock.isZoned, columns.time.copy(rows, dividedBy: clock.divisor, missing: .max, to: block.times),
      columns.x.copy(rows, to: block.x), columns.y.copy(rows, to: block.y)
    else { return false }
    if let rests = columns.stillUntil {
      guard restClock.isZoned, rests.copy(rows, dividedBy: restClock.divisor, missing: .min, to: block.rests) else {
        return false
      }
    } else {
      block.rests.update(repeating: .min, count: rows.count)
    }
    if let accuracies = columns.accuracy {
      guard accuracies.copy(rows, to: block.numbers) else { return false }
      for k in 0..<rows.count { block.accuracies[k] = block.numbers[k] > 0 ? Float(block.numbers[k]) : .nan }
    } else {
      block.accuracies.update(repeating: .nan, count: rows.count)
    }
    return fill(floors: columns.floor, rows)
  }

  private func fill(floors column: ArrowColumn?, _ rows: Range<Int>) -> Bool {
    guard let column else {
      block.floors.update(repeating: Segment.unknownFloor, count: rows.count)
      return true
    }
    guard column.copy(rows, to: block.numbers) else { return false }
    for k in 0..<rows.count {
      let number = block.numbers[k]
      if number.isNaN {
        block.floors[k] = Segment.unknownFloor
      } else if let floor = PointRowReader.floor(number) {
        block.floors[k] = floor
      } else {
        return false
      }
    }
    return true
  }

  /// Whether all times and places can be used.
  private func isInRange(_ count: Int, latitudeLimit: Double?) -> Bool {
    let (x, y) = latitudeLimit.map { (180.0, $0) } ?? (Double.greatestFiniteMagnitude, Double.greatestFiniteMagnitude)
    var isInRange = true
    for k in 0..<count {
      let isHere = abs(block.x[k]) <= x && abs(block.y[k]) <= y
      let isThen = block.times[k] <= PointRowReader.timeLimit && block.times[k] >= -PointRowReader.timeLimit
      isInRange = isInRange && isHere && isThen
    }
    return isInRange
  }

  /// Notes the indices of names in `numbers`; false when a row has no name, or they are not texts.
  private func hasNames(
    _ column: ArrowColumn?, _ rows: Range<Int>, _ numbers: UnsafeMutablePointer<Int32>
  ) throws -> Bool {
    guard let column else { return true }
    let isDevice = numbers == block.devices
    guard let dictionary = column.dictionary else {
      guard column.isText else { return false }
      for row in rows where isDevice {
        if try column.bytes(row).isEmpty { return false }
      }
      return true
    }
    guard column.copyIndices(rows, to: numbers) else { return false }
    let known = isDevice ? deviceNumbers : venueNumbers
    for k in 0..<rows.count where known[Int64(numbers[k])] < 0 {
      // A missing venue has no name, a device needs one; an index outside of the dictionary is a fault of its row.
      guard numbers[k] >= 0, Int(numbers[k]) < dictionary.count else { return false }
      if isDevice, try dictionary.bytes(Int(numbers[k])).isEmpty { return false }
    }
    return true
  }

  /// Replaces indices by numbers of the collector; names get theirs in the order of rows.
  private mutating func number(_ column: ArrowColumn?, _ rows: Range<Int>, isVenue: Bool) throws {
    let numbers = isVenue ? block.venues : block.devices
    guard let column else {
      return numbers.update(repeating: number(named: [], isVenue), count: rows.count)
    }
    guard column.dictionary != nil else {
      for (k, row) in rows.enumerated() { numbers[k] = try fresh(column, row, isVenue) }
      return
    }
    for k in 0..<rows.count {
      let index = Int64(numbers[k])
      let known = isVenue ? venueNumbers[index] : deviceNumbers[index]
      if known >= 0 {
        numbers[k] = known
        continue
      }
      numbers[k] = try fresh(column, rows.lowerBound + k, isVenue)
      if isVenue { venueNumbers[index] = numbers[k] } else { deviceNumbers[index] = numbers[k] }
    }
  }
}
