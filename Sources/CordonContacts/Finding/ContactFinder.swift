public import CordonCore
public import CordonGeometry

/// Finds who was within a distance of whom, on the same floor, from when to when.
///
/// ```swift
/// let contacts = ContactFinder(distance: 2).contacts(in: segments)
/// ```
///
/// Positions between the ends of a segment are linear in time, the boundary belongs to the contact
/// (distance <= `distance`), and the instants at which two devices come into or go out of reach are
/// the exact roots of their relative motion. A touch is a contact of length zero: two ways that only graze the
/// distance, or two tracks that share a single instant within it. A segment holds its start and not its end; where a
/// device's segments end, its last moment is an instant that counts as well. Pieces whose gap is at most a microsecond
/// are one contact.
public struct ContactFinder: Sendable {
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

  /// The walls of floors, by `FloorOrdinal.thousandths`, in the frame of the segments. Contacts on these floors say
  /// for how long a wall was between the two.
  public var walls: [Int32: WallIndex] = [:]
  /// The instruction set to use, for tests; `nil` for the best one.
  package var kernelLevel: Int32?
  /// Whether walls are looked up by place, which changes nothing but the time it takes; for tests.
  package var looksUpWalls = true
  /// Whether pairs are told apart by their ways before they are solved, which changes nothing but the time it takes; `nil`
  /// where that saves time; for tests.
  package var looksAtWays: Bool?

  /// A finder for contacts within `distance` metres.
  public init(distance: Double = 2, unknownFloors: UnknownFloors = .flagged, threads: Int = 1) {
    self.distance = distance
    self.unknownFloors = unknownFloors
    self.threads = threads
    self.slab = nil
  }

  /// The length of the slabs of time that the work is cut into; `nil` chooses one. The answer does not
  /// depend on it.
  public var slab: TimeSpan?
  /// The contacts of `segments`, which may come in any order, listed by start, devices and floor.
  ///
  /// Segments that cannot be used are left out; `contacts(in:into:)` counts them.
  public func contacts(in segments: [Segment]) -> [Contact] {
    var list = ContactList()
    contacts(in: segments, into: &list)
    return list.contacts.sorted(by: Contact.isListedBefore)
  }

  /// Hands the contacts of `segments` to `sink` as soon as nothing can change them any more, in the
  /// order of their ends, and answers what was left out.
  @discardableResult
  public func contacts<Sink: ContactSink>(
    in segments: [Segment], into sink: inout Sink
  ) throws(Sink.Failure) -> RejectedSegments {
    let table = SegmentTable(segments)
    try run(table, into: &sink)
    return table.rejected
  }

  /// The contacts of segments that are in order already, listed by start, devices and floor.
  package func contacts(in table: SegmentTable) -> [Contact] {
    var list = ContactList()
    run(table, into: &list)
    return list.contacts.sorted(by: Contact.isListedBefore)
  }

  /// The contact times of pairs that segments in order make.
  package func pairIntervals(in table: SegmentTable, among devices: Set<Int32>?) -> PairIntervals {
    var sink = PairIntervalSink(devices: devices)
    run(table, into: &sink)
    return sink.intervals
  }

  func run<Feed: SlabFeed, Sink: ContactSink>(_ feed: Feed, into sink: inout Sink) throws(Sink
    .Failure)
  {
    guard let span = feed.span, distance >= 0 else { return }
    let join = ContactJoin(rule: rule, threads: threads)
    let isOrdered = sink.needsOrder
    var isDone = true
    try handing(to: &sink) { emit in
      join.run(feed, span: span, slab: slab?.milliseconds, isOrdered: isOrdered) { contacts in
        isDone = emit(contacts)
        return isDone
      }
      if isDone { join.finish(emit: emit) }
    }
  }

  /// Lends a closure that hands contacts to the sink, in order when it needs that, until it fails.
  func handing<Sink: ContactSink>(
    to sink: inout Sink, _ body: (_ emit: ([Contact]) -> Bool) -> Void
  ) throws(Sink.Failure) {
    var failure: Sink.Failure?
    body { contacts in
      guard failure == nil else { return false }
      do throws(Sink.Failure) {
        try sink.receive(sink.needsOrder ? contacts.sorted(by: Contact.isClosedBefore) : contacts)
        return true
      } catch {
        failure = error
        return false
      }
    }
    if let failure { throw failure }
  }

  var rule: ContactRule {
    ContactRule(
      distance: distance, unknownFloors: unknownFloors,
      kernelLevel: kernelLevel ?? ContactRule.bestKernelLevel, looksAtWays: looksAtWays,
      walls: walls.mapValues { SightFloor($0, distance: distance, hasRaster: looksUpWalls) })
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
