/// Finds who was within a distance of whom, on the same floor, from when to when.
///
/// ```swift
/// let contacts = ContactFinder(distance: 2).contacts(in: segments)
/// ```
///
/// Positions between the ends of a segment are linear in time, the boundary belongs to the contact
/// (distance <= `distance`), and the instants at which two devices come into or go out of reach are
/// the exact roots of their relative motion. A contact needs a stretch of time in which both devices
/// have a segment; within it, a mere touch counts, with a length of zero. Pieces whose gap is at most a
/// microsecond are one contact.
public struct ContactFinder: Hashable, Sendable {
  /// What to do with segments whose floor is not known.
  public enum UnknownFloors: String, Hashable, Sendable, CaseIterable {
    /// They are in contact with nobody.
    case never
    /// They may be on any floor: contacts are found in the plane and carry ``Segment/unknownFloor``.
    case flagged
  }

  /// The contact distance in metres, 0 or more.
  public var distance: Double
  /// What to do with segments whose floor is not known.
  public var unknownFloors: UnknownFloors
  /// How many threads to use, 1 or more. The answer does not depend on it.
  public var threads: Int

  /// A finder for contacts within `distance` metres.
  public init(distance: Double = 2, unknownFloors: UnknownFloors = .flagged, threads: Int = 1) {
    self.distance = distance
    self.unknownFloors = unknownFloors
    self.threads = threads
  }

  /// The contacts of `segments`, which may come in any order, listed by start, devices and floor.
  public func contacts(in segments: [Segment]) -> [Contact] {
    var pieces: [Piece] = []
    let byStart = segments.filter { $0.end > $0.start && $0.device >= 0 }.sorted { $0.start < $1.start }
    var active: [Segment] = []
    let limit = distance * distance
    for segment in byStart {
      active.removeAll { $0.end <= segment.start }
      for other in active {
        if let piece = piece(of: other, and: segment, within: limit) { pieces.append(piece) }
      }
      active.append(segment)
    }
    return merged(pieces)
  }

  private struct Piece {
    var contact: Contact
    var start: Int64
    var end: Int64
    var squaredDistance: Double
  }

  private func piece(of one: Segment, and two: Segment, within limit: Double) -> Piece? {
    guard one.device != two.device else { return nil }
    let isUnknown = one.floor == Segment.unknownFloor || two.floor == Segment.unknownFloor
    guard one.floor == two.floor || isUnknown, !(isUnknown && unknownFloors == .never) else { return nil }
    let (a, b) = one.device < two.device ? (one, two) : (two, one)
    let start = max(a.start, b.start)
    let end = min(a.end, b.end)
    guard end > start else { return nil }
    let ka = 1 / Double(a.end - a.start)
    let kb = 1 / Double(b.end - b.start)
    let (avx, avy) = ((a.x1 - a.x0) * ka, (a.y1 - a.y0) * ka)
    let (bvx, bvy) = ((b.x1 - b.x0) * kb, (b.y1 - b.y0) * kb)
    let (ax, ay) = (a.x0 + avx * Double(start - a.start), a.y0 + avy * Double(start - a.start))
    let (bx, by) = (b.x0 + bvx * Double(start - b.start), b.y0 + bvy * Double(start - b.start))
    let motion = PairMotion(px: ax - bx, py: ay - by, vx: avx - bvx, vy: avy - bvy, length: Double(end - start))
    guard let found = motion.approach(within: limit) else { return nil }
    let t = found.closest
    let (mx, my) = (ax + avx * t, ay + avy * t)
    let (sx, sy) = (motion.px + motion.vx * t, motion.py + motion.vy * t)
    let nanoseconds = { (offset: Double) in start * 1_000_000 + Int64((offset * 1e6).rounded()) }
    let contact = Contact(
      first: a.device, second: b.device, floor: isUnknown ? Segment.unknownFloor : a.floor, start: 0, end: 0,
      minimumDistance: found.squaredDistance.squareRoot(),
      minimumDistanceTime: Contact.microseconds(nanoseconds: nanoseconds(t)),
      x: mx - sx / 2, y: my - sy / 2, separationX: Float(-sx), separationY: Float(-sy))
    return Piece(
      contact: contact, start: nanoseconds(found.enter), end: nanoseconds(found.leave),
      squaredDistance: found.squaredDistance)
  }

  private func merged(_ pieces: [Piece]) -> [Contact] {
    let ordered = pieces.sorted {
      ($0.contact.first, $0.contact.second, $0.contact.floor, $0.start)
        < ($1.contact.first, $1.contact.second, $1.contact.floor, $1.start)
    }
    var runs: [Piece] = []
    for piece in ordered {
      if let last = runs.last, last.contact.first == piece.contact.first, last.contact.second == piece.contact.second,
        last.contact.floor == piece.contact.floor, piece.start <= last.end + 1_000
      {
        var joined = last
        if piece.squaredDistance < last.squaredDistance { joined.contact = piece.contact }
        joined.squaredDistance = min(last.squaredDistance, piece.squaredDistance)
        joined.end = max(last.end, piece.end)
        runs[runs.count - 1] = joined
      } else {
        runs.append(piece)
      }
    }
    return runs.map { run in
      var contact = run.contact
      contact.start = Contact.microseconds(nanoseconds: run.start)
      contact.end = Contact.microseconds(nanoseconds: run.end)
      return contact
    }.sorted(by: Contact.isListedBefore)
  }
}

extension Contact {
  /// The nearest whole microsecond; halves go up.
  static func microseconds(nanoseconds: Int64) -> Int64 {
    let shifted = nanoseconds + 500
    let (quotient, remainder) = shifted.quotientAndRemainder(dividingBy: 1_000)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
