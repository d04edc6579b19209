import Cordon
package import CordonCore
package import CordonMonitoring
import CordonPresence
package import CordonWire
import Foundation

/// The trip in progress, as one receiver may know it: from the locations that this receiver is sent, and from no others.
///
/// A trip that began before the process did counts from the first location that the process sends. Both withdrawals remove the
/// file of the trip, so that nothing of it follows them. Locations of the future were recorded before the clock was set back, and
/// are not of the trip.
///
/// `@unchecked Sendable` holds because every access to the mutable fields happens with `lock` held.
package final class TripLog: TripSource, @unchecked Sendable {
  private let store: String
  private let clock: any MonitorClock
  private let lock = NSLock()
  private var trip: TripFile?
  private var recorder: TripRecorder?
  private var first: Location?
  private var last: Location?

  /// Makes the log of one receiver.
  /// - Parameters:
  ///   - store: the path of the store, beside which the file of the trip is.
  ///   - clock: the clock of the device.
  package init(store: String, clock: any MonitorClock = SystemClock()) {
    self.store = store
    self.clock = clock
  }

  /// How far the clock of a receiver may be ahead of the device's.
  private static let tolerance = TimeSpan.seconds(30)

  /// See `TripSource.trip(with:latest:)`. Locations that are sent again count once; a trip that ended by itself is over.
  package func trip(with locations: [Location], latest: Location?) -> Overland.Trip? {
    lock.withLock { follow(locations, latest) }
  }

  private func follow(_ locations: [Location], _ latest: Location?) -> Overland.Trip? {
    // A file that is not a trip stops no request; the commands report it.
    var present = try? TripFile.read(store: store)
    if present?.isOf(locations.first?.device) == false { present = nil }
    // Another device is a person who withdrew, and consented again.
    if present != trip || last.map({ $0.device != locations.first?.device }) == true { begin(present) }
    guard let present else { return nil }
    let latest = latest.flatMap { isOfFuture($0) ? nil : $0 }
    for location in locations where location.time.milliseconds >= present.start && !isOfFuture(location) {
      if let last, location.time <= last.time { continue }
      _ = recorder?.add(PresenceFix(location))
      first = first ?? location
      last = location
    }
    guard let record = recorder?.stop(at: last?.time.milliseconds ?? present.start), !record.stoppedAutomatically else {
      return nil
    }
    let isNewer = latest.map { $0.time > last?.time ?? Instant(milliseconds: present.start) } ?? false
    return Overland.Trip(
      mode: present.mode.rawValue, start: Instant(milliseconds: present.start), distance: record.distance,
      startLocation: first, currentLocation: isNewer ? latest : last)
  }

  private func isOfFuture(_ location: Location) -> Bool { location.time > clock.now.wall + TripLog.tolerance }

  private func begin(_ present: TripFile?) {
    trip = present
    recorder = present.map { TripRecorder($0.mode, start: $0.start) }
    first = nil
    last = nil
  }
}

extension PresenceFix {
  /// The fix of a row.
  init(_ location: Location) {
    self.init(
      time: location.time.milliseconds, until: location.stillUntil?.milliseconds, coordinate: location.coordinate,
      accuracy: location.accuracy)
  }
}
