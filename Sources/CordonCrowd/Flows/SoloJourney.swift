import CordonCore
import CordonGeometry
import CordonNavigation

/// A person without a body, whom a movement model moves from stop to stop.
protocol SoloWalker: Sendable {
  var itinerary: Itinerary { get }

  /// The present place: point and ordinal of the floor in thousandths.
  var here: (point: PlanePoint, floor: Int32) { get }

  /// Goes to the spot of a stop; returns `false`, and records nothing, if no way leads there.
  mutating func go(to stop: Itinerary.Stop, recording way: inout some MoveRecorder) -> Bool

  /// Goes to the exit; returns `false`, and records nothing, if no way leads there.
  mutating func goOut(recording way: inout some MoveRecorder) -> Bool

  /// Returns the point and floor of a stop, and its space.
  func position(of stop: Itinerary.Stop) -> (point: PlanePoint, floor: Int32, space: Int?)

  /// Makes the end of a part of a way the present place, or goes back to the last place.
  /// - Parameters:
  ///   - earlier: the walker before the way began.
  ///   - walked: the moves of the part; none if the person did not set out.
  mutating func turnAround(from earlier: Self, after walked: [MoveList.Move], recording way: inout some MoveRecorder)
}

/// The journey of a person without a body. It pauses at each queue until the station serves the person, and in front of
/// each space with a limit until there is room.
struct SoloJourney<Walker: SoloWalker>: Sendable {
  private(set) var walker: Walker
  private(set) var timed: TimedTrack
  /// The index of the current or next stop.
  private(set) var stop = 0
  /// The times at which the person left the stops so far, for people with companions, in milliseconds since 1970.
  private(set) var departures: [Int64] = []
  /// The spaces that the person has left or will leave, as indices in ``LimitedSpaces/spaces``, with the time.
  private(set) var leaving: [(space: Int, time: Int64)] = []
  /// The time of arrival in the current queue, in milliseconds since 1970.
  private var since: Int64 = 0
  /// The space with a limit that the person is admitted to.
  private var room: Int?
  private var approach: Approach?

  private let limits: LimitedSpaces?
  /// Whether others may wait for the person to leave a stop.
  private let hasCompany: Bool

  /// Where a journey pauses, and the time of arrival there, in milliseconds since 1970.
  enum Pause: Sendable {
    case queue(since: Int64)
    /// In front of a space, an index in ``LimitedSpaces/spaces``.
    case room(Int, since: Int64)
  }

  /// A person in front of a space.
  private struct Approach: Sendable {
    var space: Int
    /// The walker before the way began, and the moves up to here.
    var earlier: Walker
    var walked: [MoveList.Move]
    /// The moves into the space.
    var rest: [MoveList.Move]
    /// Whether the person has not entered the building.
    var isOutside: Bool
  }

  /// Distance from an entrance within which people wait outside, in metres.
  private static var clearance: Double { 1.5 }

  /// - Parameters:
  ///   - walker: the person at the entrance.
  ///   - end: the end of the run, in milliseconds since 1970.
  ///   - limits: the spaces with a limit; `nil` if there are none.
  init(_ walker: Walker, end: Int64, limits: LimitedSpaces?) {
    self.walker = walker
    self.limits = limits
    timed = TimedTrack(walker.itinerary, end: end)
    hasCompany = walker.itinerary.companion != nil && walker.itinerary.leader == nil
  }

  var itinerary: Itinerary { walker.itinerary }

  /// The current or next stop; `nil` after the last one.
  var currentStop: Itinerary.Stop? { stop < itinerary.stops.count ? itinerary.stops[stop] : nil }

  private mutating func leaveStop() {
    if hasCompany { departures.append(timed.stamp) }
    stop += 1
  }

  /// Moves on to the next pause; returns `nil` if the visit or the run ended before.
  ///
  /// Companions pause at every stop.
  mutating func advance() -> Pause? {
    while let next = currentStop, !timed.hasEnded {
      let space = limits?.index(ofDestination: next.destination)
      if let space, space != room {
        guard let pause = approach(next, in: space) else { continue }
        return pause
      }
      let isInRoom = space != nil
      guard go({ $0.go(to: next, recording: &$1) }, isInRoom ? nil : { $0.go(to: next, recording: &$1) }) else {
        timed.countUnreachable()
        leaveStop()
        continue
      }
      if let pause = arrive(at: next) { return pause }
      if timed.hasEnded { break }
    }
    leave()
    return nil
  }

  /// Begins the stay at a stop; returns the pause if others decide when it ends.
  private mutating func arrive(at next: Itinerary.Stop) -> Pause? {
    if next.hasQueue || itinerary.leader != nil {
      guard !timed.hasEnded else { return nil }
      since = timed.stamp
      return .queue(since: since)
    }
    let (point, floor, space) = walker.position(of: next)
    if timed.stay(at: next, space: space, point: point, floor: floor) { leaveStop() }
    return nil
  }

  /// Leaves the building, unless the run has ended.
  private mutating func leave() {
    if !timed.hasEnded {
      if go({ $0.goOut(recording: &$1) }, { $0.goOut(recording: &$1) }) {
        timed.leave()
      } else {
        timed.countUnreachable()
        wait(until: Double(timed.end))
      }
    }
    // A person who turns back in the doorway has a track too.
    if timed.track.segments.isEmpty { wait(until: timed.time + 1_000) }
  }

  private mutating func wait(until time: Double) {
    let (point, floor) = walker.here
    timed.wait(until: time, at: point, floor: floor)
  }

