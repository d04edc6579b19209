import CordonCore
import CordonSupport
import Testing

@testable import CordonSimulator

@Suite("Tables as spreadsheets write them")
struct SpreadsheetTableTests {
  @Test(arguments: [
    ("time;Room 1\n07:00;3,5\n", ";"), ("time\tRoom 1\r\n07:00\t3.5\r\n", "\t"), ("time,Room 1\n07:00,\"3,5\"\n", ","),
    ("\u{feff}time;Room 1\r\n07:00 ; \"3,5\"\r\n\r\n", ";"), ("\n\ntime,Room 1\r07:00,3.5\r", ","),
  ])
  func separatorsAndDecimalsAreFound(text: String, separator: Character) throws {
    let table = try SpreadsheetTable(parsing: text)
    #expect(table.separator == separator && table.headings == ["time", "Room 1"] && table.rows.count == 1)
    #expect(table.text(table.rows[0], 0) == "07:00")
    #expect(try table.number(table.rows[0], 1) == 3.5)
  }

  @Test func cellsKeepWhatQuotesProtect() throws {
    let table = try SpreadsheetTable(parsing: "a;b;c\n\"x;1\";\"say \"\"so\"\"\";\"two\nlines\"\n1;2\n")
    #expect(table.rows.map(\.line) == [2, 4])
    #expect(table.rows[0].cells == ["x;1", "say \"so\"", "two\nlines"])
    #expect(try table.number(table.rows[1], 2) == nil, "a missing cell is empty")
  }

