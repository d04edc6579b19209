/// A fixed-size array with one value per person, in an allocation of its own.
final class Column<Value> {
  let base: UnsafeMutablePointer<Value>
  let count: Int

  init(repeating value: Value, count: Int) {
    // The size is a multiple of the cache line, so that no two columns share a line.
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

/// The part of a person's state that changes with every step and that neighbours read.
///
/// It fills one cache line (64 bytes), so that two threads never write the same line.
struct CrowdBody {
  var x = 0.0
  var y = 0.0
  /// Heading: a unit vector, or zero.
  var headingX = 0.0
  var headingY = 0.0
  /// Velocity of the last step, in metres per second.
  var velocityX = 0.0
  var velocityY = 0.0
  var radius = 0.2
  /// Time for which the person has made no progress on the way, in seconds; at most 12.
  var blocked: Float = 0
  var person: Int32 = -1
}

/// The state of all people on one floor, with one column per quantity.
struct CrowdColumns {
  let bodies: Column<CrowdBody>
  let freeSpeed: Column<Double>
  /// Indices of the next and the last waypoint in the pool; -1 for a staying person.
  let mark: Column<Int32>
  let lastMark: Column<Int32>
  /// The person to walk beside; -1 for none.
  let partner: Column<Int32>
  /// The next member of the party, in a circle; -1 for a person without a party.
  let next: Column<Int32>
  /// The presence of each person, one of the values of ``CrowdState``.
  let state: Column<UInt8>
  /// The preferred place between two walls, from 0 (right) to 1 (left).
  let preference: Column<Double>
  /// The direction of the lane, a unit vector; zero where there is none.
  let lane: Column<SIMD2<Double>>
  /// The time for which a person who met others still keeps to one side, in seconds.
  let keeping: Column<Float>

  init(count: Int) {
    bodies = Column(repeating: CrowdBody(), count: count)
    for person in 0..<count { bodies.base[person].person = Int32(person) }
    freeSpeed = Column(repeating: 1.34, count: count)
    (mark, lastMark) = (Column(repeating: -1, count: count), Column(repeating: -1, count: count))
    (partner, next) = (Column(repeating: -1, count: count), Column(repeating: -1, count: count))
    state = Column(repeating: CrowdState.away, count: count)
    preference = Column(repeating: 0.5, count: count)
    lane = Column(repeating: .zero, count: count)
    keeping = Column(repeating: 0, count: count)
  }
}

enum CrowdState {
  static let walking: UInt8 = 0
  static let staying: UInt8 = 1
  static let away: UInt8 = 2
}
