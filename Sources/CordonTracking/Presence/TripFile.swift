package import CordonCore
package import CordonPresence
import Foundation

/// The trip in progress, in a file beside the store that only its owner may read: its mode and its start, no position.
package struct TripFile: Codable, Hashable, Sendable {
  /// How the person travels.
  package var mode: TripMode
  /// Milliseconds since 1970.
  package var start: Int64
  /// The name of the device at the start; `nil` if it was not noted.
  package var device: String?

  /// Creates a trip.
  package init(mode: TripMode, start: Instant, device: DeviceID? = nil) {
    self.mode = mode
    self.start = start.milliseconds
    self.device = device?.rawValue
  }

  /// Whether it is a trip of a device. One of another name was started before the consent ended.
  package func isOf(_ device: DeviceID?) -> Bool { self.device == nil || self.device == device?.rawValue }

  private static func path(_ store: String) -> String { store + ".trip" }

  /// Returns the trip in progress beside a store; `nil` if there is none.
  /// - Throws: ``TrackerError`` for a file that is not a trip.
  package static func read(store: String) throws(TrackerError) -> TripFile? {
    guard let data = FileManager.default.contents(atPath: path(store)) else { return nil }
    guard let trip = try? JSONDecoder().decode(TripFile.self, from: data) else {
      throw TrackerError("bad-trip", "is not a trip; remove it", file: path(store))
    }
    return trip
  }

  /// Starts the trip.
  /// - Throws: ``TrackerError`` if one is in progress, or if the file cannot be written.
  package func write(store: String) throws(TrackerError) {
    if let other = try TripFile.read(store: store) {
      throw TrackerError(
        "trip-in-progress",
        "a trip (\(other.mode.rawValue)) is in progress since \(Instant(milliseconds: other.start).rfc3339)")
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard let data = try? encoder.encode(self),
      FileManager.default.createFile(
        atPath: TripFile.path(store), contents: data, attributes: [.posixPermissions: 0o600])
    else { throw TrackerError("cannot-write", "cannot be written", file: TripFile.path(store)) }
  }

  /// Forgets the trip, such as after a withdrawal.
  package static func remove(store: String) { try? FileManager.default.removeItem(atPath: path(store)) }

  /// Returns the trip from recorded positions.
  /// - Parameters:
  ///   - fixes: in the order of their times.
  ///   - end: the present time.
  ///   - steps: the steps that a pedometer counted.
  package func recorded(_ fixes: [PresenceFix], until end: Instant, steps: Int?) -> RecordedTrip {
    var recorder = TripRecorder(mode, start: start)
    for fix in fixes where fix.time >= start && fix.time <= end.milliseconds {
      if recorder.add(fix) != nil { break }
    }
    return recorder.stop(at: end.milliseconds, steps: steps)
  }
}
