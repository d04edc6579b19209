public import CordonContacts
public import CordonCore
package import CordonCrowd
public import CordonGeometry

/// The true positions of all people in a run, without phones and their errors.
///
/// A person is on one floor at any time. A trip on stairs or in an elevator counts half on the floor of departure and
/// half on the floor of arrival. A person has no position between two visits.
public struct Truth: Sendable {
  /// The plane of all positions.
  public let frame: LocalFrame
  /// The start of the run.
  public let start: Instant
  /// The end of the run.
  public let end: Instant
  /// The segments of all people, sorted by person and time. Those of one visit are contiguous from arrival to
  /// departure.
  ///
  /// `device` is the number of the person. Positions are metres in ``frame``, rounded to 0.1 mm.
  public let segments: [Segment]
  /// All people, by number.
  public let people: [PersonTruth]
  /// The number of stops and exits that were skipped because no way leads to them, over all people.
  public let unreachable: Int
  /// The number of visits that did not take place because the person was still inside.
  public let skippedVisits: Int
  /// The counters of the movement model.
  package let figures: MovementFigures

  /// Returns the segments of one person.
  public func segments(of person: Int) -> ArraySlice<Segment> { segments[people[person].segmentRange] }

  /// Returns the position of a person at a time; `nil` outside the person's visits.
  ///
  /// Complexity: O(log *n*) for *n* segments of the person.
  public func position(of person: Int, at time: Instant) -> TruePosition? {
    let range = people[person].segmentRange
    let moment = time.milliseconds
    var low = range.lowerBound
    var high = range.upperBound
    // Finds the last segment that starts at or before the moment.
    while low < high {
      let middle = (low + high) / 2
      if segments[middle].start <= moment { low = middle + 1 } else { high = middle }
    }
    guard low > range.lowerBound, segments[low - 1].end >= moment else { return nil }
    return TruePosition(segments[low - 1], at: moment)
  }

  /// Assembles a truth from itineraries and tracks, with one track per visit.
  ///
  /// - Parameters:
  ///   - itineraries: the visits, sorted by person.
  ///   - tracks: the tracks of the itineraries.
  ///   - count: the number of people; people without a visit have no segments.
  init(
    frame: LocalFrame, replication: Replication, itineraries: [Itinerary], tracks: [Track], figures: MovementFigures,
    people count: Int? = nil
  ) {
    self.figures = figures
    var segments: [Segment] = []
    segments.reserveCapacity(tracks.reduce(0) { $0 + $1.segments.count })
    var people: [PersonTruth] = []
    people.reserveCapacity(tracks.count)
    var skipped = 0
    var next = 0
    for person in 0..<(count ?? itineraries.count) {
      let first = segments.count
      var visits: [PersonTruth.Visit] = []
      var stays: [Stay] = []
      var waits: [Wait] = []
      var speed = 1.34
      while next < itineraries.count, itineraries[next].person <= person {
        let (itinerary, track) = (itineraries[next], tracks[next])
        next += 1
        guard let begin = track.segments.first?.start, let end = track.segments.last?.end else { continue }
        // A visit that begins while the person is still inside is skipped.
        guard begin > visits.last?.departure.milliseconds ?? .min, visits.last?.hasLeft ?? true else {
          skipped += 1
          continue
        }
        if visits.isEmpty { speed = itinerary.freeSpeed }
        let start = segments.count
        for var segment in track.segments {
          segment.device = Int32(person)
          segments.append(segment)
        }
        visits.append(
          PersonTruth.Visit(
            arrival: Instant(milliseconds: begin), departure: Instant(milliseconds: end), hasLeft: track.hasLeft,
            entrance: itinerary.entrance, exit: itinerary.exit,
            segmentRange: start..<segments.count))
        for stay in track.stays { stays.add(stay) }
        waits += track.waits
      }
      people.append(
        PersonTruth(
          freeSpeed: speed, visits: visits, stays: stays, waits: waits, segmentRange: first..<segments.count,
          runStart: replication.start))
    }
    self.frame = frame
    start = replication.start
    end = replication.end
    self.segments = segments
    self.people = people
    unreachable = tracks.reduce(0) { $0 + $1.unreachable }
    skippedVisits = skipped
  }
}

