/// One number for each person, in memory of its own.
final class Column<Value> {
  let base: UnsafeMutablePointer<Value>
  let count: Int

  init(repeating value: Value, count: Int) {
    // Whole lines of the processor's cache: what one thread writes, no other has to fetch again.
    base = UnsafeMutableRawPointer.allocate(
      byteCount: (max(count, 1) * MemoryLayout<Value>.stride + 63) & ~63, alignment: 64
    ).bindMemory(to: Value.self, capacity: max(count, 1))
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

/// What changes with every step of somebody, and what others see of them: 64 bytes, one line of a processor's cache, so that
/// two threads that move two people never write the same one.
struct CrowdBody {
  var x = 0.0
  var y = 0.0
  /// Heading, a unit vector or zero.
  var headingX = 0.0
  var headingY = 0.0
  /// What was really walked in the last step, metres a second.
  var velocityX = 0.0
  var velocityY = 0.0
  var radius = 0.2
  /// Seconds of standing still on the way.
  var blocked: Float = 0
  var person: Int32 = -1
}

/// The state of everybody on one floor, a column for each quantity.
struct CrowdColumns {
  let bodies: Column<CrowdBody>
  let freeSpeed: Column<Double>
  /// Index of the mark headed for, and of the last one of the way, in the pool of marks; -1 for somebody who stays.
  let mark: Column<Int32>
  let lastMark: Column<Int32>
  /// Somebody to stay beside; -1 for nobody.
  let partner: Column<Int32>
  /// The next of those who walk together, the last of them leading to the first; -1 for people on their own.
  let next: Column<Int32>
  /// 0 on the floor and walking, 1 there, 2 not on the floor.
  let state: Column<UInt8>

  init(count: Int) {
    bodies = Column(repeating: CrowdBody(), count: count)
    for person in 0..<count { bodies.base[person].person = Int32(person) }
    freeSpeed = Column(repeating: 1.34, count: count)
    (mark, lastMark) = (Column(repeating: -1, count: count), Column(repeating: -1, count: count))
    (partner, next) = (Column(repeating: -1, count: count), Column(repeating: -1, count: count))
    state = Column(repeating: CrowdState.away, count: count)
  }
}

enum CrowdState {
  static let walking: UInt8 = 0
  static let staying: UInt8 = 1
  static let away: UInt8 = 2
}
