import CordonCore
import CordonPresence
import Foundation

/// The trip in progress as the receiver may know it: from the locations that it is sent, and from no others.
///
/// `@unchecked Sendable` holds because every access to the mutable fields happens with `lock` held.
final class TripReport: @unchecked Sendable {
  /// The parts of an ended trip.
  struct Record: Sendable {
    var mode: String
    var start: Instant
    var end: Instant
    var distance: Double
    var first: Location
    var last: Location
  }

  private let lock = NSLock()
  private var mode: String?
  private var start = Instant(milliseconds: 0)
  private var locations: [Location] = []

  /// Begins a trip.
  func begin(_ mode: String, at start: Instant) {
    lock.withLock {
      self.mode = mode
      self.start = start
      locations = []
    }
  }

  /// Follows the locations of a request; the value for `OverlandFormat.trip`.
  func follow(_ sent: [Location]) -> (mode: String, start: Instant, distance: Double, first: Location?)? {
    lock.withLock {
      guard let mode else { return nil }
      // Locations that are sent again count once.
      for location in sent where location.time >= start {
        if let last = locations.last, location.time <= last.time { continue }
        locations.append(location)
      }
      return (mode, start, trip(mode, until: locations.last?.time ?? start).distance, locations.first)
    }
  }

  /// Forgets the trip: the person took the consent back.
  func forget() {
    lock.withLock {
      mode = nil
      locations = []
    }
  }

  /// Ends the trip; `nil` if the receiver has no location of it.
  func end(at time: Instant) -> Record? {
    lock.withLock {
      defer {
        mode = nil
        locations = []
      }
      guard let mode, let first = locations.first, let last = locations.last else { return nil }
      let whole = trip(mode, until: time)
      return Record(mode: mode, start: start, end: whole.end, distance: whole.distance, first: first, last: last)
    }
  }

  private func trip(_ mode: String, until end: Instant) -> PersonDiary.Trip {
    var diary = PersonDiary()
    for location in locations {
      diary.add(
        location.coordinate, accuracy: location.accuracy, at: location.time, stillUntil: location.stillUntil)
    }
    return diary.trip(mode, from: start, until: end)
  }
}
