internal import CContactKernel

/// A contact that may still go on: the exact ends, in nanoseconds since 1970.
struct OpenContact {
  var first: Int32
  var second: Int32
  var floor: Int32
  /// It may continue a contact of an earlier span of slabs that another thread worked on.
  var isHead: Bool
  var start: Int64
  var end: Int64
  var closest: Int64
  var squaredDistance: Double
  var x: Double
  var y: Double
  var dx: Float
  var dy: Float
  /// Nanoseconds with a wall between; negative when not asked.
  var obstructed: Int64
  /// Whether a wall was between in a piece of no length, which counts when the whole contact has none.
  var hasObstructedTouch = false

  /// Pieces whose gap is at most this long, in nanoseconds, are one contact.
  static let join: Int64 = 1_000

  /// The contact of a run that the kernel found.
  /// - Parameters:
  ///   - run: what it found.
  ///   - base: nanoseconds since 1970 at which the run's slab starts.
  ///   - floor: the floor of both.
  ///   - isHead: whether it may continue a contact of an earlier span.
  @inline(__always)
  init(_ run: cordon_contact_run, base: Int64, floor: Int32, isHead: Bool) {
    (first, second, self.floor, self.isHead) = (run.first, run.second, floor, isHead)
    (start, end, closest) = (base &+ run.start, base &+ run.end, base &+ run.closest)
    (squaredDistance, x, y, dx, dy) = (run.squared, run.x, run.y, Float(run.dx), Float(run.dy))
    obstructed = run.blocked < 0 ? run.blocked : run.blocked & (OpenContact.obstructedTouch &- 1)
    hasObstructedTouch = run.blocked >= OpenContact.obstructedTouch
  }

  /// `CORDON_CONTACT_BLOCKED_TOUCH` of the kernel.
  private static let obstructedTouch: Int64 = 1 << 52

  /// Takes in a piece of the same pair that comes at or after the end of this one.
  @inline(__always)
  mutating func append(_ other: OpenContact) {
    end = max(end, other.end)
    hasObstructedTouch = hasObstructedTouch || other.hasObstructedTouch
    if cordon_contact_is_nearer(other.squaredDistance, squaredDistance) != 0 {
      squaredDistance = other.squaredDistance
      closest = other.closest
      x = other.x
      y = other.y
      dx = other.dx
      dy = other.dy
    }
    if obstructed >= 0 { obstructed += max(other.obstructed, 0) }
  }

  /// Becomes one with a contact that touches it and has no piece in common with it, whichever came first.
  mutating func merge(_ other: OpenContact) {
    // Where two pieces meet both may be closest: the earlier one says it, as when they are found together.
    let isFarther = cordon_contact_is_nearer(squaredDistance, other.squaredDistance) != 0
    let isCloser =
      cordon_contact_is_nearer(other.squaredDistance, squaredDistance) != 0
      || (!isFarther && (other.closest, other.start) < (closest, start))
    start = min(start, other.start)
    end = max(end, other.end)
    hasObstructedTouch = hasObstructedTouch || other.hasObstructedTouch
    if obstructed >= 0 { obstructed += max(other.obstructed, 0) }
    guard isCloser else { return }
    squaredDistance = other.squaredDistance
    (closest, x, y, dx, dy) = (other.closest, other.x, other.y, other.dx, other.dy)
  }

  private var publishedObstruction: Int64 {
    if obstructed < 0 { return Contact.wallsNotAsked }
    let duration = Contact.microseconds(nanoseconds: end) - Contact.microseconds(nanoseconds: start)
    if duration == 0 { return hasObstructedTouch || obstructed > 0 ? 1 : 0 }
    return min(Contact.microseconds(nanoseconds: obstructed), duration)
  }

  /// The contact as it is published: whole microseconds.
  @inline(__always)
  var published: Contact {
    Contact(
      first: first, second: second, floor: floor, start: Contact.microseconds(nanoseconds: start),
      end: Contact.microseconds(nanoseconds: end), minimumDistance: squaredDistance.squareRoot(),
      minimumDistanceTime: Contact.microseconds(nanoseconds: closest), x: x, y: y, separationX: dx,
      separationY: dy,
      obstructed: publishedObstruction)
  }
}

/// The contacts of one floor that reach the end of the slab that was worked on last, found by pair.
struct OpenContacts {
  private(set) var entries: [OpenContact] = []
  private var index: [Int32] = []
  private var mask = 0
  /// The latest end, nanoseconds since 1970.
  private(set) var latestEnd = Int64.min / 2

  init(_ entries: [OpenContact] = []) {
    replace(by: entries)
  }

  mutating func replace(by entries: [OpenContact]) {
    var mine = entries
    swap(with: &mine)
  }

  /// Exchanges the entries, so that both arrays keep their room.
  mutating func swap(with other: inout [OpenContact]) {
    Swift.swap(&entries, &other)
    rebuild()
  }

  private mutating func rebuild() {
    var size = 16
    while size < entries.count * 2 { size *= 2 }
    if index.count < size || index.count > size * 16 {
      index = [Int32](repeating: -1, count: size)
    } else {
      size = index.count
      index.withUnsafeMutableBufferPointer { $0.update(repeating: -1) }
    }
    mask = size - 1
    let slots = mask
    let all = entries
    // Less the gap that is added where it is compared.
    var latest = Int64.min / 2
    index.withUnsafeMutableBufferPointer { index in
      all.withUnsafeBufferPointer { all in
        for k in all.indices {
          latest = max(latest, all[k].end)
          var slot = OpenContacts.hash(all[k].first, all[k].second) & slots
          while index[slot] >= 0 { slot = (slot + 1) & slots }
          index[slot] = Int32(truncatingIfNeeded: k)
        }
      }
    }
    latestEnd = latest
  }

  /// Prefetches the slot of the index where the search for a pair begins.
  @inline(__always)
  func prefetchIndex(_ first: Int32, _ second: Int32) {
    let slot = OpenContacts.hash(first, second) & mask
    index.withUnsafeBufferPointer { cordon_contact_prefetch($0.baseAddress.unsafelyUnwrapped + slot) }
  }

  /// Asks for the contact that is first in question for a pair.
  @inline(__always)
  func prefetchEntry(_ first: Int32, _ second: Int32) {
    let slot = OpenContacts.hash(first, second) & mask
    let k = index.withUnsafeBufferPointer { Int($0[slot]) }
    guard k >= 0 else { return }
    entries.withUnsafeBufferPointer { cordon_contact_prefetch($0.baseAddress.unsafelyUnwrapped + k) }
  }

  /// Joins `contact` to the open contact of its pair when the two touch; false when there is none.
  @inline(__always)
  mutating func join(_ contact: OpenContact) -> Bool {
    guard !entries.isEmpty else { return false }
    var slot = OpenContacts.hash(contact.first, contact.second) & mask
    while true {
      let k = Int(index[slot])
      guard k >= 0 else { return false }
      if entries[k].first == contact.first && entries[k].second == contact.second {
        guard contact.start <= entries[k].end &+ OpenContact.join else { return false }
        entries[k].append(contact)
        return true
      }
      slot = (slot &+ 1) & mask
    }
  }

  @inline(__always)
  private static func hash(_ first: Int32, _ second: Int32) -> Int {
    // Each number spreads over the upper half of the sum.
    let mixed =
      UInt64(UInt32(bitPattern: first)) &* 0x9e37_79b9_7f4a_7c15
      &+ UInt64(UInt32(bitPattern: second)) &* 0xc2b2_ae3d_27d4_eb4f
    return Int(truncatingIfNeeded: mixed >> 32)
  }
}
