import Cordon
package import CordonCore
package import CordonMonitoring
package import CordonSupport
import CordonWire
import Foundation

/// The settings that a receiver sent, in a file beside the store, with their acknowledgement.
///
/// New settings are on trial: if no request with their acknowledgement is accepted within a day, the tracker's own settings
/// return. A receiver that sent settings by mistake is therefore never locked out.
///
/// `@unchecked Sendable` holds because every access to the mutable field happens with `lock` held.
package final class RemoteSettingsStore: SettingsReceiver, @unchecked Sendable {
  /// The settings of one receiver, and the state of their trial.
  package struct Record: Hashable, Sendable {
    /// The accepted settings, as they were sent; `nil` without any.
    package var set: JSONValue?
    /// The highest version that was read.
    package var version: Int64 = 0
    /// The time at which the settings took effect.
    package var applied: Instant?
    /// Whether a request with their acknowledgement was accepted.
    package var isProven = false
    /// The acknowledgement that the next requests carry.
    package var acknowledgement: JSONValue?
  }

  /// The time after which settings on trial end.
  package static let trial = TimeSpan.days(1)

  private let path: String
  private let key: [UInt8]
  private let clock: any MonitorClock
  private let changed: @Sendable (RemoteSettings?) -> Void
  private let refused: @Sendable (String) -> Void
  private let lock = NSLock()
  private var record: Record

  /// Opens the settings of a receiver.
  /// - Parameters:
  ///   - path: the file.
  ///   - key: the secret that tracker and receiver share.
  ///   - clock: the source of time.
  ///   - changed: called with settings that take effect; `nil` when the tracker's own return.
  ///   - refused: called with the reason why settings were refused.
  package init(
    path: String, key: String, clock: any MonitorClock = SystemClock(),
    changed: @escaping @Sendable (RemoteSettings?) -> Void, refused: @escaping @Sendable (String) -> Void
  ) {
    self.path = path
    self.key = Array(key.utf8)
    self.clock = clock
    self.changed = changed
    self.refused = refused
    record = RemoteSettingsStore.read(path)
  }

  /// The settings in effect; `nil` for the tracker's own. Ends a trial that nobody answered.
  package var settings: RemoteSettings? {
    let now = clock.now.wall
    let (set, hasEnded) = lock.withLock { () -> (JSONValue?, Bool) in
      guard let set = record.set else { return (nil, false) }
      guard !record.isProven, let applied = record.applied, now - applied > RemoteSettingsStore.trial else {
        return (set, false)
      }
      record.set = nil
      record.acknowledgement = answer(record.version, "reverted", "no request was accepted within a day")
      write()
      return (nil, true)
    }
    if hasEnded { changed(nil) }
    // They were valid when they were accepted; a key that was exchanged ends them.
    return set.flatMap { try? RemoteSettings($0, key: key, after: 0) }
  }

  /// See `SettingsReceiver.acknowledgement`.
  package var acknowledgement: JSONValue? { lock.withLock { record.acknowledgement } }

  /// See `SettingsReceiver.receive(_:)`.
  package func receive(_ set: JSONValue?) {
    let outcome = lock.withLock { take(set) }
    switch outcome {
    case .none: break
    case .changed(let settings): changed(settings)
    case .refused(let reason): refused(reason)
    }
  }

  private enum Outcome {
    case none
    case changed(RemoteSettings)
    case refused(String)
  }

  private func take(_ set: JSONValue?) -> Outcome {
    let before = record
    // The receiver accepted a request, and with it the acknowledgement.
    if record.acknowledgement != nil {
      record.acknowledgement = nil
      if record.set != nil { record.isProven = true }
    }
    defer { if record != before { write() } }
    guard let set else { return .none }
    do throws(RemoteSettings.Refusal) {
      let settings = try RemoteSettings(set, key: key, after: record.version)
      record = Record(
        set: set, version: settings.version, applied: clock.now.wall, isProven: false,
        acknowledgement: answer(
          settings.version, "applied",
          settings.ignored.isEmpty ? nil : "without " + settings.ignored.joined(separator: ", ")))
      return .changed(settings)
    } catch {
      // A receiver may send the same settings with every answer.
      if let version = error.version {
        if version <= before.version { return .none }
        record.version = version
        record.acknowledgement = answer(version, "refused", error.description)
      }
      return .refused(error.description)
    }
  }

  private func answer(_ version: Int64, _ status: String, _ reason: String?) -> JSONValue {
    ["version": .integer(version), "status": .string(status), "reason": JSONValue(reason)]
  }

  // MARK: - File

  private func write() {
    let value: JSONValue = [
      "set": record.set ?? .null, "version": .integer(record.version),
      "applied_ms": record.applied.map { .integer($0.milliseconds) } ?? .null, "proven": .bool(record.isProven),
      "acknowledgement": record.acknowledgement ?? .null,
    ]
    let fresh = path + ".new"
    // A failure does not stop the tracker: the receiver sends its settings again.
    if FileManager.default.createFile(
      atPath: fresh, contents: Data((value.text(pretty: true) + "\n").utf8), attributes: [.posixPermissions: 0o600])
    {
      rename(fresh, path)
    }
  }

  private static func read(_ path: String) -> Record {
    var record = Record()
    guard let data = FileManager.default.contents(atPath: path), let value = try? JSONReader.value(of: Array(data))
    else {
      return record
    }
    func object(_ name: String) -> JSONValue? { value[name].flatMap { $0.members == nil ? nil : $0 } }
    record.set = object("set")
    record.version = value["version"]?.integerValue ?? 0
    record.applied = value["applied_ms"]?.integerValue.map(Instant.init(milliseconds:))
    record.isProven = value["proven"] == .bool(true)
    record.acknowledgement = object("acknowledgement")
    return record
  }
}
