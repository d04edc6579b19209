internal import CordonCore
internal import CordonGeometry

extension ResolvedTrace {
  /// Creates fixes from traces.
  ///
  /// - Throws: ``TraceError`` with the code `missing` if neither the files nor the assumptions contain times or the
  ///   origin of positions in metres; `empty` if there are no positions; `too-large` if stays need too many fixes.
  package init(_ traces: [Trace], _ assumptions: TraceAssumptions) throws(TraceError) {
    var resolution = TraceResolution(assumptions)
    for trace in traces { resolution.addMovement(of: trace) }
    try resolution.resolve(isReplay: true)
    for trace in traces { resolution.sayOrder(of: trace) }
    var fixes: [String: [TracedFix]] = [:]
    for part in resolution.parts {
      for point in part.track.points {
        guard let time = point.time, case .degrees(let coordinate) = point.place else { continue }
        let fix = Fix(
          coordinate: coordinate, accuracy: point.accuracy, floor: point.floor, time: time, isMocked: point.isMocked)
        fixes[part.track.label, default: []].append(
          TracedFix(fix: fix, file: part.file, line: max(point.line, 0), isInterpolated: point.line < 0))
      }
    }
    if !assumptions.keepsFileOrder {
      for (name, list) in fixes {
        // Fixes of one time stay in the order of the file.
        let order = list.indices.sorted { (list[$0].fix.time, $0) < (list[$1].fix.time, $1) }
        fixes[name] = order.map { list[$0] }
      }
    }
    devices = fixes.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map {
      Device(name: $0, fixes: fixes[$0] ?? [])
    }
    assumed = resolution.sentences
  }
}

extension Trace {
  /// Merges traces into one that can be written in any format: devices have names, times are moved and gaps are filled.
  ///
  /// Positions in metres become degrees if the assumptions contain an origin. The result has the format and the name of
  /// the first trace.
  ///
  /// - Returns: the trace, and a sentence for each assumption and each omission.
  package static func resolved(
    _ traces: [Trace], _ assumptions: TraceAssumptions
  ) throws(TraceError) -> (trace: Trace, assumed: [String]) {
    var resolution = TraceResolution(assumptions)
    for trace in traces { resolution.addTracks(of: trace, isOneOfMany: traces.count > 1) }
    try resolution.resolve(isReplay: false)
    var whole = Trace(format: traces.first?.format ?? .csv, name: traces.first?.name ?? "")
    whole.tracks = resolution.parts.map(\.track)
    for trace in traces {
      whole.faultCount += trace.faultCount
      whole.faults += trace.faults.prefix(Trace.listedFaults - whole.faults.count)
      for remark in trace.remarks { whole.remark(remark) }
    }
    return (whole, resolution.sentences)
  }
}

extension String {
  /// The text with a space in place of every control character.
  fileprivate var oneLine: String {
    var result = ""
    for scalar in unicodeScalars {
      result.unicodeScalars.append(scalar.properties.generalCategory == .control ? " " : scalar)
    }
    return result
  }
}

/// A collector of traces and of the assumptions made.
struct TraceResolution {
  /// A track and its file.
  struct Part {
    var file: String
    var track: TraceTrack
  }

  /// Tracks with devices that have no names yet.
  private struct Input {
    var file: String
    var tracks: [TraceTrack]
    /// The source of device names; `nil` keeps the devices unchanged.
    var source: TraceAssumptions.DeviceSource?

    /// Checks whether the device of a track gets the name of the file.
    func isNamedByFile(_ track: TraceTrack) -> Bool {
      source.map { $0 != .name || track.label.isEmpty } ?? false
    }
  }

  private var inputs: [Input] = []
  private(set) var parts: [Part] = []
  /// The assumptions and omissions.
  private(set) var sentences: [String] = []
  private let assumptions: TraceAssumptions
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

  // MARK: Tracks and devices

