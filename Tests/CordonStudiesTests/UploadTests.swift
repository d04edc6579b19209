import CordonCore
import CordonSQLite
import CordonSupport
import Testing

@testable import CordonStudies

@Suite("Uploads of phones") struct UploadTests {
  private func location(_ minute: Int, id: FixID = Fixture.id(), more: String = "") -> String {
    #"{"id":"\#(id)","time":\#(start.milliseconds + Int64(minute) * 60_000),"lon":13.4,"lat":52.5,"accuracy":12,"activity":"walking","battery":80,"odometer":12.5\#(more)}"#
  }

  @Test(arguments: Fixture.Kind.allCases) func aRepeatedUploadAddsNothing(_ kind: Fixture.Kind) throws {
    let fixture = try Fixture(kind)
    let participant = try fixture.enrol()
    let rows = (0..<250).map { location($0) }.joined(separator: ",")
    let body = try fields("{\"locations\":[\(rows)]}")
    let now = start + .hours(6)
    #expect(try fixture.service.addLocations(body, of: participant, now: now) == .init(stored: 250))
    #expect(try fixture.service.addLocations(body, of: participant, now: now) == .init(known: 250))
    let found = try fixture.service.store.locations(of: participant.id, from: start, to: now)
    #expect(found.count == 250)
    #expect(found[0].quality == .good && found[0].battery == 80 && found[0].activity == .walking)
    let event =
      #"{"events":[{"id":"\#(Fixture.id())","time":\#(start.milliseconds),"type":"PERMISSIONS_UPDATE","permission":"location","value":false}]}"#
    #expect(try fixture.service.addEvents(fields(event), of: participant, now: now).stored == 1)
    #expect(try fixture.service.addEvents(fields(event), of: participant, now: now).known == 1)
  }

  @Test func thereIsOneNameForTheStartOfRecording() throws {
    let fixture = try Fixture()
    let participant = try fixture.enrol(tracks: false)
    func upload(_ type: String) throws {
      _ = try fixture.service.addEvents(
        fields(#"{"events":[{"id":"\#(Fixture.id())","time":\#(start.milliseconds),"type":"\#(type)"}]}"#),
        of: participant, now: start)
    }
    #expect(throws: StudyError.self) { try upload("START_TRACKING") }
    #expect(throws: StudyError.self) { try upload("ENROLLED") }
    try upload("TRACKING_STARTED")
    #expect(try fixture.service.state(of: participant).phase == .active)
  }

  @Test func positionsOfPausesAreNotStored() throws {
    let fixture = try Fixture()
    let participant = try fixture.enrol()
    try fixture.service.pause(participant, true, now: start + .minutes(10))
    try fixture.service.pause(participant, false, now: start + .minutes(20))
    let rows = (0..<30).map { location($0) }.joined(separator: ",")
    let receipt = try fixture.service.addLocations(
      fields("{\"locations\":[\(rows)]}"), of: participant, now: start + .hours(1))
    #expect(receipt == .init(stored: 20, known: 0, outside: 10))
    try fixture.service.leave(participant, now: start + .hours(2))
    let left = try #require(try fixture.service.store.participant(participant.id))
    let late = try fixture.service.addLocations(
      fields("{\"locations\":[\(location(130)),\(location(40))]}"), of: left, now: start + .hours(3))
    #expect(late == .init(stored: 1, known: 0, outside: 1))
  }

  @Test(arguments: [
    (#","speed":3"#, "locations[0].speed: not a known key"),
    (#","is_mocked":1"#, "locations[0].is_mocked: true or false"),
  ])
  func faultsNameTheirRow(_ more: String, _ message: String) throws {
    let fixture = try Fixture()
    let participant = try fixture.enrol()
    let error = #expect(throws: StudyError.self) {
      try fixture.service.addLocations(
        fields("{\"locations\":[\(location(0, more: more))]}"), of: participant, now: start)
    }
    #expect(error.map { "\($0)".hasPrefix(message) } == true, "\(String(describing: error))")
  }

  /// A phone can name any time; the smallest integer has no absolute value.
  @Test(arguments: [Int64.min, Int64.max, -9_200_000_000_001, 9_200_000_000_001])
  func timesHaveBounds(time: Int64) throws {
    let fixture = try Fixture()
    let participant = try fixture.enrol()
    let row = "{\"id\":\"\(Fixture.id())\",\"time\":\(time),\"lon\":13.4,\"lat\":52.5}"
    let error = #expect(throws: StudyError.self) {
      try fixture.service.addLocations(fields("{\"locations\":[\(row)]}"), of: participant, now: start)
    }
    #expect(error?.code == .badField)
  }

  @Test func anUnknownAccuracyIsNotAGoodOne() throws {
    func quality(_ accuracy: Double?, mocked: Bool = false) -> StudyLocation.Quality {
      StudyLocation(
        id: Fixture.id(), participant: ParticipantID(.system), time: start,
        coordinate: Coordinate(longitude: 0, latitude: 0), accuracy: accuracy, isMocked: mocked
      ).quality
    }
    #expect(quality(nil) == .unknown)
    // The published 75th percentile indoors is 35 m: such a position counts.
    #expect(quality(35) == .good)
    #expect(quality(109) == .coarse)
    #expect(quality(5, mocked: true) == .mocked)
  }

  @Test func theStarSchemaCountsTheSame() throws {
    let fixture = try Fixture(.files)
    let participant = try fixture.enrol()
    try fixture.walk(participant, from: start + .hours(23), minutes: 122)
    _ = try fixture.service.earn(fixture.code, now: start + .days(4))
    let store = try #require(fixture.service.store as? SQLiteStudyStore)
    func rows(_ sql: String) throws -> [String] {
      let statement = try store.connection.prepareOnce(sql)
      var list: [String] = []
      while try statement.advance() {
        list.append((0..<statement.columnCount).map { statement.text($0) }.joined(separator: "|"))
      }
      return list
    }
    #expect(
      try rows(
        """
        SELECT d.date_key, a.is_moving, count(*), avg(f.accuracy_m) FROM fact_location f
        JOIN dim_date d USING (date_key) JOIN dim_activity a USING (activity_key)
        JOIN dim_participant p USING (participant_key) JOIN dim_study s ON s.study_key = f.study_key
        GROUP BY 1, 2 ORDER BY 1
        """) == ["2026-01-01|1|60|8.0", "2026-01-02|1|62|8.0"])
    #expect(
      try rows("SELECT kind FROM fact_event ORDER BY time_ms, kind")
        == ["CONSENT_GIVEN", "ENROLLED", "TRACKING_STARTED"])
    #expect(try rows("SELECT count(*), sum(credits) FROM fact_ledger WHERE participant_key IS NOT NULL") == ["2|2"])
    #expect(!StudySchema.postgresViews.contains("strftime") && StudySchema.postgresViews.contains("to_timestamp"))
  }

  @Test func aLedgerOfAFileCannotBeChanged() throws {
    let fixture = try Fixture(.files)
    try fixture.walk(try fixture.enrol(), from: start + .hours(8), minutes: 100)
    _ = try fixture.service.earn(fixture.code, now: start + .days(4))
    let store = try #require(fixture.service.store as? SQLiteStudyStore)
    #expect(throws: SQLiteFault.self) { try store.connection.execute("UPDATE ledger SET credits = 1000") }
  }
}
