internal import CordonCore
internal import CordonGeometry

extension ResolvedTrace {
  /// Makes fixes of traces.
  /// - Throws: ``TraceError`` when something is missing that nothing stands in for: times, or the origin of metres.
  public init(_ traces: [Trace], _ assumptions: TraceAssumptions) throws(TraceError) {
    var resolution = TraceResolution(assumptions)
    for trace in traces { try resolution.add(trace) }
    self = try resolution.finish()
  }
}

extension Trace {
  /// The trace with places in degrees, times moved and gaps filled: what can be written in any format.
  public func resolved(_ assumptions: TraceAssumptions) throws(TraceError) -> Trace {
    var trace = self
    let resolution = TraceResolution(assumptions)
    let isTimeless = tracks.allSatisfy { $0.points.allSatisfy { $0.time == nil } }
    let first = tracks.lazy.flatMap { $0.points.lazy.compactMap(\.time) }.min()
    for index in tracks.indices {
      for place in tracks[index].points.indices {
        var point = tracks[index].points[place]
        if case .metres(let metres) = point.place, assumptions.origin != nil {
          point.place = .degrees(try resolution.degrees(.metres(metres), line: point.line))
        }
        point.accuracy = point.accuracy ?? assumptions.accuracy
        point.floor = point.floor ?? assumptions.floor
        if let start = assumptions.start {
          if isTimeless {
            point.time = start + TimeSpan(milliseconds: assumptions.step.milliseconds * Int64(place))
          } else if let first, let time = point.time {
            point.time = start + (time - first)
            point.stillUntil = point.stillUntil.map { start + ($0 - first) }
          }
        }
        trace.tracks[index].points[place] = point
      }
      if let interval = assumptions.interpolation {
        trace.tracks[index].points = TraceResolution.filled(trace.tracks[index].points, interval)
      }
    }
    return trace
  }
}

/// Gathers traces, and remembers what it had to assume.
struct TraceResolution {
  private let assumptions: TraceAssumptions
  private var parts: [(device: String, file: String, points: [TracePoint])] = []
  private var sentences: [String] = []
  private let frame: LocalFrame?
  private let turn: (sine: Double, cosine: Double)

  init(_ assumptions: TraceAssumptions) {
    self.assumptions = assumptions
    frame = assumptions.origin.map { LocalFrame(origin: $0) }
    let (sine, cosine) = PortableMath.sincos(assumptions.bearing * Double.pi / 180)
    turn = (sine, cosine)
  }

  private mutating func say(_ sentence: String) {
    if !sentences.contains(sentence) { sentences.append(sentence) }
  }

  func degrees(_ place: TracePoint.Place, line: Int) throws(TraceError) -> Coordinate {
    switch place {
    case .degrees(let coordinate): return coordinate
    case .metres(let point):
      guard let frame else {
        throw TraceError(.missing, "its places are metres; say where they lie (--origin lon,lat)", line: line)
      }
      // The y axis points `bearing` degrees east of north.
      let east = point.x * turn.cosine + point.y * turn.sine
      let north = point.y * turn.cosine - point.x * turn.sine
      return frame.unproject(PlanePoint(x: east, y: north))
    }
  }

  mutating func add(_ trace: Trace) throws(TraceError) {
    for remark in trace.remarks { say("\(trace.name): \(remark)") }
    // Way-points beside a track are places of interest, not movement.
    let kinds = Set(trace.tracks.map(\.kind))
    let kind: TraceTrack.Kind = kinds.contains(.track) ? .track : kinds.contains(.route) ? .route : .waypoints
    let used = trace.tracks.filter { $0.kind == kind }
    let aside = trace.pointCount - used.reduce(0) { $0 + $1.points.count }
    if aside > 0 { say("\(trace.name): \(aside) way-points or route points beside its tracks are left aside") }
    if kind == .route { say("\(trace.name): a planned route is replayed as if it had been walked") }
    let file = trace.name
    let hasNames = used.contains { $0.device != nil } || Set(used.map(\.name)).count > 1
    let source = assumptions.deviceFrom ?? (hasNames ? .name : .file)
    for (number, track) in used.enumerated() {
      let stem = String(file.split(separator: ".", omittingEmptySubsequences: true).first ?? "trace")
      let device: String
      switch source {
      case .name: device = track.label.isEmpty ? stem : track.label
      case .file: device = stem
      case .track: device = "\(stem)-\(number + 1)"
      }
      parts.append((device, file, track.points))
    }
  }

