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

/// A ``GPSDHealth`` that the reading thread writes and others read.
///
/// `@unchecked Sendable` holds because `value`, `readers` and `nextReader` are touched under `lock` only.
final class GPSDHealthBox: @unchecked Sendable {
  private let lock = NSLock()
  private var value = GPSDHealth()
  private var readers: [Int: AsyncStream<GPSDHealth>.Continuation] = [:]
  private var nextReader = 0

  var health: GPSDHealth { lock.withLock { value } }

  /// The health now, and after each change; a late reader sees the newest.
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