extension [Stay] {
  /// Maximum time between two stays at one destination that count as one stay, in milliseconds: a person who walks
  /// between exhibits stays in the room.
  private static let shortestWay: Int64 = 30_000

  /// Adds a stay, or extends the last stay if the new one continues it.
  mutating func add(_ stay: Stay) {
    guard let last = indices.last, self[last].destination == stay.destination,
      (stay.start - self[last].end).milliseconds <= [Stay].shortestWay
    else { return append(stay) }
    self[last].end = stay.end
  }
}

/// One person of a run.
public struct PersonTruth: Sendable {
  /// Free speed on level ground without other people, in metres per second; 1.34 for a person without visits.
  public let freeSpeed: Double
  /// The visits, in order of time; empty for a person who never arrived.
  public let visits: [Visit]
  /// The stays at destinations, in order of time.
  package let stays: [Stay]
  /// The waits in queues, in order of time.
  package let waits: [Wait]
  /// The person's range in ``Truth/segments``.
  public let segmentRange: Range<Int>
  let runStart: Instant

  /// One visit, from arrival to departure.
  public struct Visit: Sendable {
    /// The time of arrival.
    public let arrival: Instant
    /// The time of departure, or the end of the run.
    public let departure: Instant
    /// Whether the person left before the end of the run.
    public let hasLeft: Bool
    /// The entrance of arrival: an index in `World/entrances`.
    public let entrance: Int
    /// The planned exit, used if ``hasLeft`` is true: an index in `World/entrances`.
    public let exit: Int
    /// The visit's range in ``Truth/segments``.
    public let segmentRange: Range<Int>
  }

  /// The first arrival; the start of the run for a person who never arrived.
  public var arrival: Instant { visits.first?.arrival ?? runStart }
  /// The last departure or the end of the run; the start of the run for a person who never arrived.
  public var departure: Instant { visits.last?.departure ?? runStart }
  /// Whether the person left before the end of the run, after the last visit.
  public var hasLeft: Bool { visits.last?.hasLeft ?? false }
}

/// The position of a person at one time.
public struct TruePosition: Hashable, Sendable {
  /// The floor.
  public let floor: FloorOrdinal
  /// The position in the truth's frame, in metres.
  public let point: PlanePoint
  /// Whether the person does not move.
  public let isStill: Bool

  /// Interpolates the position on a segment at a time, clamped to the ends of the segment.
  init(_ segment: Segment, at moment: Int64) {
    floor = FloorOrdinal(thousandths: segment.floor)
    isStill = segment.x0 == segment.x1 && segment.y0 == segment.y1
    let span = segment.end - segment.start
    let share = span > 0 ? min(max(Double(moment - segment.start) / Double(span), 0), 1) : 1
    point = PlanePoint(
      x: segment.x0 + (segment.x1 - segment.x0) * share, y: segment.y0 + (segment.y1 - segment.y0) * share)
  }
}

/// A cursor over one person's positions at ascending times, in constant time on average.
package struct TruthCursor: Sendable {
  private let truth: Truth
  private let range: Range<Int>
  private var index: Int

  /// Creates a cursor at the person's first segment.
  package init(_ truth: Truth, person: Int) {
    self.truth = truth
    range = truth.people[person].segmentRange
    index = range.lowerBound
  }

  /// Returns the position of the person at a time; `nil` outside the person's visits.
  ///
  /// A time before that of the last call may also give `nil`.
  package mutating func position(at time: Instant) -> TruePosition? {
    let moment = time.milliseconds
    while index + 1 < range.upperBound, truth.segments[index + 1].start <= moment { index += 1 }
    guard index < range.upperBound, truth.segments[index].start <= moment, moment <= truth.segments[index].end else {
      return nil
    }
    return TruePosition(truth.segments[index], at: moment)
  }
}
