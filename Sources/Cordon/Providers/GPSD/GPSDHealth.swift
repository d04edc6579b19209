public import CordonCore
import Foundation

/// What a ``GPSDProvider`` knows about its daemon: why there are fixes, or why there are none.
public struct GPSDHealth: Hashable, Sendable {
  /// Whether there is a connection.
  public var isConnected = false
  /// The release of the daemon, once it has said so.
  public var release: String?
  /// The receivers that the daemon reads; `nil` before it has said so.
  public var devices: [String]?
  /// The last mode: 0 and 1 no fix, 2 in the plane, 3 with height; `nil` before the first report.
  public var mode: Int64?
  /// The time of the last position, by the receiver's clock.
  public var lastPosition: Instant?
  /// Why there is no connection.
  public var failure: String?

  /// Nothing is known.
  public init() {}

  /// Learns from a report.
  package mutating func note(_ report: GPSDReport) {
    isConnected = true
    failure = nil
    switch report {
    case .version(let release): self.release = release
    case .devices(let paths): devices = paths
    case .position(let position):
      mode = position.mode
      // A receiver that was added later is not in the list that gpsd began with.
      if devices?.contains(position.device) == false { devices?.append(position.device) }
      if position.mode >= 2, let time = position.time { lastPosition = time }
    case .deviations, .other: break
    }
  }

  /// What is in the way, and what to do about it; `nil` when positions come.
  public var trouble: Trouble? {
    if !isConnected {
      return Trouble(
        "no-gpsd", failure.map { "\($0)." } ?? "There is no connection to gpsd yet.",
        remedy: "Start gpsd (systemctl start gpsd), or give its address.")
    }
    if let devices, devices.isEmpty {
      return Trouble(
        "no-receiver", "gpsd reads no receiver.", remedy: "Plug one in, or name it: gpsdctl add /dev/ttyACM0.")
    }
    switch mode {
    case nil:
      return Trouble(
        "no-report", "gpsd has reported no position.", remedy: "Wait a minute; then look at the receiver with cgps.")
    case 0, 1:
      return Trouble("no-fix", "The receiver has no fix.", remedy: "Give the antenna a view of the sky.")
    default: return nil
    }
  }
}

/// A ``GPSDHealth`` that the reading thread writes and others read.
///
/// `@unchecked Sendable` holds because `value` is touched under `lock` only.
final class GPSDHealthBox: @unchecked Sendable {
  private let lock = NSLock()
  private var value = GPSDHealth()

  var health: GPSDHealth { lock.withLock { value } }

  func note(_ report: GPSDReport) { lock.withLock { value.note(report) } }

  func note(failure: String) {
    lock.withLock {
      value.isConnected = false
      value.devices = nil
      value.mode = nil
      value.failure = failure
    }
  }
}
