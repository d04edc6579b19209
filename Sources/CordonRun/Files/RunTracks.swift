public import CordonContacts
public import CordonCore

/// People's positions at a fixed rate, from pieces of their ways.
public struct RunTracks: Sendable {
  /// Sorted by person and time.
  public let segments: [Segment]
  /// When frame 0 is, milliseconds since 1970.
  public let start: Int64
  /// Milliseconds between two frames.
  public let step: Int64
  /// Told now and then how many of all segments ``forEach(on:_:)`` has gone through.
  public var onSegment: (@Sendable (_ done: Int, _ total: Int) -> Void)?

  /// A position in a frame.
  public struct Frame: Hashable, Sendable {
    /// The number of the person.
    public var person: Int32
    /// The number of the frame, from 0.
    public var number: Int64
    /// `FloorOrdinal.thousandths`.
    public var floor: Int32
    /// Metres east and north of the frame's origin.
    public var x: Double
    /// Metres north.
    public var y: Double
    /// The direction of movement, a unit vector; zero at rest.
    public var heading: (x: Double, y: Double)

    /// By person, frame and place.
    public static func == (a: Frame, b: Frame) -> Bool {
      a.person == b.person && a.number == b.number && a.floor == b.floor && a.x == b.x && a.y == b.y
    }

    /// As ``==(_:_:)``.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(person)
      hasher.combine(number)
    }
  }

  /// Frames `step` apart from `start` on.
  /// - Parameters:
  ///   - step: at least a millisecond.
  ///   - segments: the segments, in any order.
  ///   - start: when the run began.
  public init(segments: [Segment], start: Instant, step: TimeSpan) {
    self.segments = segments
    self.start = start.milliseconds
    self.step = max(step.milliseconds, 1)
  }

  /// Frames a second.
  public var rate: Double { 1_000 / Double(step) }

  /// When a frame is.
  public func time(of number: Int64) -> Int64 { start + number * step }

  /// Visits every frame of every person, in order of person and time. Linear in the number of frames.
  /// - Parameters:
  ///   - floor: only frames on this floor.
  ///   - body: is given each of them.
  public func forEach(on floor: Int32? = nil, _ body: (Frame) throws -> Void) rethrows {
    var last: (person: Int32, number: Int64) = (-1, -1)
    for (index, segment) in segments.enumerated() where floor == nil || segment.floor == floor {
      if index & 1_023 == 0 { onSegment?(index, segments.count) }
      let first = max((segment.start - start + step - 1) / step, 0)
      let end = (segment.end - start) / step
      guard first <= end else { continue }
      let (dx, dy) = (segment.x1 - segment.x0, segment.y1 - segment.y0)
      let length = (dx * dx + dy * dy).squareRoot()
      let heading = length > 0 ? (x: dx / length, y: dy / length) : (x: 0, y: 0)
      for number in first...end where last != (segment.device, number) {
        let span = segment.end - segment.start
        let share = span > 0 ? Double(time(of: number) - segment.start) / Double(span) : 0
        try body(
          Frame(
            person: segment.device, number: number, floor: segment.floor, x: segment.x0 + dx * share,
            y: segment.y0 + dy * share, heading: heading))
        last = (segment.device, number)
      }
    }
  }
}
