package import CordonCore
import CordonGeometry

/// How a person travels; the names of a published tracker.
package enum TripMode: String, Hashable, Sendable, CaseIterable, Codable {
  case walk, run, bicycle, car, taxi, bus, tram, train, metro, gondola, monorail, sleigh, plane, boat, scooter
}

/// A trip that a person started.
package struct RecordedTrip: Hashable, Sendable {
  /// How the person travelled.
  package var mode: TripMode
  /// Milliseconds since 1970.
  package var start: Int64
  /// Milliseconds since 1970.
  package var end: Int64
  /// The first and the last position; `nil` without a fix.
  package var startCoordinate: Coordinate?
  package var endCoordinate: Coordinate?
  /// The length of the filtered path in metres.
  package var distance: Double
  /// The number of fixes.
  package var fixes: Int
  /// The steps that a pedometer counted; `nil` without one.
  package var steps: Int?
  /// Whether the trip ended by itself, because the person had stopped moving.
  package var stoppedAutomatically: Bool

  /// The time from start to end in milliseconds.
  package var duration: Int64 { end - start }
}

/// Records a trip from its start to its stop, and ends it when the person no longer moves.
///
/// An automatic end is dated back to the last movement, so that the time at rest is not a part of the trip. Gaps add nothing to
/// the distance.
package struct TripRecorder: Sendable {
  /// The distance in metres that counts as movement, beyond the error of the fix.
  static let movement = 30.0
  /// The default time at rest that ends a trip.
  package static let defaultRest = TimeSpan.minutes(15)

  private let mode: TripMode
  private let start: Int64
  private let rest: Int64?
  private let maximumGap: Int64
  private var path = PathFilter()
  private var first: PresenceFix?
  private var last: PresenceFix?
  private var fixes = 0
  /// The place of the last movement, and the trip up to then.
  private var moved: (fix: PresenceFix, length: Double, fixes: Int)?
  private var ended: RecordedTrip?

  /// Starts a trip.
  /// - Parameters:
  ///   - mode: how the person travels.
  ///   - start: milliseconds since 1970.
  ///   - rest: the time without movement that ends the trip; `nil` for never.
  ///   - maximumGap: the longest time between fixes whose distance counts.
  package init(
    _ mode: TripMode, start: Int64, rest: TimeSpan? = TripRecorder.defaultRest,
    maximumGap: TimeSpan = PresenceRules.publishedGap
  ) {
    self.mode = mode
    self.start = start
    self.rest = rest?.milliseconds
    self.maximumGap = maximumGap.milliseconds
  }

  /// Adds a fix, in the order of time. Fixes before the start and after an automatic end are left out.
  /// - Returns: the trip if it has just ended by itself.
  package mutating func add(_ fix: PresenceFix) -> RecordedTrip? {
    guard ended == nil, fix.time >= start, last.map({ fix.time > $0.time }) ?? true else { return nil }
    if let moved, let rest, fix.time - moved.fix.time >= rest, !isMovement(fix, from: moved.fix) {
      let trip = self.trip(
        end: moved.fix, time: moved.fix.time, length: moved.length, fixes: moved.fixes, isAutomatic: true)
      ended = trip
      return trip
    }
    if let last, fix.time - last.until > maximumGap { path.pause() }
    path.add(fix)
    fixes += 1
    if first == nil { first = fix }
    last = fix
    if moved.map({ isMovement(fix, from: $0.fix) }) ?? true { moved = (fix, length, fixes) }
    return nil
  }

  private func isMovement(_ fix: PresenceFix, from other: PresenceFix) -> Bool {
    let accuracy = fix.hasAccuracy ? fix.accuracy : MovementRules.unknownAccuracy
    return Geodesic.distance(from: other.coordinate, to: fix.coordinate) > TripRecorder.movement + accuracy
  }

  private var length: Double {
    var path = path
    path.pause()
    return path.length
  }

  /// Stops the trip.
  /// - Parameters:
  ///   - time: milliseconds since 1970; not before the start.
  ///   - steps: the steps that a pedometer counted.
  /// - Returns: the trip; the one that had ended by itself, if it had.
  package func stop(at time: Int64, steps: Int? = nil) -> RecordedTrip {
    var trip =
      ended
      ?? self.trip(
        end: last, time: max(time, last?.time ?? start, start), length: length, fixes: fixes, isAutomatic: false)
    trip.steps = steps
    return trip
  }

  private func trip(
    end: PresenceFix?, time: Int64, length: Double, fixes: Int, isAutomatic: Bool
  ) -> RecordedTrip {
    RecordedTrip(
      mode: mode, start: start, end: time, startCoordinate: first?.coordinate, endCoordinate: end?.coordinate,
      distance: length, fixes: fixes, stoppedAutomatically: isAutomatic)
  }
}
