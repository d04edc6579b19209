import CordonCore
import CordonMonitoring
import CordonSupport
import CordonTestSupport
import CordonTracking
import CordonWire
import Foundation
import Testing

@Suite("Settings from a receiver")
struct RemoteSettingsTests {
  static let key = "0123456789abcdef0123456789abcdef"

  static func signed(_ text: String, key: String = key) throws -> JSONValue {
    let value = try JSONReader.value(of: Array(text.utf8))
    let code = HMAC.code(of: RemoteSettings.canonical(value), key: Array(key.utf8))
    let signature = code.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    return .object((value.members ?? []) + [.init("signature", .string(signature))])
  }

  private func read(_ text: String, after last: Int64 = 0) throws -> RemoteSettings {
    try RemoteSettings(Self.signed(text), key: Array(Self.key.utf8), after: last)
  }

  @Test func signedSettingsAreRead() throws {
    let settings = try read(
      #"{"version":3,"send_interval":"10s","trip_mode":"walk","main":{"batch_size":200,"min_distance":"10m","min_time":"5s","desired_accuracy":"best"}}"#
    )
    #expect(settings.sendInterval == .seconds(10) && settings.batchRows == 200)
    #expect(settings.minimumDistance == 10 && settings.minimumTime == .seconds(5))
    #expect(settings.ignored == ["trip_mode", "main.desired_accuracy"])
    let configuration = settings.applied(to: MonitorConfiguration())
    #expect(configuration.flushAfter == .seconds(10) && configuration.batchRows == 200)
    #expect(configuration.thinning == .seconds(5) && configuration.minimumDistance == 10)
    #expect(throws: Never.self) { try configuration.validate() }
    // A number as a text, and a text as a number, are both read.
    #expect(try read(#"{"version":3,"main":{"batch_size":"500"}}"#).batchRows == 500)
    #expect(try read(#"{"version":3,"main":{"min_distance":"off"}}"#).minimumDistance == 0)
  }

  /// Nothing that a receiver can send ends the contact with it.
  @Test(arguments: [
    #"{"version":3,"send_interval":"off"}"#, #"{"version":3,"send_interval":"0s"}"#,
    #"{"version":3,"send_interval":"31m"}"#,
    #"{"version":3,"send_interval":"-5s"}"#, #"{"version":3,"send_interval":"9999999999999d"}"#,
    #"{"version":3,"main":{"tracking_mode":"off"}}"#, #"{"version":3,"main":{"batch_size":0}}"#,
    #"{"version":3,"main":{"batch_size":1000000}}"#, #"{"version":3,"main":{"min_distance":"1000000m"}}"#,
    #"{"version":3,"main":{"min_distance":"nanm"}}"#, #"{"version":3,"main":{"min_time":"24h"}}"#,
  ])
  func settingsCannotLockOut(text: String) throws {
    let error = #expect(throws: RemoteSettings.Refusal.self) { try read(text) }
    #expect(error?.version == 3)
  }

  /// A receiver can neither turn recording outside of venues on nor change who receives it.
  @Test func settingsCannotTurnOutsideModeOn() throws {
    let settings = try read(
      #"{"version":3,"mode":"everywhere","everywhere":{"tracking":"both"},"purposes":"everywhere","main":{"tracking_mode":"both","significant_change":"exclusive","min_distance":"10m"}}"#
    )
    #expect(settings.ignored.contains("mode") && settings.ignored.contains("everywhere"))
    var configuration = MonitorConfiguration()
    #expect(settings.applied(to: configuration).everywhere == nil)
    #expect(settings.applied(to: configuration).sinks == configuration.sinks)
    configuration.everywhere = TrackingPolicy()
    var expected = TrackingPolicy()
    expected.minimumDistance = 10
    #expect(settings.applied(to: configuration).everywhere == expected)
  }

