import CordonCore
import CordonGeometry
import CordonMonitoring

/// A phone in somebody's pocket: a model of the operating system and its sensors round the real runtime.
///
/// It knows the truth only to make fixes, crossings and motion out of it; everything that the runtime
/// learns is what an operating system would tell it.
struct VirtualPhone {
  /// The person who carries it.
  let person: Int
  /// The library, exactly as on a real phone.
  private(set) var runtime: Runtime

  private let frame: LocalFrame
  private let ordinals: [FloorOrdinal]
  private let interval: TimeSpan
  private let first: Instant
  private let last: Instant
  private var path: CarrierPath
  private var error: PositionError
  private var nextTick: Instant
  private var tick = 0
  private var hasStarted = false
  private var responses: [(due: Instant, response: Response)] = []

  // What the operating system has been asked for.
  private var isPositioning = false
  private var wantsOneFix = false
  private var region: Geofence?
  private var isInRegion = false
  private var wakeFence: (center: PlanePoint, radius: Double)?
  private var motion: Motion?
  private var stillSince: Instant?

  /// Fixes that were made, whether or not the runtime kept them.
  private(set) var fixesMade = 0

  struct Setting {
    var frame: LocalFrame
    /// Every ordinal of the venue, ascending.
    var ordinals: [FloorOrdinal]
    var gate: any VenueGate
    var interval: TimeSpan
    var start: Instant
    var end: Instant
    /// How long after somebody stops or starts to move the motion sensors say so.
    var motionDelay = TimeSpan.seconds(10)
    var latency = TimeSpan.milliseconds(250)
  }

  private let setting: Setting

  init(person: Int, path: CarrierPath, runtime: Runtime, error: PositionError, offset: TimeSpan, setting: Setting) {
    self.person = person
    self.path = path
    self.runtime = runtime
    self.error = error
    self.setting = setting
    frame = setting.frame
    ordinals = setting.ordinals
    interval = setting.interval
    // The first tick at or after the carrier sets out, on the phone's own grid.
    let grid = setting.start + offset
    let steps = max((path.start - grid).milliseconds + interval.milliseconds - 1, 0) / interval.milliseconds
    first = grid + TimeSpan(milliseconds: steps * interval.milliseconds)
    // A minute more, for the last fixes and answers.
    last = min(path.end + .minutes(1), setting.end)
    nextTick = first
  }

  /// Lives on until `end` (excluded), or until the carrier is gone.
  /// - Parameter carry: takes a request to its sink and brings the answer.
  mutating func advance(until end: Instant, output: inout Output, carry: (Request, Instant) throws -> Response) rethrows
  {
    while nextTick < end, nextTick <= last {
      try live(at: nextTick, output: &output, carry: carry)
      nextTick = nextTick + interval
      tick += 1
    }
  }

  /// The last moments: monitoring stops, and what is still on the phone is sent once.
  mutating func finish(at now: Instant, output: inout Output, carry: (Request, Instant) throws -> Response) rethrows {
    guard hasStarted else { return }
    var time = now
    try step(.stop, at: time, output: &output, carry: carry)
    try step(.flush, at: time, output: &output, carry: carry)
    // Each answer may start another request, and a row whose stay grew while it was on its way waits a moment.
    for _ in 0..<64 {
      if responses.isEmpty {
        guard runtime.accounting.onPhone > 0, let due = runtime.nextTimer else { return }
        time = max(time, Instant(milliseconds: due.milliseconds))
        guard time <= now + .minutes(10) else { return }
        try step(.wake, at: time, output: &output, carry: carry)
        if responses.isEmpty { return }
      }
      time = time + setting.latency
      try deliver(at: time, output: &output, carry: carry)
      try step(.flush, at: time, output: &output, carry: carry)
    }
  }

  private mutating func live(at now: Instant, output: inout Output, carry: (Request, Instant) throws -> Response)
    rethrows
  {
    if !hasStarted {
      hasStarted = true
      try step(.venue(setting.gate), at: now, output: &output, carry: carry)
      try step(.permission(.always), at: now, output: &output, carry: carry)
      try step(.consent(Consent(version: "simulated-1", time: now)), at: now, output: &output, carry: carry)
      try step(.invite(code: "SIMULATED"), at: now, output: &output, carry: carry)
      try step(.start, at: now, output: &output, carry: carry)
    }
    try deliver(at: now, output: &output, carry: carry)
    let place = path.place(at: now)
    try senseRegion(place, at: now, output: &output, carry: carry)
    try senseMotion(place, at: now, output: &output, carry: carry)
    if isPositioning || wantsOneFix {
      wantsOneFix = false
      fixesMade += 1
      try step(.fix(fix(of: place, at: now)), at: now, output: &output, carry: carry)
    }
    if let due = runtime.nextTimer, due <= Moment(virtual: now).monotonic {
      try step(.wake, at: now, output: &output, carry: carry)
    }
  }