  /// Every table of texts is read back, with every separator.
  @Test func tablesReadBackEqual() throws {
    var random = RandomStream(seed: 9, replica: 0, stream: 3, entity: 0)
    let letters = Array("ab ;,\t\"\n7.é")
    for separator in [";", ",", "\t"] {
      for _ in 0..<60 {
        let columns = 2 + random.nextIndex(below: 4)
        let rows = (0..<1 + random.nextIndex(below: 5)).map { _ in
          (0..<columns).map { _ in
            "x" + String((0..<random.nextIndex(below: 6)).map { _ in letters[random.nextIndex(below: letters.count)] })
              + "x"
          }
        }
        let head = (0..<columns).map { "c\($0)" }
        let text = ([head] + rows).map { row in
          row.map { "\"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: separator)
        }.joined(separator: "\r\n")
        // A quoted heading does not show the separator of the first line unless it stands between quotes.
        let table = try SpreadsheetTable(parsing: text)
        #expect(table.headings == head && table.rows.map(\.cells) == rows)
      }
    }
  }

  @Test(arguments: [
    ("", "line 1", "the table is empty"),
    (
      "time,count\n07:00,3,5\n", "line 2, column 3",
      "3 cells, and the headings are 2; quote numbers with a decimal comma"
    ),
    ("time;count\n\"07:00;3\n", "line 2", "is never closed"),
  ])
  func faultsHaveTheirPlace(text: String, place: String, message: String) throws {
    let error = #expect(throws: TableError.self) { try SpreadsheetTable(parsing: text) }
    #expect(error?.place == place && error?.message.contains(message) == true, "\(String(describing: error))")
  }

  @Test(arguments: [
    ("time;count\n2026-01-05T07:00:00Z;x", "line 2, column 2 (count)", "'x' is not a number of people"),
    ("time;count\n2026-01-05T07:00:00Z;-1", "line 2, column 2 (count)", "-1 is not from 0"),
    ("time;count\n2026-01-05T07:00:00Z;1.234,5", "line 2, column 2 (count)", "has a point and a comma"),
    ("time;count\n1;2\n", "line 2, column 1 (time)", "'1' is not a time such as"),
    ("time;count\n07:00;2\n", "line 2, column 1 (time)", "'07:00' has no date: give the day with --date"),
    ("date;time;count\n2026-02-30;07:00;2\n", "line 2, column 1 (date)", "is not a date such as"),
    ("DayId;Time;Room 1\nx;07:00;2\n", "line 2, column 1 (DayId)", "'x' is not the number of a day"),
    ("when;count\n1;2\n", "line 1", "needs a column 'time'"),
    ("time\n2026-01-05T07:00:00Z\n", "line 1", "needs a column of numbers"),
    ("time;count\n2026-01-05T07:00:00Z;\n", "", "has no numbers"),
  ])
  func measuredFaultsNameLineAndColumn(text: String, place: String, message: String) throws {
    let error = #expect(throws: TableError.self) { try MeasuredTable(parsing: text, clock: .utc) }
    #expect(error?.place == place && error?.message.contains(message) == true, "\(String(describing: error))")
  }

  @Test func timesAreReadInLocalTime() throws {
    let berlin = try #require(ScenarioClock(zone: "Europe/Berlin"))
    func first(_ text: String, date: String? = nil) throws -> (MeasuredTable.Value, MeasuredTable.Day) {
      let table = try MeasuredTable(parsing: text, date: date.flatMap { CalendarDay(written: $0) }, clock: berlin)
      return (table.values[0], table.days[0])
    }
    let monday = try #require(CalendarDay(year: 2026, month: 1, day: 5)).number
    for (text, date) in [
      ("time;count\n2026-01-05T07:30:00+01:00;2\n", nil), ("time;count\n2026-01-05T06:30:00Z;2\n", nil),
      ("Zeit;Anzahl\n05.01.2026 07:30;2\n", nil), ("time;count\n2026-01-05 07:30:00;2\n", nil),
      ("Datum;Uhrzeit;Personen\n05.01.2026;07:30;2\n", nil), ("time;count\n7:30;2\n", "2026-01-05"),
      ("time;count\n7:30;2\n", "05.01.2026"),
    ] {
      let (value, day) = try first(text, date: date)
      #expect(value.day == monday && value.second == 27_000 && value.number == 2, "\(text)")
      #expect(day.weekday == 0 && day.label == "2026-01-05", "\(text)")
    }
  }

  @Test func headingsDecideWhatNumbersMean() throws {
    func values(_ text: String) throws -> [MeasuredTable.Value] { try MeasuredTable(parsing: text, clock: .utc).values }
    let wide = try values("DayId,Time,Weekday,Holiday,Room 1,Room 2\n3,07:00:00,2,0,4.0,1\n")
    #expect(wide.map(\.place) == ["Room 1", "Room 2"] && wide.map(\.number) == [4, 1])
    let day = try MeasuredTable(parsing: "DayId,Time,Weekday,Holiday,Room 1\n3,07:00:00,2,1,4\n", clock: .utc).days[0]
    #expect(day.label == "day 3" && day.weekday == 6, "a holiday is like a Sunday")
    let long = try values("time;room;count\n2026-01-05T07:00:00Z;Lab;4\n")
    #expect(long[0].place == "Lab" && long[0].quantity == .people)
    let flows = try values("time;in;out\n2026-01-05T07:00:00Z;4;1\n")
    #expect(flows.map(\.quantity) == [.entries, .exits])
    let export = try MeasuredTable(
      parsing: """
        venue,floor,space,name,bin_start,mean,peak
        v,0,,,2026-01-05T07:00:00Z,3,4
        v,,r1,Lab,2026-01-05T07:00:00Z,2,4
        """, clock: .utc)
    #expect(export.isSparse && export.values.map(\.quantity) == [.devices, .devices])
    #expect(export.values.map(\.place) == ["", "r1"])
    let run = try values(
      "source,floor,space,space_name,start,end,mean_count,peak_count\ntruth,0,r1,Lab,2026-01-05T07:00:00Z,x,2,3\n"
        + "observed,0,r1,Lab,2026-01-05T07:00:00Z,x,1,3\n")
    #expect(run.count == 1 && run[0].place == "r1" && run[0].number == 2 && run[0].quantity == .people)
  }
}
