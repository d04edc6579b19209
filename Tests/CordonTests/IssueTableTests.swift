import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonTestSupport
import CordonTesting
import Foundation
import Testing

@testable import Cordon

/// A cause of missing data, and the way in which a phone gets there.
struct Cause: Sendable, CustomTestStringConvertible {
  var code: String
  var needsToken = false
  var knowsVenue = true
  var configuration: @Sendable (inout MonitorConfiguration) -> Void = { _ in }
  var happen: @Sendable (StatusTests.Asked) throws -> Void

  var testDescription: String { code }

  init(
    _ code: String, needsToken: Bool = false, knowsVenue: Bool = true,
    configuration: @escaping @Sendable (inout MonitorConfiguration) -> Void = { _ in },
    happen: @escaping @Sendable (StatusTests.Asked) throws -> Void
  ) {
    self.code = code
    self.needsToken = needsToken
    self.knowsVenue = knowsVenue
    self.configuration = configuration
    self.happen = happen
  }

  func asked() throws -> StatusTests.Asked {
    let asked = try StatusTests.Asked(
      needsToken: needsToken, knowsVenue: knowsVenue, store: FaultyStore(MemoryStore()), configuration: configuration)
    try happen(asked)
    return asked
  }
}

extension Cause {
  /// Rows wait, and this was the sink's last answer.
  private static func answered(_ code: String, _ status: Int, from sink: SinkID = .cordon) -> Cause {
    Cause(code, configuration: { $0.sinks = [Sink(sink, needsActivation: false)] }) { asked in
      asked.endpoints = [sink]
      asked.phone.consentAndStart()
      asked.phone.isOnline = false
      asked.record(5)
      asked.answers(status, from: sink)
    }
  }

  /// Rows wait for a health platform, which gave this reason.
  private static func platform(_ code: String, _ status: Int, _ fault: String) -> Cause {
    Cause(code, configuration: { $0.sinks = [Sink(.fhir)] }) { asked in
      asked.endpoints = [.fhir]
      asked.phone.consentAndStart()
      asked.phone.isOnline = false
      asked.record(5)
      var answer = SinkResponse(number: 1, status: status)
      answer.fault = fault
      asked.record.note(answer, to: .positions([], token: nil), from: .fhir, at: asked.phone.now.wall)
    }
  }

  /// Rows wait, and something in place of the server gave this answer.
  private static func unproved(_ code: String, _ status: Int) -> Cause {
    Cause(code) { asked in
      asked.phone.consentAndStart()
      asked.phone.isOnline = false
      asked.record(5)
      asked.record.note(
        SinkResponse(number: 1, status: status), to: .positions([], token: nil), isChallenged: true, from: .cordon,
        at: asked.phone.now.wall)
    }
  }

  private static func activation(_ code: String, _ status: Int?) -> Cause {
    Cause(code, needsToken: true) { asked in
      asked.phone.isOnline = false
      asked.phone.consentAndStart()
      asked.phone.send(.invite(code: "CODE"))
      let response = status.map { SinkResponse(number: 1, status: $0) }
      if let response {
        asked.record.note(response, to: .activate(code: "CODE", type: "phone"), from: .cordon, at: asked.phone.now.wall)
      }
    }
  }

  private static func store(_ code: String, _ kind: StoreError.Kind) -> Cause {
    Cause(code) { asked in
      asked.phone.consentAndStart()
      (asked.phone.store as? FaultyStore)?.failure = StoreError(kind, "write: the system says no")
      asked.phone.send(.pause(until: nil))
      for notice in asked.phone.notices { asked.record.note(notice) }
    }
  }

  private static func ended(_ code: String, _ end: MonitorStatus.ProviderEnd) -> Cause {
    Cause(code) { asked in
      asked.phone.consentAndStart()
      asked.end = end
    }
  }

  /// Fixes whose times differ from the clock's by `offset`.
  private static func clock(_ code: String, _ offset: TimeSpan) -> Cause {
    Cause(code) { asked in
      asked.phone.consentAndStart()
      for step in 0..<3 {
        asked.phone.wait(.seconds(5))
        let place = asked.venue.place(east: Double(step), north: 0)
        asked.phone.send(.fix(Fix(coordinate: place, accuracy: 5, time: asked.phone.now.wall + offset)))
      }
    }
  }

  private static func refused(_ reason: RefusalReason, _ change: @escaping @Sendable (inout Fix) -> Void) -> Cause {
    Cause("refused-\(reason.rawValue)", configuration: { $0.acceptsMocked = false }) { asked in
      asked.phone.consentAndStart()
      asked.phone.send(.region(.entered))
      for step in 0..<3 {
        asked.phone.wait(.seconds(5))
        let place = asked.venue.place(east: Double(step), north: 0)
        var fix = Fix(coordinate: place, accuracy: 5, time: asked.phone.now.wall)
        change(&fix)
        asked.phone.send(.fix(fix))
      }
    }
  }

