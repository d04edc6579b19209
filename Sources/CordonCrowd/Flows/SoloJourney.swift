import CordonCore
import CordonGeometry
import CordonNavigation

/// A person without a body, whom a movement model moves from stop to stop.
protocol SoloWalker: Sendable {
  var itinerary: Itinerary { get }
  var timed: TimedTrack { get set }

  /// Moves the person to the spot of a stop; returns `false` if no way leads there.
  mutating func go(to stop: Itinerary.Stop) -> Bool

  /// Moves the person out of the building, unless the run has ended.
  mutating func leave()

  /// Returns the point and floor of a stop, and its space.
  func position(of stop: Itinerary.Stop) -> (point: PlanePoint, floor: Int32, space: Int?)
}

/// The journey of a person without a body, which pauses at each queue until the station serves the person.
struct SoloJourney<Walker: SoloWalker>: Sendable {
  private(set) var walker: Walker
  /// The index of the current or next stop.
  private(set) var stop = 0
  /// The times at which the person left the stops so far, for people with companions, in milliseconds since 1970.
  private(set) var departures: [Int64] = []
  /// The time of arrival in the current queue, in milliseconds since 1970.
  private var since: Int64 = 0

  /// Whether others may wait for the person to leave a stop.
  private let hasCompany: Bool

  init(_ walker: Walker) {
    self.walker = walker
    hasCompany = walker.itinerary.companion != nil && walker.itinerary.leader == nil
  }

  var itinerary: Itinerary { walker.itinerary }

  /// The current or next stop; `nil` after the last one.
  var currentStop: Itinerary.Stop? { stop < itinerary.stops.count ? itinerary.stops[stop] : nil }

  private mutating func leaveStop() {
    if hasCompany { departures.append(walker.timed.stamp) }
    stop += 1
  }

  /// Moves on to the next queue, and returns the time of arrival there; `nil` if the visit or the run ended before.
  ///
  /// Companions pause at every stop.
  mutating func advance() -> Int64? {
    while let next = currentStop, !walker.timed.hasEnded {
      guard walker.go(to: next) else {
        walker.timed.countUnreachable()
        leaveStop()
        continue
      }
      if next.hasQueue || itinerary.leader != nil {
        guard !walker.timed.hasEnded else { break }
        since = walker.timed.stamp
        return since
      }
      let (point, floor, space) = walker.position(of: next)
      guard walker.timed.stay(at: next, space: space, point: point, floor: floor) else { break }
      leaveStop()
    }
    walker.leave()
    return nil
  }

  /// Ends the wait in the current queue. The service begins, unless the person was called from elsewhere.
  mutating func endWait(at time: Int64) {
    guard let here = currentStop else { return }
    let (point, floor, space) = walker.position(of: here)
    walker.timed.wait(for: here, since: since, until: time, point: point, floor: floor)
    if here.isUntilCalled {
      walker.timed.recordStay(at: here, space: space, since: since)
      leaveStop()
    }
    since = walker.timed.stamp
  }

  /// Ends the service at the current stop, or the stay of a companion there.
  mutating func endStay(at time: Int64) {
    guard let here = currentStop else { return }
    let (point, floor, space) = walker.position(of: here)
    walker.timed.wait(until: Double(time), at: point, floor: floor)
    walker.timed.recordStay(at: here, space: space, since: since)
    leaveStop()
  }

  /// Makes the person skip all further stops.
  mutating func skipStops() { while stop < itinerary.stops.count { leaveStop() } }
}
