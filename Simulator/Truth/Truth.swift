public import CordonContacts
public import CordonCore
public import CordonGeometry

/// Where everybody really was: what a run knows and no phone does.
///
/// A person is on one floor at any time. On stairs and in elevators the first half of the time is spent at the
/// landing that is left and the second at the one that is reached. Nobody comes twice.
public struct Truth: Sendable {
  /// The plane that positions are measured in.
  public let frame: LocalFrame
  /// When the run began.
  public let start: Instant
  /// When the run ended.
  public let end: Instant
  /// Everybody's pieces, sorted by person and time; for one person contiguous in time from coming to leaving.
  ///
  /// `device` is the number of the person, positions are metres in ``frame`` rounded to 0.1 mm.
  public let segments: [Segment]
  /// Everybody, by number.
  public let people: [PersonTruth]
  /// Stops and exits that no way led to, over all people.
  public let unreachable: Int
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

  /// Puts tracks together.
  init(frame: LocalFrame, scenario: CrowdScenario, itineraries: [Itinerary], tracks: [Track], figures: MovementFigures) {
    self.figures = figures
    var segments: [Segment] = []
    segments.reserveCapacity(tracks.reduce(0) { $0 + $1.segments.count })
    var people: [PersonTruth] = []
    people.reserveCapacity(tracks.count)
    for (itinerary, track) in zip(itineraries, tracks) {
      let first = segments.count
      segments += track.segments
      people.append(
        PersonTruth(
          arrival: Instant(milliseconds: track.segments.first?.start ?? itinerary.arrival.milliseconds),
          departure: Instant(milliseconds: track.segments.last?.end ?? itinerary.arrival.milliseconds),
          hasLeft: track.hasLeft, freeSpeed: itinerary.freeSpeed, stays: track.stays, waits: track.waits,
          segmentRange: first..<segments.count))
    }
    self.frame = frame
    start = scenario.start
    end = scenario.end
    self.segments = segments
    self.people = people
    unreachable = tracks.reduce(0) { $0 + $1.unreachable }
  }
}

/// One person of a run.
public struct PersonTruth: Sendable {
  /// When they came in.
  public let arrival: Instant
  /// When they left, or when the run ended.
  public let departure: Instant
  /// Whether they left before the end of the run; otherwise they are still inside.
  public let hasLeft: Bool
  /// Metres a second on level ground with nobody in the way.
  public let freeSpeed: Double
  /// Their stays at destinations, in order.
  public let stays: [Stay]
  /// The times that they stood in line, in order.
  public let waits: [Wait]
  /// Their pieces in ``Truth/segments``.
  public let segmentRange: Range<Int>
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
