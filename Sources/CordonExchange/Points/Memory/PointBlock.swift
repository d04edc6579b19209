internal import CordonContacts

/// Rows whose values are known and have no fault, column by column. A reader fills it, and a collector stores it.
final class PointBlock {
  /// How many rows it holds: few enough that all columns stay in the cache.
  static let capacity = 1 << 10

  /// Milliseconds.
  let times: UnsafeMutablePointer<Int64> = .allocate(capacity: PointBlock.capacity)
  let x: UnsafeMutablePointer<Double> = .allocate(capacity: PointBlock.capacity)
  let y: UnsafeMutablePointer<Double> = .allocate(capacity: PointBlock.capacity)
  let floors: UnsafeMutablePointer<Int32> = .allocate(capacity: PointBlock.capacity)
  /// NaN when unknown.
  let accuracies: UnsafeMutablePointer<Float> = .allocate(capacity: PointBlock.capacity)
  /// Milliseconds; `Int64.min` without a rest.
  let rests: UnsafeMutablePointer<Int64> = .allocate(capacity: PointBlock.capacity)
  /// Numbers of the collector.
  let devices: UnsafeMutablePointer<Int32> = .allocate(capacity: PointBlock.capacity)
  let venues: UnsafeMutablePointer<Int32> = .allocate(capacity: PointBlock.capacity)
  /// Numbers on their way to other columns.
  let numbers: UnsafeMutablePointer<Double> = .allocate(capacity: PointBlock.capacity)

  deinit {
    for column in [times, rests] { column.deallocate() }
    for column in [x, y, numbers] { column.deallocate() }
    for column in [floors, devices, venues] { column.deallocate() }
    accuracies.deallocate()
  }

  /// The row as a record.
  @inline(__always)
  func record(_ k: Int) -> PointSpool.Record {
    PointSpool.Record(
      device: devices[k], venue: venues[k], floor: floors[k], accuracy: accuracies[k], time: times[k],
      stillUntil: rests[k], x: x[k], y: y[k])
  }
}
