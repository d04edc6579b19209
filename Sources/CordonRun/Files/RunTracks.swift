package import CordonContacts
package import CordonCore

/// The positions of people at a fixed rate, interpolated from segments.
package struct RunTracks: Sendable {
  /// The segments, sorted by person and time.
  package let segments: [Segment]
  /// The time of frame 0 in milliseconds since 1970.
  package let start: Int64
  /// The time between two frames in milliseconds.
  package let step: Int64
  /// Receives the number of segments processed by ``forEach(on:_:)`` and of all segments, from time to time.
  package var onSegment: (@Sendable (_ done: Int, _ total: Int) -> Void)?

  /// A position in a frame.
  package struct Frame: Hashable, Sendable {
    /// The number of the person.
    package var person: Int32
    /// The number of the frame, from 0.
    package var number: Int64
    /// `FloorOrdinal.thousandths`.
    package var floor: Int32
    /// The distance east of the frame's origin in metres.
    package var x: Double
    /// The distance north of the frame's origin in metres.
    package var y: Double
    /// The direction of movement as a unit vector; zero at rest.
    package var heading: (x: Double, y: Double)

    /// Returns whether person, frame, floor and position are equal.
    package static func == (a: Frame, b: Frame) -> Bool {
      a.person == b.person && a.number == b.number && a.floor == b.floor && a.x == b.x && a.y == b.y
    }

    /// Hashes the person and the frame, consistent with ``==(_:_:)``.
    package func hash(into hasher: inout Hasher) {
      hasher.combine(person)
      hasher.combine(number)
    }
  }

  /// Creates tracks with frames from `start` on, `step` apart.
  ///
  /// - Parameters:
  ///   - step: the time between two frames; at least one millisecond.
  ///   - segments: the segments, sorted by person and time.
  ///   - start: the start of the run.
  package init(segments: [Segment], start: Instant, step: TimeSpan) {
    self.segments = segments
    self.start = start.milliseconds
    self.step = max(step.milliseconds, 1)
  }

  /// The number of frames per second.
  package var rate: Double { 1_000 / Double(step) }

  /// Returns the time of a frame in milliseconds since 1970.
  package func time(of number: Int64) -> Int64 { start + number * step }

  /// Visits every frame of every person, in the order of person and time.
  ///
  /// Complexity: O(*n*), where *n* is the number of segments and frames.
  ///
  /// - Parameters:
  ///   - floor: visits only frames on this floor; `nil` for all floors.
  ///   - body: receives each frame.
  package func forEach(on floor: Int32? = nil, _ body: (Frame) throws -> Void) rethrows {
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
