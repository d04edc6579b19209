/// One number for each person, in memory of its own.
final class Column<Value> {
  let base: UnsafeMutablePointer<Value>
  let count: Int

  init(repeating value: Value, count: Int) {
    base = UnsafeMutablePointer<Value>.allocate(capacity: max(count, 1))
    base.initialize(repeating: value, count: max(count, 1))
    self.count = count
  }

  deinit {
    base.deinitialize(count: max(count, 1))
    base.deallocate()
  }

  @inline(__always)
  subscript(index: Int) -> Value {
    get { base[index] }
    set { base[index] = newValue }
  }
}

/// The state of everybody on one floor, a column for each quantity.
struct CrowdColumns {
  let x: Column<Double>
  let y: Column<Double>
  /// Heading, a unit vector or zero.
  let headingX: Column<Double>
  let headingY: Column<Double>
  /// What was really walked in the last step, metres a second.
  let velocityX: Column<Double>
  let velocityY: Column<Double>
  let freeSpeed: Column<Double>
  let radius: Column<Double>
  /// Index of the mark headed for, and of the last one of the way, in the pool of marks; -1 for somebody who stays.
  let mark: Column<Int32>
  let lastMark: Column<Int32>
  /// Seconds of standing still on the way.
  let blocked: Column<Float>
  /// Somebody to stay beside; -1 for nobody.
  let partner: Column<Int32>
  /// The next of those who walk together, the last of them leading to the first; -1 for people on their own.
  let next: Column<Int32>
  /// 0 on the floor and walking, 1 there, 2 not on the floor.
  let state: Column<UInt8>

  init(count: Int) {
    (x, y) = (Column(repeating: 0, count: count), Column(repeating: 0, count: count))
    (headingX, headingY) = (Column(repeating: 0, count: count), Column(repeating: 0, count: count))
    (velocityX, velocityY) = (Column(repeating: 0, count: count), Column(repeating: 0, count: count))
    (freeSpeed, radius) = (Column(repeating: 1.34, count: count), Column(repeating: 0.2, count: count))
    (mark, lastMark) = (Column(repeating: -1, count: count), Column(repeating: -1, count: count))
    (partner, next) = (Column(repeating: -1, count: count), Column(repeating: -1, count: count))
    (blocked, state) = (Column(repeating: 0, count: count), Column(repeating: CrowdState.away, count: count))
  }
}

enum CrowdState {
  static let walking: UInt8 = 0
  static let staying: UInt8 = 1
  static let away: UInt8 = 2
}