  mutating func finish() throws(TraceError) -> ResolvedTrace {
    let known = parts.reduce(0) { $0 + $1.points.count { $0.time != nil } }
    let all = parts.reduce(0) { $0 + $1.points.count }
    guard all > 0 else { throw TraceError(.empty, "holds no position that can be replayed") }
    if known == 0, assumptions.start == nil {
      throw TraceError(.missing, "none of its points has a time; say when the first was measured (--start)")
    }
    let first = parts.lazy.flatMap { $0.points.lazy.compactMap(\.time) }.min()
    let shift = known > 0 ? assumptions.start.flatMap { start in first.map { start - $0 } } : nil
    if known == 0, let start = assumptions.start {
      say("no point has a time: the first is at \(start.rfc3339), and \(assumptions.step) lie between two")
    } else if let shift, shift != .zero {
      say("all times are moved by \(shift), so that the first is at \(assumptions.start?.rfc3339 ?? "")")
    }
    if known > 0, known < all { say("\(all - known) points without a time are left out") }
    var count = (accuracy: 0, floor: 0, interpolated: 0)
    var devices: [String: [TracedFix]] = [:]
    for part in parts {
      var points = part.points
      if known == 0, let start = assumptions.start {
        for index in points.indices {
          points[index].time = start + TimeSpan(milliseconds: assumptions.step.milliseconds * Int64(index))
        }
      }
      points.removeAll { $0.time == nil }
      if let interval = assumptions.interpolation {
        let before = points.count
        points = TraceResolution.filled(points, interval)
        count.interpolated += points.count - before
      }
      for point in points {
        guard let time = point.time else { continue }
        if point.accuracy == nil, assumptions.accuracy != nil { count.accuracy += 1 }
        if point.floor == nil, assumptions.floor != nil { count.floor += 1 }
        let fix = Fix(
          coordinate: try degrees(point.place, line: point.line), accuracy: point.accuracy ?? assumptions.accuracy,
          floor: point.floor ?? assumptions.floor, time: shift.map { time + $0 } ?? time, isMocked: point.isMocked)
        devices[part.device, default: []].append(
          TracedFix(fix: fix, file: part.file, line: max(point.line, 0), isInterpolated: point.line < 0))
      }
    }
    if let accuracy = assumptions.accuracy, count.accuracy > 0 {
      say("\(count.accuracy) fixes without an accuracy are taken to be right to \(accuracy) m")
    }
    if let floor = assumptions.floor, count.floor > 0 {
      say("\(count.floor) fixes without a floor are taken to be on floor \(floor)")
    }
    if let interval = assumptions.interpolation, count.interpolated > 0 {
      say("\(count.interpolated) fixes lie on the straight lines between points, one every \(interval)")
    }
    if let origin = assumptions.origin,
      parts.contains(where: { $0.points.contains { if case .metres = $0.place { true } else { false } } })
    {
      say(
        "metres count from \(origin.longitude),\(origin.latitude), their y axis \(assumptions.bearing) degrees east of north"
      )
    }
    return ResolvedTrace(
      devices: devices.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map {
        ResolvedTrace.Device(name: $0, fixes: devices[$0] ?? [])
      }, assumed: sentences)
  }

  /// Points on the straight lines between those of a track; they carry the line number -1. A floor or an accuracy is
  /// only known between two points that agree on the one, and both have the other.
  static func filled(_ points: [TracePoint], _ interval: TimeSpan) -> [TracePoint] {
    guard interval.milliseconds > 0 else { return points }
    var result: [TracePoint] = []
    for (index, point) in points.enumerated() {
      result.append(point)
      guard index + 1 < points.count, let begin = point.time, let end = points[index + 1].time, end > begin else {
        continue
      }
      let next = points[index + 1]
      let span = (end - begin).milliseconds
      // A day at a second; longer gaps are no movement.
      guard span / interval.milliseconds <= 86_400 else { continue }
      var passed = interval.milliseconds
      while passed < span {
        let share = Double(passed) / Double(span)
        let place: TracePoint.Place
        switch (point.place, next.place) {
        case (.degrees(let a), .degrees(let b)):
          var east = b.longitude - a.longitude
          if east > 180 { east -= 360 } else if east < -180 { east += 360 }
          var longitude = a.longitude + share * east
          if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
          place = .degrees(
            Coordinate(
              longitude: longitude, latitude: a.latitude + share * (b.latitude - a.latitude)))
        case (.metres(let a), .metres(let b)):
          place = .metres(PlanePoint(x: a.x + share * (b.x - a.x), y: a.y + share * (b.y - a.y)))
        default: place = point.place
        }
        var made = TracePoint(place: place, time: begin + TimeSpan(milliseconds: passed), line: -1)
        if let first = point.accuracy, let second = next.accuracy { made.accuracy = max(first, second) }
        made.floor = point.floor == next.floor ? point.floor : nil
        made.isMocked = point.isMocked && next.isMocked
        result.append(made)
        passed += interval.milliseconds
      }
    }
    return result
  }
}
