public import CordonCore
import Foundation

/// The state of a ``GPSDProvider`` and its daemon, which explains missing fixes.
public struct GPSDHealth: Hashable, Sendable {
  /// Whether there is a connection.
  public var isConnected = false
  /// The release of the daemon; `nil` before its first report.
  public var release: String?
  /// The receivers that the daemon reads; `nil` before its first report.
  public var devices: [String]?
  /// The last mode: 0 and 1 no fix, 2 in the plane, 3 with height; `nil` before the first report.
  public var mode: Int64?
  /// The time of the last position, by the receiver's clock.
  public var lastPosition: Instant?
  /// The reason why connecting failed.
  public var failure: String?

  /// Makes an unknown state.
  public init() {}

  /// Handles a report.
  package mutating func note(_ report: GPSDReport) {
    isConnected = true
    failure = nil
    switch report {
    case .version(let release): self.release = release
    case .devices(let paths): devices = paths
    case .position(let position):
      mode = position.mode
      // A receiver that was added later is not in gpsd's first list.
      if devices?.contains(position.device) == false { devices?.append(position.device) }
      if position.mode >= 2, let time = position.time { lastPosition = time }
    case .deviations, .other: break
    }
  }

  /// The current problem with its remedy; `nil` while positions arrive.
  public var issue: MonitorIssue? {
    if !isConnected {
      return MonitorIssue(
        "no-gpsd", failure.map { "\($0)." } ?? "There is no connection to gpsd yet.",
        remedy: "Start gpsd (systemctl start gpsd), or give its address.")
    }
    if let devices, devices.isEmpty {
      return MonitorIssue(
        "no-receiver", "gpsd reads no receiver.", remedy: "Plug one in, or name it: gpsdctl add /dev/ttyACM0.")
    }
    switch mode {
    case nil:
      return MonitorIssue(
        "no-report", "gpsd has reported no position.", remedy: "Wait a minute; then look at the receiver with cgps.")
    case 0, 1:
      return MonitorIssue("no-fix", "The receiver has no fix.", remedy: "Give the antenna a view of the sky.")
    default: return nil
    }
  }
}

/// A ``GPSDHealth`` that one thread writes and others read.
///
/// `@unchecked Sendable` holds because every access to `value`, `readers` and `nextReader` happens with `lock` held.
final class GPSDHealthBox: @unchecked Sendable {
  private let lock = NSLock()
  private var value = GPSDHealth()
  private var readers: [Int: AsyncStream<GPSDHealth>.Continuation] = [:]
  private var nextReader = 0

  var health: GPSDHealth { lock.withLock { value } }

  /// Returns a stream of the current health and each change; a slow reader gets the newest.
  func changes() -> AsyncStream<GPSDHealth> {
    let (stream, continuation) = AsyncStream.makeStream(of: GPSDHealth.self, bufferingPolicy: .bufferingNewest(1))
    let number = lock.withLock {
      nextReader += 1
      readers[nextReader] = continuation
      continuation.yield(value)
      return nextReader
    }
    continuation.onTermination = { [weak self] _ in self?.forget(number) }
    return stream
  }

  private func forget(_ reader: Int) { lock.withLock { _ = readers.removeValue(forKey: reader) } }

  func note(_ report: GPSDReport) { change { $0.note(report) } }

  func note(failure: String) {
    change { value in
      value.isConnected = false
      value.devices = nil
      value.mode = nil
      value.failure = failure
    }
  }

  private func change(_ body: (inout GPSDHealth) -> Void) {
    lock.withLock {
      body(&value)
      for reader in readers.values { reader.yield(value) }
    }
  }
}
