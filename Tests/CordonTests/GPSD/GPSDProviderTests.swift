import Cordon
import CordonCore
import CordonMonitoring
import CordonTestSupport
import Foundation
import Testing

@Suite("gpsd over TCP", .timeLimit(.minutes(15)))
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

  @Test func aLostConnectionIsRestored() async throws {
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

  @Test func aMissingDaemonIsReported() async throws {
    let port = try Loopback.freePort()
    let provider = GPSDProvider(
      address: .init(host: "127.0.0.1", port: port), endsWithConnection: true, firstWait: .milliseconds(10))
    for await _ in provider.events() {}
    #expect(!provider.health.isConnected)
    #expect(provider.issues.map(\.code) == ["no-gpsd"])
    #expect(provider.issues.first?.sentence.contains("127.0.0.1:\(port)") == true)
  }

  @Test func reasonsForMissingFixesAreReported() async throws {
    for (lines, code) in [
      ([#"{"class":"DEVICES","devices":[]}"#], "no-receiver"),
      ([#"{"class":"DEVICES","devices":[{"path":"/dev/a"}]}"#], "no-report"),
      ([#"{"class":"DEVICES","devices":[]}"#, #"{"class":"TPV","device":"/dev/b","mode":1}"#], "no-fix"),
    ] {
      let server = try LineServer([lines])
      let provider = GPSDProvider(
        address: .init(host: "127.0.0.1", port: server.port), endsWithConnection: true, firstWait: .milliseconds(10))
      let listening = Task { for await _ in provider.events() {} }
      for await health in provider.healths where health.issue?.code == code { break }
      #expect(provider.issues.map(\.code) == [code])
      listening.cancel()
    }
  }
}

/// The real daemon, fed with recorded logs of real receivers.
@Suite("gpsd itself, with real logs", .serialized, .timeLimit(.minutes(15)), .enabled(if: FakeReceiver.isAvailable))
struct GPSDDaemonTests {
  static let logs = Places.realTraces.appendingPathComponent("nmea")

  /// The receiver's own valid positions by the time of day, read from the sentences without gpsd.
  static func positions(in log: String) -> [String: Coordinate] {
    var positions: [String: Coordinate] = [:]
    for line in log.split(whereSeparator: \.isNewline) where line.dropFirst(3).hasPrefix("RMC,") {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard fields[2] == "A", let latitude = Double(fields[3]), let longitude = Double(fields[5]) else { continue }
      func degrees(_ value: Double, _ isNegative: Bool) -> Double {
        let whole = (value / 100).rounded(.down)
        return (whole + (value - whole * 100) / 60) * (isNegative ? -1 : 1)
      }
      positions[clock(fields[1])] = Coordinate(
        longitude: degrees(longitude, fields[6] == "W"), latitude: degrees(latitude, fields[4] == "S"))
    }
    return positions
  }

  /// `hhmmss.sss`
  static func clock(_ text: String) -> String {
    let parts = text.split(separator: ".")
    return parts[0] + "." + String(((parts.count > 1 ? parts[1] : "") + "000").prefix(3))
  }

  /// The receivers' logs, with the number of their positions and the accuracy of the receivers.
  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: logs.path)),
    arguments: [
      ("ublox-neo-m9n-nmea", 61, 0.5...3.0), ("quectel-l76k-nmea", 150, 4.0...60.0), ("bu353s4", 25, 8.0...30.0),
      ("gpslim236", 20, 5.0...60.0), ("telit-he910", 187, 1.0...200.0),
    ])
  func aRecordedLogGivesOneFixForEachEpoch(log: String, count: Int, accuracy: ClosedRange<Double>) async throws {
    let file = Self.logs.appendingPathComponent("\(log).nmea")
    let positions = Self.positions(in: try String(contentsOf: file, encoding: .utf8))
    #expect(positions.count == count)
    let receiver = try await FakeReceiver.start(log: file)
    // The start of the next epoch ends one; a silence of the daemon does not.
    let provider = GPSDProvider(
      address: .init(host: "127.0.0.1", port: receiver.port), endsWithConnection: true,
      firstWait: .milliseconds(100), silence: .hours(1))
    let fixes = provider.events()
    // From now on no report of the daemon is missed.
    for await health in provider.healths where health.devices?.count == 1 { break }
    receiver.say(100_000)
    var seen: [Fix] = []
    // The last epoch has no next one.
    for await case .fix(let fix) in fixes {
      seen.append(fix)
      if seen.count == count - 1 { break }
    }
    let health = provider.health
    receiver.stop()
    #expect(seen.count == count - 1)
    let clocks = seen.map { fix in
      let text = Array(fix.time.rfc3339)
      return Self.clock(String(text[11..<13] + text[14..<16] + text[17...].dropLast()))
    }
    #expect(Set(clocks).count == seen.count, "one fix for each epoch")
    for (fix, clock) in zip(seen, clocks) {
      let said = try #require(positions[clock], "\(clock) is not a time of the receiver")
      #expect(abs(fix.coordinate.longitude - said.longitude) < 1e-6, "\(clock)")
      #expect(abs(fix.coordinate.latitude - said.latitude) < 1e-6, "\(clock)")
      #expect(fix.floor == nil)
    }
    // The first position may come before the receiver has reported its satellites.
    let stated = seen.compactMap(\.accuracy)
    #expect(stated.count >= count - 2)
    #expect(stated.allSatisfy { accuracy.contains($0) }, "\(stated.min() ?? 0) to \(stated.max() ?? 0)")
    #expect(health.release != nil)
    #expect(health.devices?.count == 1)
  }
}