  /// Adds the points that a device can have moved along.
  mutating func addMovement(of trace: Trace) {
    reportReading(of: trace)
    // Way-points beside a track are places of interest, not movement.
    let kinds = Set(trace.tracks.map(\.kind))
    let kind: TraceTrack.Kind = kinds.contains(.track) ? .track : kinds.contains(.route) ? .route : .waypoints
    let used = trace.tracks.filter { $0.kind == kind }
    let aside = trace.pointCount - used.reduce(0) { $0 + $1.points.count }
    if aside > 0 { say("\(trace.name): \(aside) way-points or route points beside its tracks are left aside") }
    if kind == .route { say("\(trace.name): a planned route is replayed as if it had been walked") }
    let hasNames = used.contains { $0.device != nil } || Set(used.map(\.name)).count > 1
    inputs.append(
      Input(file: trace.name, tracks: used, source: assumptions.deviceFrom ?? (hasNames ? .name : .file)))
  }

  /// Adds all points. Devices keep their names unless the assumptions have another source. Unnamed devices of several
  /// files get the names of their files.
  mutating func addTracks(of trace: Trace, isOneOfMany: Bool) {
    reportReading(of: trace)
    let source = assumptions.deviceFrom ?? (isOneOfMany ? .name : nil)
    inputs.append(Input(file: trace.name, tracks: trace.tracks, source: source))
  }

  private mutating func reportReading(of trace: Trace) {
    for remark in trace.remarks { say("\(trace.name): \(remark)") }
    if trace.faultCount > 0 {
      // A reason may quote arbitrary text of the file; a sentence has one line.
      let first = trace.faults.first.map { ", the first in line \($0.line): \($0.reason.oneLine)" } ?? ""
      let places = trace.faultCount == 1 ? "1 place could not be read" : "\(trace.faultCount) places could not be read"
      say("\(trace.name): \(places)\(first)")
    }
  }

  /// Says how many points came late in a file.
  mutating func sayOrder(of trace: Trace) {
    let count = trace.outOfOrder
    guard count > 0 else { return }
    let points = count == 1 ? "1 point comes" : "\(count) points come"
    let use = assumptions.keepsFileOrder ? "late, and delivered so" : "after a later one of the device; times decide"
    say("\(trace.name): \(points) \(use)")
  }

  private mutating func nameDevices() {
    var names = TraceNames()
    for input in inputs {
      for track in input.tracks where !input.isNamedByFile(track) { names.reserve(track.label) }
    }
    for input in inputs {
      var stem: String?
      if input.tracks.contains(where: input.isNamedByFile) {
        let (name, isNumbered) = names.name(for: input.file)
        stem = name
        if isNumbered {
          say("\(input.file): its device is called \(name), as another is called \(TraceNames.stem(of: input.file))")
        }
      }
      for (number, track) in input.tracks.enumerated() {
        var track = track
        if let stem, input.isNamedByFile(track) {
          track.device = input.source == .track ? "\(stem)-\(number + 1)" : stem
        } else if input.source != nil {
          track.device = track.label
        }
        parts.append(Part(file: input.file, track: track))
      }
    }
    inputs = []
  }

  // MARK: Points

  /// Names the devices and applies all assumptions to the points.
  ///
  /// - Parameter isReplay: whether the points are for a replay, which needs times and positions in degrees. Stays then
  ///   become fixes.
  mutating func resolve(isReplay: Bool) throws(TraceError) {
    nameDevices()
    let all = parts.reduce(0) { $0 + $1.track.points.count }
    let known = parts.reduce(0) { $0 + $1.track.points.count { $0.time != nil } }
    if isReplay {
      guard all > 0 else { throw TraceError(.empty, "holds no position that can be replayed") }
      if known == 0, assumptions.start == nil {
        throw TraceError(.missing, "none of its points has a time; say when the first was measured (--start)")
      }
    }
    moveTimes(hasTimes: known > 0)
    if isReplay, known > 0, known < all { say("\(all - known) points without a time are left out") }
    fillValues()
    try place(isRequired: isReplay)
    if isReplay { try expandStays() }
    interpolate()
  }