  /// In the order of a monitor's life.
  static let all: [Cause] = [
    Cause("off") { _ in },
    Cause("no-consent") { $0.phone.send(.start) },
    Cause("erased-by-server") { asked in
      asked.phone.send(.start)
      asked.record.note(.erasedByServer)
    },
    Cause("not-activated", needsToken: true) { $0.phone.consentAndStart() },
    activation("activation-pending", nil), activation("activation-unreachable", 0),
    activation("activation-unreadable", 200), activation("activation-failed", 503),
    Cause("invite-refused", needsToken: true) { asked in
      asked.phone.consentAndStart()
      asked.record.note(.inviteRefused)
    },
    Cause("deactivated", needsToken: true) { asked in
      asked.phone.consentAndStart()
      asked.record.note(.deactivated)
    },
    Cause("no-venue", knowsVenue: false) { $0.phone.consentAndStart() },
    Cause("no-permission") { asked in
      asked.phone.consentAndStart()
      asked.phone.send(.permission(.none))
    },
    Cause("when-in-use") { asked in
      asked.phone.consentAndStart()
      asked.phone.send(.permission(.whenInUse))
    },
    Cause("paused") { asked in
      asked.phone.consentAndStart()
      asked.phone.send(.pause(until: nil))
    },
    store("disk-full", .full), store("store-locked", .locked), store("store-taken-over", .superseded),
    store("store-failed", .failed),
    ended("provider-ended", .finished), ended("provider-failed", .failed("the receiver was unplugged")),
    clock("clock-behind", .hours(1)), clock("clock-ahead", .hours(-1)),
    Cause("no-fixes") { asked in
      asked.phone.consentAndStart()
      asked.phone.send(.region(.entered))
    },
    refused(.tooInaccurate) { $0.accuracy = 500 }, refused(.unknownAccuracy) { $0.accuracy = nil },
    refused(.mocked) { $0.isMocked = true }, refused(.invalid) { $0.accuracy = -1 },
    refused(.outside) { $0.coordinate.latitude += 0.0006 },
    Cause("no-consent-to-share") { asked in
      asked.phone.send(.consent(Consent(version: "1", purposes: .record, time: asked.phone.now.wall)))
      asked.phone.send(.start)
    },
    Cause("no-network") { asked in
      asked.phone.consentAndStart()
      asked.phone.send(.network(.none))
      asked.record(5)
    },
    Cause("metered-network", configuration: { $0.sendsOnMetered = false }) { asked in
      asked.phone.consentAndStart()
      asked.phone.send(.network(.metered))
      asked.record(5)
    },
    answered("not-a-server", 200), answered("offline", 0), answered("redirected", 307),
    unproved("unproved-answer", 410), answered("token-refused", 401), answered("forbidden", 403),
    answered("wrong-address", 404),
    answered("rate-limited", 429), answered("server-fault", 503), answered("file-failed", 507, from: .file),
    platform("data-refused", 403, "not consented"), platform("sign-in-needed", 401, "nobody is signed in"),
    Cause("quarantined") { asked in
      asked.phone.consentAndStart()
      asked.phone.sink.judge = { _ in .refused(reason: "no") }
      asked.record(5)
      asked.phone.send(.flush)
      asked.phone.wait(.hours(1))
    },
    Cause("erasure-pending") { asked in
      asked.phone.consentAndStart()
      asked.record(5)
      asked.phone.isOnline = false
      asked.phone.send(.withdraw)
    },
    Cause("no-endpoint") { asked in
      asked.endpoints = []
      asked.phone.consentAndStart()
      asked.phone.isOnline = false
      asked.phone.send(.withdraw)
    },
  ]
}

@Suite("Causes of missing data")
struct IssueTableTests {
  static let marker = "## Causes of missing data\n"