  private mutating func deliver(at now: Instant, output: inout Output, carry: (Request, Instant) throws -> Response)
    rethrows
  {
    while let index = responses.firstIndex(where: { $0.due <= now }) {
      let response = responses.remove(at: index).response
      runtime.step(Moment(virtual: now), response: response, into: &output)
      try obey(&output, at: now, carry: carry)
    }
  }

  private mutating func step(
    _ event: Event.Kind, at now: Instant, output: inout Output, carry: (Request, Instant) throws -> Response
  ) rethrows {
    runtime.step(Moment(virtual: now), event, into: &output)
    try obey(&output, at: now, carry: carry)
  }

  private mutating func obey(_ output: inout Output, at now: Instant, carry: (Request, Instant) throws -> Response)
    rethrows
  {
    for command in output.commands {
      switch command {
      case .startPositioning: isPositioning = true
      case .stopPositioning: isPositioning = false
      case .requestFix: wantsOneFix = true
      case .watchRegion(let fence):
        region = fence
        isInRegion = false
      case .unwatchRegion: region = nil
      case .watchWakeFence(let center, let radius): wakeFence = (frame.project(center), radius)
      case .unwatchWakeFence: wakeFence = nil
      }
    }
    for request in output.requests {
      responses.append((due: now + setting.latency, response: try carry(request, now)))
    }
    output.removeAll()
  }

  private mutating func senseRegion(
    _ place: CarrierPath.Place, at now: Instant, output: inout Output, carry: (Request, Instant) throws -> Response
  ) rethrows {
    if let region {
      let center = frame.project(region.center)
      let distance = PlanePoint.distance(center, place.point)
      if !isInRegion, distance <= region.radius {
        isInRegion = true
        try step(.region(.entered), at: now, output: &output, carry: carry)
      } else if isInRegion, distance > region.exitRadius {
        isInRegion = false
        try step(.region(.exited), at: now, output: &output, carry: carry)
      }
    }
    if let fence = wakeFence, PlanePoint.distance(fence.center, place.point) > fence.radius {
      wakeFence = nil
      try step(.leftWakeFence, at: now, output: &output, carry: carry)
    }
  }

  private mutating func senseMotion(
    _ place: CarrierPath.Place, at now: Instant, output: inout Output, carry: (Request, Instant) throws -> Response
  ) rethrows {
    guard place.isStill else {
      stillSince = nil
      if motion != .moving {
        motion = .moving
        try step(.motion(.moving), at: now, output: &output, carry: carry)
      }
      return
    }
    let since = stillSince ?? now
    stillSince = since
    if motion != .still, now - since >= setting.motionDelay {
      motion = .still
      try step(.motion(.still), at: now, output: &output, carry: carry)
    }
  }

  private mutating func fix(of place: CarrierPath.Place, at now: Instant) -> Fix {
    let sample = error.sample(fix: tick, at: now)
    let point = PlanePoint(x: place.point.x + sample.offset.x, y: place.point.y + sample.offset.y)
    let exact = frame.unproject(point)
    // Seven decimals, a centimetre, are what phones report and what is sent; the rest would not survive anyway.
    let coordinate = Coordinate(
      longitude: (exact.longitude * 1e7).rounded() / 1e7, latitude: (exact.latitude * 1e7).rounded() / 1e7)
    return Fix(coordinate: coordinate, accuracy: sample.accuracy, floor: reported(place.floor, sample.floor), time: now)
  }

  private func reported(_ floor: FloorOrdinal?, _ report: PositionError.FloorReport) -> FloorOrdinal? {
    guard let floor else { return nil }
    switch report {
    case .right: return floor
    case .unknown: return nil
    case .wrong(let isUp):
      guard let index = ordinals.firstIndex(of: floor) else { return nil }
      let other = index + (isUp ? 1 : -1)
      return ordinals.indices.contains(other) ? ordinals[other] : nil
    }
  }
}

extension PlanePoint {
  static func distance(_ a: PlanePoint, _ b: PlanePoint) -> Double {
    let dx = a.x - b.x
    let dy = a.y - b.y
    return (dx * dx + dy * dy).squareRoot()
  }
}
