import CordonContacts
import CordonCore
import CordonGeometry
import CordonNavigation

/// The track of a person without a body, recorded move by move.
struct TimedTrack: MoveRecorder {
  private(set) var track = Track()
  private let itinerary: Itinerary
  /// The end of the run, in milliseconds since 1970.
  let end: Int64
  /// The time in milliseconds since 1970, not rounded, so that rounding errors do not add up.
  private(set) var time: Double
  /// The end of the last segment, in milliseconds since 1970.
  private(set) var stamp: Int64

  /// Minimum duration of a stay in milliseconds, also for people who arrive late.
  static let minimumStay: Int64 = 5_000

  /// Creates an empty track that begins at the arrival of an itinerary.
  init(_ itinerary: Itinerary, end: Int64) {
    self.itinerary = itinerary
    self.end = end
    stamp = itinerary.arrival.milliseconds
    time = Double(stamp)
  }

  /// Whether the run has ended.
  var hasEnded: Bool { stamp >= end }

  /// Records a move between two points of a floor at constant speed; after the end of the run, only the clock advances.
  mutating func advance(seconds: Double, from a: PlanePoint, to b: PlanePoint, floor: Int32) {
    guard stamp < end else { return }
    time += seconds * 1_000
    // The bound prevents an overflow in the arithmetic below.
    let until = Int64(min(time, 9e15).rounded())
    guard until > stamp else { return }
    let last = min(until, end)
    var reached = b
    if last < until {
      let point = PlaneSegment(a, b).point(at: Double(last - stamp) / Double(until - stamp))
      reached = PlanePoint(x: (point.x * 1e4).rounded() / 1e4, y: (point.y * 1e4).rounded() / 1e4)
    }
    track.segments.append(
      Segment(
        device: Int32(itinerary.person), floor: floor, start: stamp, end: last, x0: a.x, y0: a.y, x1: reached.x,
        y1: reached.y))
    stamp = until
  }

  /// Records half of a ride, which takes at least as long as the walk across its part of the floor.
  mutating func ride(seconds: Double, from a: PlanePoint, to b: PlanePoint, floor: Int32) {
    advance(
      seconds: max(seconds / 2, PlaneSegment(a, b).length / itinerary.freeSpeed), from: a, to: b, floor: floor)
  }

  /// Records a wait at a point.
  mutating func wait(until limit: Double, at point: PlanePoint, floor: Int32) {
    advance(seconds: max(0, limit - time) / 1_000, from: point, to: point, floor: floor)
  }

  /// Delays the arrival of a person who waits outside; nothing has been recorded yet.
  mutating func arrive(at later: Int64) {
    guard track.segments.isEmpty, later > stamp else { return }
    stamp = min(later, end)
    time = Double(stamp)
  }

  /// Records a stay at a stop, which begins now.
  /// - Returns: `false` if the run ended before the stay.
  mutating func stay(at stop: Itinerary.Stop, space: Int?, point: PlanePoint, floor: Int32) -> Bool {
    let start = stamp
    wait(until: max(time, Double(stop.end(from: Int64(time), minimum: Self.minimumStay))), at: point, floor: floor)
    guard start < end else { return false }
    recordStay(at: stop, space: space, since: start)
    return true
  }

  /// Records a stay that ends now.
  mutating func recordStay(at stop: Itinerary.Stop, space: Int?, since start: Int64) {
    guard start < min(stamp, end) else { return }
    track.stays.append(
      Stay(
        destination: stop.destination, space: space, start: Instant(milliseconds: start),
        end: Instant(milliseconds: min(stamp, end))))
  }

  /// Records a wait, for service at a stop or for room in a space, that began at `start`.
  mutating func recordWait(_ reason: Wait.Reason, floor: Int, since start: Int64, until limit: Int64) {
    guard start < end else { return }
    track.waits.append(
      Wait(
        reason: reason, floor: floor, start: Instant(milliseconds: start), end: Instant(milliseconds: min(limit, end))))
  }

  /// Counts a stop or an exit without a way to it.
  mutating func countUnreachable() { track.unreachable += 1 }

  /// Records that the person walked out of the building.
  mutating func leave() { track.hasLeft = stamp <= end }
}