  @Test(arguments: Cause.all) func everyIssueHasACodeASentenceAndARemedy(cause: Cause) throws {
    let status = try cause.asked().status
    let issue = try #require(
      status.issues.first { $0.code == cause.code }, "\(status.issues.map(\.code)) \(status.sentence)")
    for text in [issue.sentence, issue.remedy] {
      #expect(text.hasSuffix(".") && text.first?.isUppercase == true, "\(text)")
    }
    // The sentence names the problem instead of the normal state.
    #expect(!status.sentence.hasPrefix("Recording.") && !status.sentence.hasPrefix("Waiting"))
    #expect(status.remedy != nil)
  }

  @Test func namesAreUnique() {
    #expect(Set(Cause.all.map(\.code)).count == Cause.all.count)
  }

  /// Without a cause no issue is reported.
  @Test func aRecordingPhoneHasNoIssues() throws {
    let asked = try StatusTests.Asked()
    asked.phone.consentAndStart()
    asked.record(20)
    #expect(asked.status.issues.isEmpty)
    #expect(asked.status.sentence.hasPrefix("Recording. 1"))
  }

  /// A device that stands still is thinned for minutes: positions arrive all the same.
  @Test func thinnedFixesCountAsFixes() throws {
    let asked = try StatusTests.Asked(configuration: {
      $0.minimumDistance = 5
      $0.stillAfter = .hours(1)
    })
    asked.phone.consentAndStart()
    asked.phone.send(.region(.entered))
    for _ in 0..<60 {
      asked.phone.wait(.seconds(5))
      asked.phone.fix(at: (east: 1, north: 1))
    }
    #expect(asked.status.issues.isEmpty, "\(asked.status.issues)")
  }

  /// An old refusal does not explain why nothing arrives now.
  @Test func missingFixesAreNotARefusal() throws {
    let asked = try StatusTests.Asked()
    asked.phone.consentAndStart()
    asked.phone.send(.region(.entered))
    asked.phone.accuracy = 500
    asked.phone.fix(at: (east: 0, north: 0))
    asked.phone.accuracy = 5
    asked.record(3)
    asked.phone.sleep(.minutes(3))
    #expect(asked.status.issues.map(\.code) == ["no-fixes"])
  }

  /// The clock is set back while the receiver keeps true time; the issue ends when the clock is right again.
  @Test func aClockSetBackWhileRecordingIsReported() throws {
    let asked = try StatusTests.Asked()
    asked.phone.consentAndStart()
    asked.record(10)
    #expect(asked.status.issues.isEmpty)
    asked.phone.setClock(by: .hours(-1))
    for step in 0..<3 {
      asked.phone.wait(.seconds(5))
      let fix = Fix(
        coordinate: asked.venue.place(east: Double(step), north: 2), accuracy: 5, time: asked.phone.now.wall + .hours(1)
      )
      #expect(asked.phone.send(.fix(fix)) == .refused(.future))
    }
    #expect(asked.status.issues.first?.code == "clock-behind")
    asked.phone.setClock(by: .hours(1))
    asked.phone.send(.wake)
    #expect(asked.status.issues.first?.code != "clock-behind")
    asked.record(5)
    #expect(asked.status.issues.isEmpty)
  }

  /// A working sink does not hide a failing one.
  @Test func eachSinkHasItsOwnIssues() throws {
    let asked = try StatusTests.Asked(configuration: {
      $0.sinks = [Sink(.cordon, needsActivation: false), Sink(.overland)]
    })
    asked.endpoints = [.cordon, .overland]
    asked.phone.consentAndStart()
    asked.phone.isOnline = false
    asked.record(5)
    asked.answers(0, from: .overland)
    asked.record.note(
      SinkResponse(number: 9, status: 207, body: .rows([])), to: .positions([], token: nil), from: .cordon,
      at: asked.phone.now.wall)
    let offline = asked.status.issues.first { $0.code == "offline" }
    #expect(offline?.sentence.contains("overland") == true, "\(asked.status.issues)")
  }

  /// The page lists every code; `CORDON_RECORD=1` rewrites the list.
  @Test func everyIssueIsDocumented() throws {
    let root = Places.package
    let file = root.appendingPathComponent("docs/reference/monitor-states.md")
    var page = try String(contentsOf: file, encoding: .utf8)
    let start = try #require(page.range(of: Self.marker))
    if ProcessInfo.processInfo.environment["CORDON_RECORD"] != nil {
      page.replaceSubrange(start.lowerBound..., with: try Self.list())
      try page.write(to: file, atomically: true, encoding: .utf8)
    }
    let written = String(page[try #require(page.range(of: Self.marker)).lowerBound...])
    #expect(try written == Self.list(), "docs/reference/monitor-states.md does not list what the status reports")
  }

  static func list() throws -> String {
    var text = """
      \(marker)
      Every cause has a code for scripts, a sentence and a remedy for people (`MonitorStatus.issues`, most important first).
      The test suite writes this list too (`CORDON_RECORD=1 swift test --filter IssueTableTests`).

      | code | sentence | remedy |
      |---|---|---|

      """
    for cause in Cause.all {
      let issue = try #require(try cause.asked().status.issues.first { $0.code == cause.code })
      text += "| `\(issue.code)` | \(issue.sentence) | \(issue.remedy) |\n"
    }
    text += """

      Other reasons of a refusal (`RefusalReason`) are reported as `refused-` and their name in the same way. Providers add their own:
      Core Location `reduced-accuracy`, `background-refresh-off`, `region-failed` and `location-failed`; gpsd `no-gpsd`,
      `no-receiver`, `no-report` and `no-fix`.

      """
    return text
  }
}
