package import CordonCore
internal import CordonGeometry

/// Replaces the names of devices by pseudonyms, and makes places and times coarser where the options say so.
///
/// The result is not anonymous: a track still shows where one device was, one place after the other.
/// ``TraceUniqueness`` measures how many devices a few sightings identify.
package struct TracePseudonymisation: Hashable, Sendable {
  /// Only points within ``radius`` metres of this place are kept: the venue, and not somebody's home.
  package var center: Coordinate?
  /// Metres.
  package var radius = 500.0
  /// So much is cut off both ends of every track: where people come from and go to.
  package var cutEnds: TimeSpan?
  /// Whole days by which all times are moved back; `nil` leaves them.
  package var daysEarlier: Int?
  /// Every device's times are moved by a span of its own, at most this far, earlier or later.
  package var timeShift: TimeSpan?
  /// Every point is displaced at random, 68 % of them by less than this, metres. Accuracies grow with it.
  package var jitter: Double?
  /// Places become the middle of a square with this side, metres. Accuracies grow with it.
  package var cell: Double?
  /// Times become the beginning of an interval of this length; a stay becomes a point for each of its intervals.
  package var interval: TimeSpan?
  /// Points whose square, floor and interval fewer devices share are removed (k-anonymity); needs ``cell`` and ``interval``.
  package var minimumDevices: Int?

  /// Names only.
  package init() {}

  /// A trace under pseudonyms, and what was removed.
  package struct Result: Hashable, Sendable {
    /// The trace.
    package var trace: Trace
    /// Points that were too far from ``TracePseudonymisation/center``.
    package var far = 0
    /// Points at the ends of tracks.
    package var ends = 0
    /// Points that were the same as another of their device after places and times were made coarser.
    package var merged = 0
    /// Points in squares and intervals that too few devices share.
    package var suppressed = 0
  }

  /// The trace without names, heights and way-points, and with the coarser places and times of the options.
  ///
  /// Devices are called `device-1` and so on, at random, and come in the order of those names. The same generator gives
  /// the same result; anybody who can repeat it can undo the names, shifts and displacements, so it must not be guessable.
  /// - Throws: ``TraceError`` when a point has no time, or no place in degrees, that an option needs.
  package func apply(
    to trace: Trace, using random: inout some RandomNumberGenerator
  ) throws(TraceError) -> Result {
    var result = Result(trace: Trace(format: trace.format, name: "trace"))
    // How much could not be read, but not what: reasons may quote the file.
    result.trace.faultCount = trace.faultCount
    var labels: [String: Int] = [:]
    var tracks: [(device: Int, track: TraceTrack)] = []
    for track in trace.movements {
      let device = labels[track.label] ?? labels.count
      labels[track.label] = device
      tracks.append((device, TraceTrack(kind: track.kind, points: track.points)))
    }
    let names = TracePseudonymisation.shuffled(labels.count, using: &random)
    let shifts = (0..<labels.count).map { _ in shift(using: &random) }
    // In the order of the new names, which says nothing of the old ones; the tracks of a device stay in theirs.
    let order = tracks.indices.sorted { (names[tracks[$0].device], $0) < (names[tracks[$1].device], $1) }
    for index in order {
      var track = tracks[index].track
      track.device = "device-\(names[tracks[index].device] + 1)"
      try keepNear(&track, &result)
      try cut(&track, &result)
      try move(&track, by: shifts[tracks[index].device], using: &random)
      try coarsen(&track, &result)
      if !track.points.isEmpty { result.trace.tracks.append(track) }
    }
    if interval != nil { mergeTracks(&result) }
    try suppress(&result)
    return result
  }

  /// The numbers 0 ..< count in a random order.
  private static func shuffled(_ count: Int, using random: inout some RandomNumberGenerator) -> [Int] {
    var numbers = Array(0..<count)
    for index in numbers.indices { numbers.swapAt(index, index + random.index(below: count - index)) }
    return numbers
  }

  private func shift(using random: inout some RandomNumberGenerator) -> TimeSpan {
    let days = TimeSpan.days(-Int64(daysEarlier ?? 0))
    guard let most = timeShift?.milliseconds, most > 0, most < .max / 4 else { return days }
    return days + .milliseconds(Int64(random.index(below: Int(2 * most + 1))) - most)
  }

  private func keepNear(_ track: inout TraceTrack, _ result: inout Result) throws(TraceError) {
    guard let center else { return }
    let frame = LocalFrame(origin: center)
    var kept: [TracePoint] = []
    for point in track.points {
      guard case .degrees(let place) = point.place else {
        throw TraceError(.unsuitable, "its places are metres, which --near is not", line: point.line)
      }
      let offset = frame.project(place)
      if offset.x * offset.x + offset.y * offset.y <= radius * radius { kept.append(point) }
    }
    result.far += track.points.count - kept.count
    track.points = kept
  }

  private func cut(_ track: inout TraceTrack, _ result: inout Result) throws(TraceError) {
    guard let cutEnds else { return }
    var first = Instant(milliseconds: .max)
    var last = Instant(milliseconds: .min)
    for point in track.points {
      let time = try required(point.time, of: point, "--cut-ends")
      first = min(first, time + cutEnds)
      last = max(last, max(point.stillUntil ?? time, time) - cutEnds)
    }
    var kept: [TracePoint] = []
    for var point in track.points {
      guard let time = point.time else { continue }
      // A stay that begins or ends in what is cut off is shortened.
      let until = min(max(point.stillUntil ?? time, time), last)
      guard max(time, first) <= until else { continue }
      point.time = max(time, first)
      point.stillUntil = point.stillUntil.map { _ in until }
      kept.append(point)
    }
    result.ends += track.points.count - kept.count
    track.points = kept
  }

  private func move(
    _ track: inout TraceTrack, by shift: TimeSpan, using random: inout some RandomNumberGenerator
  ) throws(TraceError) {
    for index in track.points.indices {
      track.points[index].elevation = nil
      track.points[index].line = 0
      if timeShift != nil { _ = try required(track.points[index].time, of: track.points[index], "--time-shift") }
      track.points[index].time = track.points[index].time.map { $0 + shift }
      track.points[index].stillUntil = track.points[index].stillUntil.map { $0 + shift }
      if let jitter {
        track.points[index].displace(radius: jitter, using: &random)
        track.points[index].widen(by: jitter)
      }
    }
  }

  private func coarsen(_ track: inout TraceTrack, _ result: inout Result) throws(TraceError) {
    guard cell != nil || interval != nil else { return }
    let grid = SightingGrid(cell: cell ?? 1, interval: interval ?? .seconds(1))
    var points: [TracePoint] = []
    for var point in track.points {
      if let cell {
        point.place = grid.middle(of: point.place)
        // 68 % of a square lie within this distance of its middle.
        point.widen(by: 0.465_3 * cell)
      }
      guard interval != nil else {
        points.append(point)
        continue
      }
      let start = grid.beginning(of: try required(point.time, of: point, "--bin"))
      let count = try grid.sightings(of: point).count
      point.stillUntil = nil
      for number in 0..<count {
        point.time = start + .milliseconds(Int64(number) &* grid.interval.milliseconds)
        points.append(point)
      }
      guard points.count <= TraceLimits().points else {
        throw TraceError(.tooLarge, "has too many intervals; a wider --bin gives fewer")
      }
    }
    track.points = points
  }

  /// One track for each device, sorted, so that nothing shows the order within an interval; what is there twice once.
  private func mergeTracks(_ result: inout Result) {
    var merged: [TraceTrack] = []
    for track in result.trace.tracks {
      if merged.last?.device == track.device {
        merged[merged.count - 1].points += track.points
      } else {
        merged.append(track)
      }
    }
    let grid = SightingGrid(cell: cell ?? 1e-3, interval: interval ?? .seconds(1))
    for index in merged.indices {
      var seen: Set<SightingGrid.Sighting> = []
      var kept: [(sighting: SightingGrid.Sighting, point: TracePoint)] = []
      for point in merged[index].points {
        guard let sighting = try? grid.sightings(of: point).first, seen.insert(sighting).inserted else { continue }
        kept.append((sighting, point))
      }
      result.merged += merged[index].points.count - kept.count
      merged[index].points = kept.sorted { $0.sighting < $1.sighting }.map(\.point)
    }
    result.trace.tracks = merged
  }

  private func suppress(_ result: inout Result) throws(TraceError) {
    guard let minimumDevices, minimumDevices > 1, let cell, let interval else { return }
    let grid = SightingGrid(cell: cell, interval: interval)
    var devices: [SightingGrid.Sighting: Int] = [:]
    for track in result.trace.tracks {
      for point in track.points { for sighting in try grid.sightings(of: point) { devices[sighting, default: 0] += 1 } }
    }
    for index in result.trace.tracks.indices {
      var kept: [TracePoint] = []
      for point in result.trace.tracks[index].points {
        if try grid.sightings(of: point).allSatisfy({ devices[$0, default: 0] >= minimumDevices }) {
          kept.append(point)
        }
      }
      result.suppressed += result.trace.tracks[index].points.count - kept.count
      result.trace.tracks[index].points = kept
    }
    result.trace.tracks.removeAll(where: \.points.isEmpty)
  }

  private func required(_ time: Instant?, of point: TracePoint, _ option: String) throws(TraceError) -> Instant {
    guard let time else {
      throw TraceError(.missing, "a point has no time, which \(option) needs", line: point.line)
    }
    return time
  }
}

