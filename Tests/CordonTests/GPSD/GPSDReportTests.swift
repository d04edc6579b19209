import Cordon
import CordonCore
import CordonWire
import Testing

@Suite("gpsd's lines, and the fix of an epoch")
struct GPSDReportTests {
  func report(_ line: String) throws -> GPSDReport { try GPSDReport(parsing: Array(line.utf8)) }

  /// The fix of the given lines, with none after them.
  func fix(_ lines: String...) throws -> Fix? {
    var epochs = GPSDEpochs()
    for line in lines { if let fix = epochs.take(try report(line)) { return fix } }
    return epochs.flush().first
  }

  @Test func aPositionHasItsErrorAsARadius() throws {
    let line =
      #"{"class":"TPV","device":"/dev/x","mode":3,"time":"2020-06-01T12:00:00.500Z","lat":47.37,"lon":8.54,"alt":400.1,"epx":10.0,"epy":19.6,"eph":31.0,"speed":1.2}"#
    let fix = try #require(try fix(line))
    #expect(fix.coordinate == Coordinate(longitude: 8.54, latitude: 47.37))
    #expect(fix.time == Instant(milliseconds: 1_591_012_800_500))
    #expect(fix.floor == nil)
    #expect(!fix.isMocked)
    // 19.6 m at 95 % of one axis are 10 m of deviation; the 68 % radius of that is 15.096 m.
    #expect(abs(try #require(fix.accuracy) - 15.096) < 0.01)
  }

  @Test func theReceiversDeviationsTakePrecedence() throws {
    // gpsd passes a GST sentence's standard deviations on as if they were errors of 95 %.
    let fix = try fix(
      #"{"class":"GST","device":"/dev/x","time":"2020-07-11T22:37:46.000Z","rms":837.0,"lat":2.0,"lon":1.0,"alt":3.0}"#,
      #"{"class":"TPV","device":"/dev/x","status":2,"mode":3,"time":"2020-07-11T22:37:46.000Z","lat":38.1,"lon":-122.6,"epx":1.0,"epy":1.0,"eph":2.66}"#
    )
    #expect(abs(try #require(fix?.accuracy) - 2 * 1.5096) < 0.001)
  }

  @Test func deviationsOfAnotherEpochAreNotMixedIn() throws {
    let fix = try fix(
      #"{"class":"GST","device":"/dev/x","time":"2020-07-11T22:37:45.000Z","lat":0.1,"lon":0.1}"#,
      #"{"class":"TPV","device":"/dev/x","mode":3,"time":"2020-07-11T22:37:46.000Z","lat":38.1,"lon":-122.6,"epx":19.6,"epy":1.0}"#
    )
    #expect(abs(try #require(fix?.accuracy) - 15.096) < 0.01)
  }

  @Test func errorsOfUnknownConfidenceAreNotReduced() throws {
    let line = #"{"class":"TPV","mode":3,"time":"2020-06-01T12:00:00Z","lat":47.37,"lon":8.54,"eph":20.9}"#
    #expect(try fix(line)?.accuracy == 20.9)
  }

  @Test func aMissingErrorIsNotAGoodOne() throws {
    let line = #"{"class":"TPV","mode":2,"time":"2020-06-01T12:00:00Z","lat":47.37,"lon":8.54}"#
    let fix = try #require(try fix(line))
    #expect(fix.accuracy == nil)
  }

  @Test func aSimulatorIsNotAReceiver() throws {
    let line = #"{"class":"TPV","status":8,"mode":3,"time":"2020-06-01T12:00:00Z","lat":47.37,"lon":8.54,"eph":5}"#
    #expect(try fix(line)?.isMocked == true)
  }

  @Test(arguments: [
    #"{"class":"VERSION","release":"3.22"}"#, #"{"class":"TPV","mode":1}"#,
    #"{"class":"TPV","mode":3,"lat":1.0,"lon":2.0}"#,
    #"{"class":"TPV","mode":1,"time":"2020-06-01T12:00:00Z","lat":1.0,"lon":2.0}"#,
    #"{"class":"SKY","satellites":[{"PRN":1}]}"#, #"{"class":"TPV","mode":3,"time":"yesterday","lat":1.0,"lon":2.0}"#,
  ])
  func otherReportsAreNotFixes(line: String) throws {
    #expect(try fix(line) == nil)
  }

  @Test func daemonAndReceiverReportsAreRead() throws {
    #expect(try report(#"{"class":"VERSION","release":"3.22","rev":"3.22"}"#) == .version(release: "3.22"))
    let devices =
      #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a","native":0},{"path":"/dev/b","class":"DEVICE"}]}"#
    #expect(try report(devices) == .devices(["/dev/a", "/dev/b"]))
    #expect(try report(#"{"class":"WATCH","enable":true}"#) == .other)
  }

  @Test func anInvalidLineIsAnError() {
    #expect(throws: WireError.self) { try report(#"{"class":"TPV","lat":"#) }
    #expect(throws: WireError.self) { try report("hello") }
  }

  @Test func theFullestReportOfAnEpochIsTheFix() throws {
    var epochs = GPSDEpochs()
    func line(_ second: Int, mode: Int, _ rest: String = "") throws -> Fix? {
      epochs.take(
        try report(
          #"{"class":"TPV","device":"/dev/x","mode":\#(mode),"time":"2020-06-01T12:00:0\#(second)Z","lat":47.37,"lon":8.54\#(rest)}"#
        ))
    }
    #expect(try line(1, mode: 2) == nil)
    #expect(try line(1, mode: 3, #","epx":1.96,"epy":1.96"#) == nil)
    // A report that is fuller only by its height: the one with an error is kept.
    #expect(try line(1, mode: 3) == nil)
    let first = try #require(try line(2, mode: 2))
    #expect(abs(try #require(first.accuracy) - 1.5096) < 0.001)
    #expect(epochs.isWaiting)
    #expect(epochs.flush().map(\.accuracy) == [nil])
    // Later reports of an epoch that has become a fix change nothing.
    #expect(try line(2, mode: 3, #","epx":1.96,"epy":1.96"#) == nil)
    #expect(epochs.flush().isEmpty)
    // A clock that is set back does not count as a repetition.
    #expect(try line(1, mode: 3, #","eph":7"#) == nil)
    #expect(epochs.flush().map(\.accuracy) == [7])
  }

  @Test func twoReceiversDoNotHideEachOther() throws {
    var epochs = GPSDEpochs()
    for device in ["b", "a"] {
      _ = epochs.take(
        try report(
          #"{"class":"TPV","device":"\#(device)","mode":3,"time":"2020-06-01T12:00:00Z","lat":47.37,"lon":8.54,"eph":5}"#
        ))
    }
    #expect(epochs.flush().count == 2)
  }

  @Test func waitsGrowAndResetAfterAConnection() {
    var wait = ReconnectWait(first: .seconds(1), last: .seconds(60))
    let waits = (0..<8).map { _ in wait.next(afterContact: false) }
    #expect(waits == [1, 2, 4, 8, 16, 32, 60, 60].map { TimeSpan.seconds($0) })
    #expect(wait.next(afterContact: true) == .seconds(1))
    #expect(wait.next(afterContact: false) == .seconds(2))
  }
}