  // MARK: Queues

  /// Ends the wait in the current queue. The service begins, unless the person was called from elsewhere.
  mutating func endWait(at time: Int64) {
    guard let here = currentStop else { return }
    let (point, floor, space) = walker.position(of: here)
    timed.wait(until: Double(time), at: point, floor: floor)
    timed.recordWait(here.waitReason, floor: here.spot.floor, since: since, until: time)
    if here.isUntilCalled {
      timed.recordStay(at: here, space: space, since: since)
      leaveStop()
    }
    since = timed.stamp
  }

  /// Ends the service at the current stop, or the stay of a companion there.
  mutating func endStay(at time: Int64) {
    guard let here = currentStop else { return }
    let (point, floor, space) = walker.position(of: here)
    timed.wait(until: Double(time), at: point, floor: floor)
    timed.recordStay(at: here, space: space, since: since)
    leaveStop()
  }

  /// Makes the person skip all further stops.
  mutating func skipStops() { while stop < itinerary.stops.count { leaveStop() } }

  // MARK: Spaces with a limit

  /// Goes to the last point in front of a space; returns `nil` if no way leads there or the run ends before.
  private mutating func approach(_ next: Itinerary.Stop, in space: Int) -> Pause? {
    guard let limits else { return nil }
    let earlier = walker
    var way = MoveList()
    guard walker.go(to: next, recording: &way) else {
      timed.countUnreachable()
      leaveStop()
      return nil
    }
    var (walked, rest) = way.cut(before: space, of: limits)
    let length = walked.reduce(0) { $0 + PlaneSegment($1.from, $1.to).length }
    let isOutside = timed.track.segments.isEmpty && length <= Self.clearance
    if isOutside { (walked, rest) = ([], way.moves) }
    record(walked)
    guard !timed.hasEnded else { return nil }
    since = timed.stamp
    approach = Approach(space: space, earlier: earlier, walked: walked, rest: rest, isOutside: isOutside)
    return .room(space, since: since)
  }

  /// The time at which the person gives up to wait for room, in milliseconds since 1970.
  var deadline: Int64 {
    guard let next = currentStop else { return since }
    let latest = since + RoomLimits.patience
    // A stay with a planned end is not worth a longer wait.
    guard !next.hasQueue, next.length == nil, itinerary.leader == nil else { return latest }
    return max(min(latest, next.leave.milliseconds - TimedTrack.minimumStay), since)
  }

  /// Records a wait for room that ends at a time, or with the run.
  mutating func endWaitForRoom(at time: Int64) {
    guard let approach, let next = currentStop else { return }
    if approach.isOutside {
      timed.arrive(at: time)
    } else {
      let (point, floor) = approach.walked.last.map { ($0.to, $0.floor) } ?? approach.earlier.here
      timed.wait(until: Double(time), at: point, floor: floor)
    }
    if since < time {
      timed.recordWait(.room(next.destination), floor: next.spot.floor, since: since, until: time)
    }
  }

  /// Enters the space for which the person is admitted, and moves on to the next pause.
  mutating func enter(at time: Int64) -> Pause? {
    guard let approach, let next = currentStop else { return advance() }
    endWaitForRoom(at: time)
    self.approach = nil
    record(approach.rest)
    room = approach.space
    if !timed.hasEnded, let pause = arrive(at: next) { return pause }
    return advance()
  }

  /// Goes on with the plan without the stop; a person outside with nothing left to do does not enter.
  mutating func giveUpRoom(at time: Int64) -> Pause? {
    guard let approach else { return advance() }
    endWaitForRoom(at: time)
    self.approach = nil
    leaveStop()
    var way = MoveList()
    walker.turnAround(from: approach.earlier, after: approach.walked, recording: &way)
    if approach.isOutside, currentStop == nil { return nil }
    record(way.moves)
    return advance()
  }

  /// Goes somewhere: through a list of moves if the person leaves a space with a limit on the way.
  private mutating func go(
    _ direct: (inout Walker, inout TimedTrack) -> Bool, _ listed: ((inout Walker, inout MoveList) -> Bool)?
  ) -> Bool {
    guard room != nil, let listed else { return direct(&walker, &timed) }
    var way = MoveList()
    guard listed(&walker, &way) else { return false }
    record(way.moves)
    return true
  }

  /// Records moves, and the time at which the person leaves the space that they are admitted to.
  private mutating func record(_ moves: [MoveList.Move]) {
    for move in moves {
      let start = timed.time
      move.record(in: &timed)
      guard let room, let limits else { continue }
      let part = PlaneSegment(move.from, move.to)
      let samples = max(Int(part.length / LimitedSpaces.sampling), 1)
      let outside = (1...samples).first { sample in
        limits.isClear(of: room, at: part.point(at: Double(sample) / Double(samples)), ordinal: move.floor)
      }
      guard let outside else { continue }
      let time = start + (timed.time - start) * Double(outside) / Double(samples)
      leaving.append((room, Int64(min(time, 9e15).rounded(.up))))
      self.room = nil
    }
  }

  /// Returns the spaces that the person leaves since the last call, with the times, and forgets them.
  mutating func takeLeaving() -> [(space: Int, time: Int64)] {
    defer { leaving = [] }
    // A visit that ends in the space, such as at a door of the venue, ends the stay there too.
    if let room, stop >= itinerary.stops.count, timed.track.hasLeft {
      leaving.append((room, timed.stamp))
      self.room = nil
    }
    return leaving
  }
}
