internal import CordonCore
internal import CordonGeometry

/// Points derived from those of a file.
enum TraceFilling {
  /// Returns the points of a track and points on the straight lines between them, which have the line number -1.
  ///
  /// A line starts at the end of a stay. An interpolated point has a floor only if both ends have the same one. It has
  /// an accuracy, the larger of the two, only if both ends have one.
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
      // At most 86 400 points in a gap: a day at one per second. Longer gaps are not movement.
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

  /// Stays as points: the fixes that a receiver would have reported while the device rested.
  struct Stays {
    /// The points of the track and of its stays; none has an end of rest any more.
    var points: [TracePoint] = []
    /// The number of points with a stay.
    var stays = 0
    /// The number of points added.
    var made = 0
    /// The number of stays cut short because the next point of the track is elsewhere before their end.
    var cut = 0

    /// Repeats each resting point at its position, once in each interval and at the end, with its line number.
    ///
    /// - Parameters:
    ///   - points: the points of one track.
    ///   - interval: the interval, greater than zero.
    ///   - limit: the maximum number of added points.
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
          // Points keep their order: a device has at most one position at a time.
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