extension TracePoint {
  /// Moves a point by a Gaussian displacement, 68 % of them less than a radius, metres.
  fileprivate mutating func displace(radius: Double, using random: inout some RandomNumberGenerator) {
    // 68 % of a Gaussian in the plane lie within 1.5096 standard deviations of one axis; Box and Muller 1958.
    let length = radius / 1.5096 * (-2 * PortableMath.log(1 - random.unit())).squareRoot()
    let angle = 2 * Double.pi * random.unit()
    let offset = PlanePoint(x: length * PortableMath.cos(angle), y: length * PortableMath.sin(angle))
    switch place {
    case .metres(let point): place = .metres(PlanePoint(x: point.x + offset.x, y: point.y + offset.y))
    case .degrees(let coordinate):
      var moved = LocalFrame(origin: coordinate).unproject(offset)
      moved.latitude = min(max(moved.latitude, -90), 90)
      if moved.longitude > 180 { moved.longitude -= 360 }
      if moved.longitude < -180 { moved.longitude += 360 }
      place = .degrees(moved)
    }
  }

  /// Adds an error in metres (68 %) to the accuracy, which is then whole metres: decimals would distinguish devices.
  fileprivate mutating func widen(by error: Double) {
    accuracy = accuracy.map { ($0 * $0 + error * error).squareRoot().rounded(.up) }
  }
}
