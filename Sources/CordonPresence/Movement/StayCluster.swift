import CordonCore
import CordonGeometry

/// Fixes that lie near one another: a visit, or one that may become it.
struct StayCluster {
  /// A fix in the plane of the cluster.
  struct Sample {
    var fix: PresenceFix
    var point: PlanePoint
  }

  let place: VisitPlace
  let first: PresenceFix
  /// Whether the arrival can be seen: a fix came shortly before.
  let hasBefore: Bool
  /// The end of the last fix before the first one, however long ago, in milliseconds since 1970; `nil` at the start of the
  /// record.
  let endBefore: Int64?
  private let frame: LocalFrame
  private var sum = (x: 0.0, y: 0.0, weight: 0.0)
  /// The first fixes, evenly thinned, from which the arrival is found.
  private var beginning: [Sample] = []
  private var stride = 1
  private var skipped = 0
  /// The last fix that was inside.
  private(set) var lastInside: PresenceFix
  /// The last fix that was near the centre.
  private(set) var lastNear: PresenceFix
  /// The time of gaps in milliseconds.
  var unknown: Int64 = 0
  /// The time of gaps until the last fix near the centre.
  private(set) var unknownUntilNear: Int64 = 0
  /// The time of gaps until the last fix inside.
  private(set) var unknownUntilInside: Int64 = 0
  /// The first fix of the present time outside.
  var outside: PresenceFix?
  /// The arrival; `nil` as long as the visit is too short.
  private(set) var arrival: PresenceFix?
  /// Whether a rest ended before its own end.
  private(set) var isCutShort = false
  /// The end of the last fix before the arrival.
  private var endBeforeArrival: Int64?

  /// The maximum number of samples from the beginning.
  private static let mostSamples = 256
  /// The longest time in milliseconds by which a rest counts more than a fix.
  private static let longestWeight: Int64 = 300_000
  /// The distance in metres from the centre within which a person has arrived.
  private static let nearDistance = 20.0

  init(_ fix: PresenceFix, place: VisitPlace, hasBefore: Bool, endBefore: Int64?) {
    self.place = place
    self.hasBefore = hasBefore
    self.endBefore = endBefore
    first = fix
    lastInside = fix
    lastNear = fix
    frame = LocalFrame(origin: fix.coordinate)
    add(fix)
  }

  /// The observed time in milliseconds.
  var dwell: Int64 { lastInside.until - first.time - unknown }

  /// Whether it is not yet a visit and has lasted long enough for one.
  /// - Parameter minimum: milliseconds.
  func isLongEnough(for minimum: Int64) -> Bool { arrival == nil && dwell >= minimum }

  /// Whether it is a visit and its last fix near the centre has this time.
  func isArrivedAndNear(at time: Int64) -> Bool { arrival != nil && lastNear.time == time }

  /// The mean position.
  var centre: PlanePoint { PlanePoint(x: sum.x / sum.weight, y: sum.y / sum.weight) }

  /// The mean position.
  var coordinate: Coordinate { frame.unproject(centre) }

  /// The distance in metres of a fix from the centre.
  func distance(of fix: PresenceFix) -> Double { StayCluster.distance(frame.project(fix.coordinate), centre) }

  private static func distance(_ first: PlanePoint, _ second: PlanePoint) -> Double {
    let (dx, dy) = (first.x - second.x, first.y - second.y)
    return (dx * dx + dy * dy).squareRoot()
  }

  /// Adds a fix that is inside.
  mutating func add(_ fix: PresenceFix) {
    let point = frame.project(fix.coordinate)
    let accuracy = fix.hasAccuracy ? fix.accuracy : MovementRules.unknownAccuracy
    let weight = StayCluster.count(of: fix) / max(accuracy * accuracy, 1)
    sum.x += point.x * weight
    sum.y += point.y * weight
    sum.weight += weight
    lastInside = fix
    unknownUntilInside = unknown
    outside = nil
    if arrival == nil { addSample(Sample(fix: fix, point: point)) }
    if place != .other || StayCluster.distance(point, centre) <= StayCluster.near(accuracy) {
      lastNear = fix
      unknownUntilNear = unknown
    }
  }

