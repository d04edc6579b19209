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

  /// The maximum number of samples from the beginning.
  private static let mostSamples = 256
  /// The distance in metres from the centre within which a person has arrived.
  private static let nearDistance = 20.0

  init(_ fix: PresenceFix, place: VisitPlace, hasBefore: Bool) {
    self.place = place
    self.hasBefore = hasBefore
    first = fix
    lastInside = fix
    lastNear = fix
    frame = LocalFrame(origin: fix.coordinate)
    add(fix)
  }

  /// The observed time in milliseconds.
  var dwell: Int64 { lastInside.until - first.time - unknown }

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
    let weight = 1 / max(accuracy * accuracy, 1)
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
    guard place == .other else {
      arrival = first
      return
    }
    // The second half is there; the first one may be the way.
    let half = beginning[(beginning.count / 2)...]
    let count = Double(half.count)
    let goal = PlanePoint(
      x: half.reduce(0) { $0 + $1.point.x } / count, y: half.reduce(0) { $0 + $1.point.y } / count)
    let arrived = beginning.first { sample in
      let accuracy = sample.fix.hasAccuracy ? sample.fix.accuracy : MovementRules.unknownAccuracy
      return StayCluster.distance(sample.point, goal) <= StayCluster.near(accuracy)
    }
    arrival = arrived?.fix ?? first
    // The way to it is not a part of the place.
    let weight = sum.weight / 2
    sum = (goal.x * weight, goal.y * weight, weight)
    beginning = []
  }

  /// The visit; `nil` as long as it is too short.
  /// - Parameter isDepartureKnown: whether a fix outside followed shortly.
  func visit(isDepartureKnown: Bool) -> PresenceVisit? {
    guard let arrival else { return nil }
    let end = isDepartureKnown ? lastNear : lastInside
    return PresenceVisit(
      place: place, coordinate: coordinate, arrival: arrival.time, departure: end.until,
      isArrivalKnown: hasBefore || arrival.time > first.time, isDepartureKnown: isDepartureKnown,
      unknown: isDepartureKnown ? unknownUntilNear : unknown)
  }
}
