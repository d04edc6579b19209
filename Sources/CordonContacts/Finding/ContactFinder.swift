public import CordonCore
public import CordonGeometry

/// Finds the pairs of devices within a distance on the same floor, with the start and end of each contact.
///
/// ```swift
/// let contacts = ContactFinder(distance: 2).contacts(in: segments)
/// ```
///
/// Positions between the ends of a segment are linear in time. The boundary belongs to the contact
/// (distance <= `distance`). The instants at which two devices enter or leave the distance are the exact roots of their
/// relative motion. A touch is a contact of length zero: two ways that only graze the distance, or two tracks that
/// share a single instant within it. A segment includes its start and excludes its end. The last moment of a device's
/// consecutive segments counts as an instant as well. Pieces whose gap is at most a microsecond are one contact.
public struct ContactFinder: Sendable {
  /// The handling of segments with an unknown floor.
  public enum UnknownFloors: String, Hashable, Sendable, CaseIterable {
    /// Such segments have no contacts.
    case never
    /// Such segments may be on any floor: their contacts are found in the plane and have ``Segment/unknownFloor``.
    case flagged
  }

  /// The contact distance in metres, 0 or more.
  public var distance: Double
  /// The handling of segments with an unknown floor.
  public var unknownFloors: UnknownFloors
  /// The number of threads, 1 or more. The result does not depend on it.
  public var threads: Int

  /// The walls of floors, by `FloorOrdinal.thousandths`, in the frame of the segments. Contacts on these floors include
  /// the time for which a wall was between the two devices.
  public var walls: [Int32: WallIndex] = [:]
  /// The instruction set, for tests; `nil` for the best one.
  package var kernelLevel: Int32?
  /// Whether walls are looked up by place. This affects only the run time; for tests.
  package var looksUpWalls = true
  /// Whether a test of their ways rejects pairs before they are solved. This affects only the run time; `nil` enables the
  /// test where it saves time; for tests.
  package var looksAtWays: Bool?

  /// A finder for contacts within `distance` metres.
  public init(distance: Double = 2, unknownFloors: UnknownFloors = .flagged, threads: Int = 1) {
    self.distance = distance
    self.unknownFloors = unknownFloors
    self.threads = threads
    self.slab = nil
  }

  /// The length of the slabs of time that divide the work; `nil` chooses one. The result does not depend on it.
  public var slab: TimeSpan?
  /// Returns the contacts of `segments` in any order, listed by start, devices and floor.
  ///
  /// It skips unusable segments; `contacts(in:into:)` counts them.
  public func contacts(in segments: [Segment]) -> [Contact] {
    var list = ContactList()
    contacts(in: segments, into: &list)
    return list.contacts.sorted(by: Contact.isListedBefore)
  }

  /// Sends the contacts of `segments` to `sink` as soon as they are final, in the order of their ends, and returns the
  /// counts of skipped segments.
  @discardableResult
  public func contacts<Sink: ContactSink>(
    in segments: [Segment], into sink: inout Sink
  ) throws(Sink.Failure) -> RejectedSegments {
    let table = SegmentTable(segments)
    try run(table, into: &sink)
    return table.rejected
  }

  /// Returns the contacts of segments that are already in order, listed by start, devices and floor.
  package func contacts(in table: SegmentTable) -> [Contact] {
    var list = ContactList()
    run(table, into: &list)
    return list.contacts.sorted(by: Contact.isListedBefore)
  }

  /// Returns the contact times of the pairs of ordered segments.
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

  /// Calls a body with a closure that sends contacts to the sink, in order if the sink requires it, until the sink fails.
  func handing<Sink: ContactSink>(
    to sink: inout Sink, _ body: (_ emit: ([Contact]) -> Bool) -> Void
  ) throws(Sink.Failure) {
    var failure: Sink.Failure?
    body { contacts in
      guard failure == nil else { return false }
      do throws(Sink.Failure) {
        try sink.receive(sink.needsOrder ? Contact.inClosingOrder(contacts) : contacts)
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
  /// Returns the nearest whole microsecond; halves round up.
  static func microseconds(nanoseconds: Int64) -> Int64 {
    let shifted = nanoseconds + 500
    let (quotient, remainder) = shifted.quotientAndRemainder(dividingBy: 1_000)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