  /// Prolongs the rest of the last fix that was inside.
  mutating func prolong(until end: Int64) {
    guard end > lastInside.until else { return }
    let before = StayCluster.count(of: lastInside)
    lastInside.until = end
    lastInside.ownUntil = nil
    if lastNear.time == lastInside.time { lastNear = lastInside }
    if let last = beginning.last, last.fix.time == lastInside.time { beginning[beginning.count - 1].fix = lastInside }
    let accuracy = lastInside.hasAccuracy ? lastInside.accuracy : MovementRules.unknownAccuracy
    let weight = (StayCluster.count(of: lastInside) - before) / max(accuracy * accuracy, 1)
    let point = frame.project(lastInside.coordinate)
    sum = (sum.x + point.x * weight, sum.y + point.y * weight, sum.weight + weight)
  }

  /// Ends rests: a device that is seen elsewhere rests no longer.
  mutating func endRest(at time: Int64) {
    isCutShort = isCutShort || lastInside.until > time
    lastInside.until = max(min(lastInside.until, time), lastInside.time)
    lastNear.until = max(min(lastNear.until, time), lastNear.time)
  }

  /// The number of fixes for which a fix counts: a rest counts as a fix of each of its first 300 seconds, so that the fixes on
  /// the way from the place do not move it.
  private static func count(of fix: PresenceFix) -> Double {
    let rest = (fix.ownUntil ?? fix.until) - fix.time
    return rest > 0 ? 1 + Double(min(rest, longestWeight)) / 1_000 : 1
  }

  private static func near(_ accuracy: Double) -> Double { max(nearDistance, 1.5 * accuracy) }

  private mutating func addSample(_ sample: Sample) {
    skipped += 1
    guard skipped >= stride else { return }
    skipped = 0
    beginning.append(sample)
    guard beginning.count > StayCluster.mostSamples else { return }
    beginning = beginning.indices.filter { $0.isMultiple(of: 2) }.map { beginning[$0] }
    stride *= 2
  }

  /// Makes the cluster a visit: the arrival is the first fix near the place where the person is in the end.
  mutating func confirm() {
    guard arrival == nil else { return }
    endBeforeArrival = endBefore
    guard place == .other else {
      arrival = first
      return
    }
    // The second half is there; the first one may be the way.
    let half = beginning[(beginning.count / 2)...]
    var total = (x: 0.0, y: 0.0, count: 0.0)
    for sample in half {
      let count = StayCluster.count(of: sample.fix)
      total = (total.x + sample.point.x * count, total.y + sample.point.y * count, total.count + count)
    }
    let goal = PlanePoint(x: total.x / total.count, y: total.y / total.count)
    let arrived = beginning.firstIndex { sample in
      let accuracy = sample.fix.hasAccuracy ? sample.fix.accuracy : MovementRules.unknownAccuracy
      return StayCluster.distance(sample.point, goal) <= StayCluster.near(accuracy)
    }
    arrival = arrived.map { beginning[$0].fix } ?? first
    if let arrived, arrived > 0 { endBeforeArrival = beginning[arrived - 1].fix.until }
    // The way to it is not a part of the place.
    let weight = sum.weight / 2
    sum = (goal.x * weight, goal.y * weight, weight)
    beginning = []
  }

  /// The visit; `nil` as long as it is too short.
  /// - Parameters:
  ///   - isDepartureKnown: whether a fix outside followed shortly.
  ///   - next: the time of the first fix outside; `nil` without one.
  func visit(isDepartureKnown: Bool, next: Int64?) -> PresenceVisit? {
    guard let arrival else { return nil }
    let end = isDepartureKnown ? lastNear : lastInside
    return PresenceVisit(
      place: place, coordinate: coordinate, arrival: arrival.time, departure: end.until,
      isArrivalKnown: hasBefore || arrival.time > first.time, isDepartureKnown: isDepartureKnown,
      unknown: isDepartureKnown ? unknownUntilNear : unknown,
      arrivalUncertainty: endBeforeArrival.map { max(arrival.time - $0, 0) },
      departureUncertainty: next.map { max($0 - end.until, 0) })
  }
}
