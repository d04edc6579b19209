import Cordon
import CordonCore
import CordonMonitoring
import Foundation
import Testing

@Suite("gpsd over TCP", .timeLimit(.minutes(2)))
struct GPSDProviderTests {
  static func tpv(_ second: Int) -> String {
    #"{"class":"TPV","device":"d","mode":3,"time":"2020-06-01T12:00:\#(second)Z","lat":47.37,"lon":8.54,"eph":5}"#
  }

  static func fixes(_ provider: GPSDProvider, _ count: Int) async -> [Fix] {
    var fixes: [Fix] = []
    for await event in provider.events() {
      if case .fix(let fix) = event { fixes.append(fix) }
      if fixes.count == count { break }
    }
    return fixes
  }

  @Test func aLostConnectionIsMadeAgain() async throws {
    let server = try LineServer([
      [#"{"class":"VERSION","release":"3.22"}"#, Self.tpv(10), Self.tpv(11), "not json", Self.tpv(12)],
      [],  // Hangs up without a word.
      [#"{"class":"VERSION","release":"3.25"}"#, Self.tpv(20), Self.tpv(21)],
    ])
    let provider = GPSDProvider(
      address: .init(host: "127.0.0.1", port: server.port), endsWithConnection: false, firstWait: .milliseconds(10))
    let fixes = await Self.fixes(provider, 5)
    #expect(fixes.map { $0.time.milliseconds / 1_000 % 60 } == [10, 11, 12, 20, 21])
    #expect(server.questions.count == 3)
    #expect(server.questions.allSatisfy { $0.hasPrefix("?WATCH={") })
    #expect(provider.health.release == "3.25")
    #expect(provider.health.isConnected)
  }

  @Test func aDaemonThatIsNotThereIsTold() async throws {
    let (socket, port) = try LineServer.listen()
    close(socket)
    let provider = GPSDProvider(
      address: .init(host: "127.0.0.1", port: port), endsWithConnection: true, firstWait: .milliseconds(10))
    for await _ in provider.events() {}
    #expect(!provider.health.isConnected)
    #expect(provider.troubles.map(\.code) == ["no-gpsd"])
    #expect(provider.troubles.first?.sentence.contains("127.0.0.1:\(port)") == true)
  }

  @Test func whatKeepsFixesAwayIsTold() async throws {
    for (lines, code) in [
      ([#"{"class":"DEVICES","devices":[]}"#], "no-receiver"),
      ([#"{"class":"DEVICES","devices":[{"path":"/dev/a"}]}"#], "no-report"),
      ([#"{"class":"DEVICES","devices":[]}"#, #"{"class":"TPV","device":"/dev/b","mode":1}"#], "no-fix"),
    ] {
      let server = try LineServer([lines])
      let provider = GPSDProvider(
        address: .init(host: "127.0.0.1", port: server.port), endsWithConnection: true, firstWait: .milliseconds(10))
      let listening = Task { for await _ in provider.events() {} }
      while provider.troubles.first?.code != code { await Task.yield() }
      listening.cancel()
    }
  }
}

/// The real daemon, fed with recorded logs of real receivers.
@Suite("gpsd itself, with real logs", .serialized, .timeLimit(.minutes(2)), .enabled(if: FakeReceiver.isAvailable))
struct GPSDDaemonTests {
  static let logs = FakeReceiver.logs

  /// The receivers' logs: how many fixes to wait for, and where they were made.
  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: logs.path)),
    arguments: [
      ("ublox-neo-m9n-nmea", 6, -122.6269, 38.1105, 1.0...3.0),
      ("quectel-l76k-nmea", 6, -122.3264, 47.66198, 4.0...60.0),
      ("bu353s4", 6, 175.3149, -37.7848, 8.0...30.0),
    ])
  func aRecordedLogGivesOneFixForEachEpoch(
    log: String, count: Int, longitude: Double, latitude: Double, accuracy: ClosedRange<Double>
  ) async throws {
    let receiver = try FakeReceiver(log: Self.logs.appendingPathComponent("\(log).nmea"), secondsBetween: 0.03)
    let provider = GPSDProvider(
      address: .init(host: "127.0.0.1", port: receiver.port), endsWithConnection: false, firstWait: .milliseconds(100))
    let fixes = await GPSDProviderTests.fixes(provider, count)
    let health = provider.health
    receiver.stop()
    #expect(fixes.count == count)
    for (earlier, later) in zip(fixes, fixes.dropFirst()) {
      #expect(earlier.time < later.time, "one fix for each epoch, in order")
    }
    for fix in fixes {
      #expect(abs(fix.coordinate.longitude - longitude) < 0.01)
      #expect(abs(fix.coordinate.latitude - latitude) < 0.01)
      #expect(fix.floor == nil)
    }
    // The very first may come before the receiver has told about its satellites.
    let stated = fixes.dropFirst().compactMap(\.accuracy)
    #expect(stated.count == count - 1)
    #expect(stated.allSatisfy { accuracy.contains($0) }, "\(stated)")
    #expect(health.release != nil)
    #expect(health.devices?.count == 1)
  }
}

/// A gpsd that reads a log instead of a receiver.
final class FakeReceiver {
  static let paths = ["/usr/bin/gpsfake", "/usr/sbin/gpsd"]
  static var isAvailable: Bool { paths.allSatisfy { FileManager.default.isExecutableFile(atPath: $0) } }
  static let logs = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("shared/traces/nmea")
  let port: UInt16
  private let process = Process()

  init(log: URL, secondsBetween: Double) throws {
    let (socket, port) = try LineServer.listen()
    close(socket)
    self.port = port
    process.executableURL = URL(fileURLWithPath: FakeReceiver.paths[0])
    process.arguments = ["-1", "-q", "-c", String(secondsBetween), "-P", String(port), log.path]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  /// Ends gpsfake and the daemon that it started: both are in a process group of their own.
  func stop() {
    guard process.isRunning else { return }
    kill(-process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  deinit { stop() }
}
