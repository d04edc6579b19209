import CordonCore
import CordonGeometry

/// A trip while it goes on.
struct TripDraft: Sendable {
  private let start: PresenceFix
  private let startPlace: VisitPlace
  private let isStartKnown: Bool
  /// The metres from the place to the first fix.
  private let before: Double
  private var path = PathFilter()
  private var fixes = 0
  /// The path up to the beginning of the present stop.
  private var marked: (fix: PresenceFix, length: Double, fixes: Int)
  private var last: PresenceFix

  init(_ fix: PresenceFix, from place: VisitPlace, isStartKnown: Bool, before: Double = 0) {
    self.before = before
    start = fix
    startPlace = place
    self.isStartKnown = isStartKnown
    last = fix
    marked = (fix, 0, 1)
    add(fix)
  }

  mutating func add(_ fix: PresenceFix) {
    path.add(fix)
    fixes += 1
    last = fix
  }

  /// Leaves a gap out of the path.
  mutating func pause() { path.pause() }

  /// Notes that the person may have arrived at the last fix.
  mutating func mark() { marked = (last, length, fixes) }

  /// The length of the path so far in metres.
  private var length: Double {
    var path = path
    path.pause()
    return path.length
  }

  /// Returns the trip; `nil` when it has no time.
  /// - Parameter isWhole: whether all fixes belong to it; otherwise those up to the mark, and the line from there to its end.
  func ended(at fix: PresenceFix, place: VisitPlace, isEndKnown: Bool, isWhole: Bool) -> PresenceTrip? {
    guard fix.time > start.time else { return nil }
    let distance =
      isWhole ? length : marked.length + Geodesic.distance(from: marked.fix.coordinate, to: fix.coordinate)
    return PresenceTrip(
      start: min(start.until, fix.time), end: fix.time, startPlace: startPlace, endPlace: place,
      startCoordinate: start.coordinate, endCoordinate: fix.coordinate, isStartKnown: isStartKnown,
      isEndKnown: isEndKnown, distance: before + distance, fixes: isWhole ? fixes : marked.fixes)
  }
}