  @Test func onlySignedAndNewerSettingsCount() throws {
    let set = try JSONReader.value(of: Array(#"{"version":3,"send_interval":"10s"}"#.utf8))
    let key = Array(Self.key.utf8)
    #expect(throws: RemoteSettings.Refusal(description: "the settings are not signed")) {
      try RemoteSettings(set, key: key, after: 0)
    }
    let foreign = try Self.signed(#"{"version":3}"#, key: String(repeating: "x", count: 32))
    #expect(throws: RemoteSettings.Refusal(description: "the signature is not that of the key")) {
      try RemoteSettings(foreign, key: key, after: 0)
    }
    // A changed value breaks the signature, a changed order does not.
    let good = try Self.signed(#"{"version":3,"send_interval":"10s"}"#)
    let shuffled = JSONValue.object((good.members ?? []).reversed())
    #expect(try RemoteSettings(shuffled, key: key, after: 0).sendInterval == .seconds(10))
    let changed = JSONValue.object((good.members ?? []).map { $0.key == "version" ? .init("version", 4) : $0 })
    #expect(throws: RemoteSettings.Refusal.self) { try RemoteSettings(changed, key: key, after: 0) }
    #expect(throws: RemoteSettings.Refusal.self) { try read(#"{"version":3}"#, after: 3) }
    #expect(throws: RemoteSettings.Refusal.self) { try read(#"{"send_interval":"10s"}"#) }
  }

  /// A clock that a test moves.
  ///
  /// `@unchecked Sendable` holds because one thread uses it.
  private final class Clock: MonitorClock, @unchecked Sendable {
    var time = Instant(milliseconds: 1_767_254_400_000)
    var now: ClockReading { ClockReading(wall: time, monotonic: TimeSpan(milliseconds: time.milliseconds)) }
    func sleep(for span: TimeSpan) async throws {}
  }

  /// `@unchecked Sendable` holds because one thread uses it.
  private final class Log: @unchecked Sendable {
    var changes: [RemoteSettings?] = []
    var refusals: [String] = []
  }

  private func store(_ path: String, _ clock: Clock, _ log: Log) -> RemoteSettingsStore {
    RemoteSettingsStore(
      path: path, key: Self.key, clock: clock, changed: { log.changes.append($0) }, refused: { log.refusals.append($0) }
    )
  }

  @Test func settingsAreAcknowledgedAndKept() throws {
    let folder = try TemporaryFolder()
    let (clock, log, path) = (Clock(), Log(), folder.path("settings"))
    let first = store(path, clock, log)
    #expect(first.acknowledgement == nil && first.settings == nil)
    first.receive(try Self.signed(#"{"version":3,"send_interval":"10s","trip_mode":"walk"}"#))
    #expect(first.acknowledgement?.text() == #"{"version":3,"status":"applied","reason":"without trip_mode"}"#)
    #expect(log.changes.count == 1)
    // The process ends; the next one goes on.
    let second = store(path, clock, log)
    #expect(second.settings?.sendInterval == .seconds(10) && second.acknowledgement != nil)
    second.receive(nil)
    #expect(second.acknowledgement == nil)
    clock.time = clock.time + .days(5)
    #expect(store(path, clock, log).settings?.sendInterval == .seconds(10), "the receiver has answered")
    // The same version again changes nothing.
    second.receive(try Self.signed(#"{"version":3,"send_interval":"20s"}"#))
    #expect(second.settings?.sendInterval == .seconds(10) && log.changes.count == 1 && log.refusals.isEmpty)
    second.receive(try Self.signed(#"{"version":4,"send_interval":"off"}"#))
    #expect(second.settings?.sendInterval == .seconds(10))
    #expect(second.acknowledgement?["status"]?.stringValue == "refused")
    #expect(log.refusals == ["send_interval is not 1s to 30m"])
  }

  /// Settings after which no request is accepted any more end by themselves.
  @Test func settingsOnTrialEnd() throws {
    let folder = try TemporaryFolder()
    let (clock, log) = (Clock(), Log())
    let store = store(folder.path("settings"), clock, log)
    store.receive(try Self.signed(#"{"version":3,"send_interval":"10s"}"#))
    clock.time = clock.time + .hours(23)
    #expect(store.settings != nil)
    clock.time = clock.time + .hours(2)
    #expect(store.settings == nil)
    #expect(log.changes.count == 2 && log.changes.last == .some(nil))
    #expect(store.acknowledgement?["status"]?.stringValue == "reverted")
  }
}
