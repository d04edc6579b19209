public import CordonContacts
public import CordonCore
public import CordonGeometry

/// Where everybody really was: what a run knows and no phone does.
///
/// A person is on one floor at any time. On stairs and in elevators the first half of the time is spent on what the plan of the
/// floor that is left shows of them, and the second on the other floor. Who comes several times is nowhere in between.
public struct Truth: Sendable {
  /// The plane that positions are measured in.
  public let frame: LocalFrame
  /// When the run began.
  public let start: Instant
  /// When the run ended.
  public let end: Instant
  /// Everybody's pieces, sorted by person and time; of one visit contiguous in time from coming to leaving.
  ///
  /// `device` is the number of the person, positions are metres in ``frame`` rounded to 0.1 mm.
  public let segments: [Segment]
  /// Everybody, by number.
  public let people: [PersonTruth]
  /// Stops and exits that no way led to, over all people.
  public let unreachable: Int
  /// Visits that did not take place, because the person was still inside from the one before.
  public let skippedVisits: Int
  /// What the movement model did.
  public let figures: MovementFigures

  /// The pieces of one person.
  public func segments(of person: Int) -> ArraySlice<Segment> { segments[people[person].segmentRange] }

  /// Where a person was; `nil` before they came and after they left. Logarithmic in the number of pieces.
  public func position(of person: Int, at time: Instant) -> TruePosition? {
    let range = people[person].segmentRange
    let moment = time.milliseconds
    var low = range.lowerBound
    var high = range.upperBound
    // The last piece that starts at or before the moment.
    while low < high {
      let middle = (low + high) / 2
      if segments[middle].start <= moment { low = middle + 1 } else { high = middle }
    }
    guard low > range.lowerBound, segments[low - 1].end >= moment else { return nil }
    return TruePosition(segments[low - 1], at: moment)
  }

  /// Puts tracks together: the visits of each person, one track each.
  ///
  /// - Parameter people: how many there are; those without a visit have no pieces.
  init(
    frame: LocalFrame, scenario: CrowdScenario, itineraries: [Itinerary], tracks: [Track], figures: MovementFigures,
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
        // Who is still there when they should come again does not come again.
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
          runStart: scenario.start))
    }
    self.frame = frame
    start = scenario.start
    end = scenario.end
    self.segments = segments
    self.people = people
    unreachable = tracks.reduce(0) { $0 + $1.unreachable }
    skippedVisits = skipped
  }
}

extension [Stay] {
  /// Milliseconds between two stays in one place that are one: who goes from picture to picture stays in the room.
  private static let shortestWay: Int64 = 30_000

  /// Adds a stay, to the last one if it goes on with it.
  mutating func add(_ stay: Stay) {
    guard let last = indices.last, self[last].destination == stay.destination,
      (stay.start - self[last].end).milliseconds <= [Stay].shortestWay
    else { return append(stay) }
    self[last].end = stay.end
  }
}

/// One person of a run.
public struct PersonTruth: Sendable {
  /// Metres a second on level ground with nobody in the way.
  public let freeSpeed: Double
  /// Their visits, in order; empty for somebody who never came.
  public let visits: [Visit]
  /// Their stays at destinations, in order.
  public let stays: [Stay]
  /// The times that they stood in line, in order.
  public let waits: [Wait]
  /// Their pieces in ``Truth/segments``.
  public let segmentRange: Range<Int>
  let runStart: Instant

  /// From coming in to leaving.
  public struct Visit: Sendable {
    /// When they came in.
    public let arrival: Instant
    /// When they left, or when the run ended.
    public let departure: Instant
    /// Whether they left before the end of the run; otherwise they are still inside.
    public let hasLeft: Bool
    /// Where they came in: index in ``World/entrances``.
    public let entrance: Int
    /// Where they left, if they have: index in ``World/entrances``.
    public let exit: Int
    /// The pieces of this visit in ``Truth/segments``.
    public let segmentRange: Range<Int>
  }

  /// When they came in first; the start of the run for somebody who never came.
  public var arrival: Instant { visits.first?.arrival ?? runStart }
  /// When they left last, or when the run ended; the start of the run for somebody who never came.
  public var departure: Instant { visits.last?.departure ?? runStart }
  /// Whether they left before the end of the run; otherwise they are still inside.
  public var hasLeft: Bool { visits.last?.hasLeft ?? false }
}

/// Where somebody was at one time.
public struct TruePosition: Hashable, Sendable {
  /// The floor.
  public let floor: FloorOrdinal
  /// Metres in the truth's frame.
  public let point: PlanePoint
  /// Whether they stood or sat.
  public let isStill: Bool

  /// The place on a piece at a time, clamped to its ends.
  init(_ segment: Segment, at moment: Int64) {
    floor = FloorOrdinal(thousandths: segment.floor)
    isStill = segment.x0 == segment.x1 && segment.y0 == segment.y1
    let span = segment.end - segment.start
    let share = span > 0 ? min(max(Double(moment - segment.start) / Double(span), 0), 1) : 1
    point = PlanePoint(
      x: segment.x0 + (segment.x1 - segment.x0) * share, y: segment.y0 + (segment.y1 - segment.y0) * share)
  }
}

/// Asks for one person's position at times that do not go back, each in constant time on average.
public struct TruthCursor: Sendable {
  private let truth: Truth
  private let range: Range<Int>
  private var index: Int

  /// Starts at the person's first piece.
  public init(_ truth: Truth, person: Int) {
    self.truth = truth
    range = truth.people[person].segmentRange
    index = range.lowerBound
  }

  /// Where the person was; `nil` before they came and after they left. A time before the last one asked for
  /// may be answered with `nil`.
  public mutating func position(at time: Instant) -> TruePosition? {
    let moment = time.milliseconds
    while index + 1 < range.upperBound, truth.segments[index + 1].start <= moment { index += 1 }
    guard index < range.upperBound, truth.segments[index].start <= moment, moment <= truth.segments[index].end else {
      return nil
    }
    return TruePosition(truth.segments[index], at: moment)
  }
}
