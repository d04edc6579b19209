internal import CordonCore
internal import CordonGeometry

/// Points that follow from those of a file.
enum TraceFilling {
  /// Points on the straight lines between those of a track; they carry the line number -1. A line begins where a stay
  /// ends. A floor or an accuracy is only known between two points that agree on the one, and both have the other.
  static func lines(between points: [TracePoint], every interval: TimeSpan) -> [TracePoint] {
    guard interval.milliseconds > 0 else { return points }
    var result: [TracePoint] = []
    for (index, point) in points.enumerated() {
      result.append(point)
      guard index + 1 < points.count, let time = point.time, let end = points[index + 1].time else { continue }
      let begin = max(time, point.stillUntil ?? time)
      guard end > begin else { continue }
      let next = points[index + 1]
      let span = (end - begin).milliseconds
      // A day at a second; longer gaps are no movement.
      guard span / interval.milliseconds <= 86_400 else { continue }
      var passed = interval.milliseconds
      while passed < span {
        var made = TracePoint(
          place: place(from: point.place, to: next.place, share: Double(passed) / Double(span)),
          time: begin + TimeSpan(milliseconds: passed), line: -1)
        if let first = point.accuracy, let second = next.accuracy { made.accuracy = max(first, second) }
        made.floor = point.floor == next.floor ? point.floor : nil
        made.isMocked = point.isMocked && next.isMocked
        result.append(made)
        passed += interval.milliseconds
      }
    }
    return result
  }

  private static func place(
    from first: TracePoint.Place, to second: TracePoint.Place, share: Double
  ) -> TracePoint.Place {
    switch (first, second) {
    case (.degrees(let a), .degrees(let b)):
      var east = b.longitude - a.longitude
      if east > 180 { east -= 360 } else if east < -180 { east += 360 }
      var longitude = a.longitude + share * east
      if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
      return .degrees(Coordinate(longitude: longitude, latitude: a.latitude + share * (b.latitude - a.latitude)))
    case (.metres(let a), .metres(let b)):
      return .metres(PlanePoint(x: a.x + share * (b.x - a.x), y: a.y + share * (b.y - a.y)))
    default: return first
    }
  }

  /// Stays as points: what a receiver would have said while the device rested.
  struct Stays {
    /// The points of the track with those of its stays; none says any more until when it lasts.
    var points: [TracePoint] = []
    /// How many points had a stay.
    var stays = 0
    /// How many points were made.
    var made = 0
    /// How many stays end early, as the next point of the track is elsewhere before their end.
    var cut = 0

    /// Repeats each resting point at its place, once an interval and at the end, with its line number.
    /// - Parameters:
    ///   - points: of one track.
    ///   - interval: more than nothing.
    ///   - limit: the most points that may be made.
    init(of points: [TracePoint], every interval: TimeSpan, limit: Int) throws(TraceError) {
      for (index, point) in points.enumerated() {
        var resting = point
        resting.stillUntil = nil
        self.points.append(resting)
        guard let begin = point.time, let until = point.stillUntil, until > begin else { continue }
        stays += 1
        var end = until
        if index + 1 < points.count, let next = points[index + 1].time, next <= until {
          if next < until, points[index + 1].place != point.place { cut += 1 }
          // Points keep their order: no device is in two places, nor twice in one, at a moment.
          end = next - .milliseconds(1)
          guard end > begin else { continue }
        }
        guard (end - begin).milliseconds / interval.milliseconds < limit - made else {
          throw TraceError(.tooLarge, "its stays are more than \(limit) fixes, one every \(interval)", line: point.line)
        }
        var time = begin + interval
        while time < end {
          append(resting, at: time)
          time = time + interval
        }
        if end == until { append(resting, at: until) }
      }
    }

    private mutating func append(_ point: TracePoint, at time: Instant) {
      var repeated = point
      repeated.time = time
      points.append(repeated)
      made += 1
    }
  }
}