  private mutating func moveTimes(hasTimes: Bool) {
    guard let start = assumptions.start else { return }
    guard hasTimes else {
      say("no point has a time: the first is at \(start.rfc3339), and \(assumptions.step) lie between two")
      for index in parts.indices {
        for place in parts[index].track.points.indices {
          let (passed, overflow) = assumptions.step.milliseconds.multipliedReportingOverflow(by: Int64(place))
          parts[index].track.points[place].time = start + TimeSpan(milliseconds: overflow ? .max : passed)
        }
      }
      return
    }
    let first = parts.lazy.flatMap { $0.track.points.lazy.compactMap(\.time) }.min()
    guard let first, start != first else { return }
    let shift = start - first
    say("all times are moved by \(shift), so that the first is at \(start.rfc3339)")
    for index in parts.indices {
      for place in parts[index].track.points.indices {
        let point = parts[index].track.points[place]
        parts[index].track.points[place].time = point.time.map { $0 + shift }
        parts[index].track.points[place].stillUntil = point.stillUntil.map { $0 + shift }
      }
    }
  }

  private mutating func fillValues() {
    var count = (accuracy: 0, floor: 0)
    for index in parts.indices {
      for place in parts[index].track.points.indices {
        if let accuracy = assumptions.accuracy, parts[index].track.points[place].accuracy == nil {
          parts[index].track.points[place].accuracy = accuracy
          count.accuracy += 1
        }
        if let floor = assumptions.floor, parts[index].track.points[place].floor == nil {
          parts[index].track.points[place].floor = floor
          count.floor += 1
        }
      }
    }
    if let accuracy = assumptions.accuracy, count.accuracy > 0 {
      say("\(count.accuracy) points without an accuracy are taken to be right to \(accuracy) m")
    }
    if let floor = assumptions.floor, count.floor > 0 {
      say("\(count.floor) points without a floor are taken to be on floor \(floor)")
    }
  }

  private mutating func place(isRequired: Bool) throws(TraceError) {
    var isMetres = false
    for index in parts.indices {
      for number in parts[index].track.points.indices {
        let point = parts[index].track.points[number]
        guard case .metres(let metres) = point.place else { continue }
        guard let frame else {
          if !isRequired { continue }
          throw TraceError(.missing, "its places are metres; say where they lie (--origin lon,lat)", line: point.line)
        }
        isMetres = true
        // The y axis points `bearing` degrees east of north.
        let east = metres.x * turn.cosine + metres.y * turn.sine
        let north = metres.y * turn.cosine - metres.x * turn.sine
        parts[index].track.points[number].place = .degrees(frame.unproject(PlanePoint(x: east, y: north)))
      }
    }
    if isMetres, let origin = assumptions.origin {
      say(
        "metres count from \(origin.longitude),\(origin.latitude), their y axis \(assumptions.bearing) degrees east of north"
      )
    }
  }

  private mutating func expandStays() throws(TraceError) {
    let interval = max(assumptions.stayInterval, .milliseconds(1))
    var count = (stays: 0, made: 0, cut: 0)
    for index in parts.indices {
      // A point without a time is not between two points with one.
      let points = parts[index].track.points.filter { $0.time != nil }
      let stays = try TraceFilling.Stays(of: points, every: interval, limit: TraceLimits().points - count.made)
      parts[index].track.points = stays.points
      count = (count.stays + stays.stays, count.made + stays.made, count.cut + stays.cut)
    }
    if count.stays > 0 {
      say("\(count.stays) stays are replayed as \(count.made) more fixes at their places, one every \(interval)")
    }
    if count.cut > 0 { say("\(count.cut) stays end early, as the device's next point is elsewhere before their end") }
  }

  private mutating func interpolate() {
    guard let interval = assumptions.interpolation else { return }
    var made = 0
    for index in parts.indices {
      let points = TraceFilling.lines(between: parts[index].track.points, every: interval)
      made += points.count - parts[index].track.points.count
      parts[index].track.points = points
    }
    if made > 0 { say("\(made) fixes lie on the straight lines between points, one every \(interval)") }
  }
}
