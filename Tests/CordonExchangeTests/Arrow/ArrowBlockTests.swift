import CordonContacts
import CordonCore
import CordonTestSupport
import Foundation
import Testing

@testable import CordonExchange

/// Rows in blocks are those of the reader that goes row by row, with the same faults at the same places.
@Suite struct ArrowBlockTests {
  private typealias Outcome = Result<PointTable, PointFileError>

  private func read(_ path: String, _ options: PointFileOptions, inBlocks: Bool) -> Outcome {
    Result {
      try ArrowPoints.read(path, options, into: PointCollector(options, capacity: .max), inBlocks: inBlocks).table()
    }.mapError { $0 as? PointFileError ?? PointFileError(.unreadable, "\($0)") }
  }

  private func expectEqual(_ a: Outcome, _ b: Outcome, _ comment: Comment) throws {
    switch (a, b) {
    case (.failure(let a), .failure(let b)): #expect(a == b, comment)
    case (.success(let a), .success(let b)):
      #expect(a.devices == b.devices && a.rows == b.rows && a.reading == b.reading, comment)
      #expect(a.badRows == b.badRows && a.badRowCount == b.badRowCount, comment)
      try #require(a.groups.map(\.venue) == b.groups.map(\.venue), comment)
      for (a, b) in zip(a.groups, b.groups) {
        #expect(a.points == b.points && a.stillUntil == b.stillUntil && a.frame == b.frame, comment)
        #expect(a.accuracies.map(\.bitPattern) == b.accuracies.map(\.bitPattern), comment)
      }
    default: Issue.record("one reading failed: \(a), \(b); \(comment)")
    }
  }

  /// Columns of a table of random rows; a fault comes once in `rarity` rows.
  private func bytes(_ random: inout RandomStream, rows: Int, rarity: Int, inDegrees: Bool, hasVenues: Bool) -> [UInt8]
  {
    func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
    func hasFault() -> Bool { rarity > 0 && below(rarity) == 0 }
    let places = inDegrees ? ["longitude", "latitude"] : ["x", "y"]
    let columns: [TableColumn] =
      [.text("device"), .time("time")] + places.map { .number($0) }
      + [.number("floor"), .number("accuracy"), .time("still_until")] + (hasVenues ? [.text("venue")] : [])
    var writer = ArrowTableWriter(columns, name: "points", isFile: false)
    var bytes = writer.head()
    for row in 0..<rows {
      let time = 1_767_600_000_000_000 + Int64(row) * 1_000_500 - Int64(below(3) * 3_000_000)
      let extremes: [Int64] = [.max, .min, 9_200_000_000_000_001, -9_200_000_000_001_000]
      let wrong: [Double] = [.nan, .infinity, -181, 89.95, 1e300]
      var values: [TableValue] = [
        hasFault() ? (below(2) == 0 ? .text("") : .missing) : .text("device-\(below(40))"),
        hasFault() ? (below(2) == 0 ? .missing : .time(extremes[below(4)])) : .time(time),
        .number(hasFault() ? wrong[below(5)] : 11.5 + Double(below(1_000)) / 1e5),
        hasFault() ? .missing : .number(48.1 + Double(below(1_000)) / 1e5),
        below(5) == 0 ? .missing : .number(hasFault() ? 2e6 : [0, 1, -1, 0.5, 1.2345][below(5)]),
        below(5) == 0 ? .missing : .number([0, -1, 3.25, 1e-60][below(4)]),
        below(9) == 0 ? .time(time + 60_000_000) : .missing,
      ]
      if hasVenues { values.append(below(9) == 0 ? .missing : .text("venue-\(below(3))")) }
      bytes += writer.add(values)
    }
    return bytes + writer.finish()
  }

  @Test func blocksGiveTheRowsAndFaultsOfSingleRows() throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = RandomStream(seed: seed, stream: 1)
    func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
    let scratch = try TemporaryFolder()
    for round in 0..<24 {
      let inDegrees = below(3) > 0
      var options = PointFileOptions()
      options.isMetres = !inDegrees && below(2) == 0
      options.isStrict = below(6) == 0
      options.badRowLimit = 7
      let path = scratch.path("points-\(round).arrows")
      let table = bytes(
        &random, rows: below(4_000), rarity: [0, 400, 3_000][round % 3], inDegrees: inDegrees,
        hasVenues: below(2) == 0)
      try Data(table).write(to: URL(fileURLWithPath: path))
      try expectEqual(
        read(path, options, inBlocks: true), read(path, options, inBlocks: false), "seed \(seed), round \(round)")
    }
  }

  /// Numbers of names follow the rows, also of those that spill to a file.
  @Test func blocksFillAFileAsSingleRowsDo() throws {
    var random = RandomStream(seed: 7, stream: 1)
    let scratch = try TemporaryFolder()
    let path = scratch.path("points.arrows")
    let table = bytes(&random, rows: 9_000, rarity: 2_000, inDegrees: true, hasVenues: true)
    try Data(table).write(to: URL(fileURLWithPath: path))
    let options = PointFileOptions()
    func windows(inBlocks: Bool) throws -> [[TrackPoint]] {
      let found = try ArrowPoints.read(
        path, options, into: PointCollector(options, capacity: 1_500), inBlocks: inBlocks
      )
      .windows()
      var points: [[TrackPoint]] = [[]]
      for venue in found.venues {
        try found.forEach(of: venue, gap: 30_000, points: 2_000) { window in
          points.append(window.points)
          return true
        }
      }
      return points
    }
    let found = try windows(inBlocks: true)
    #expect(found == (try windows(inBlocks: false)) && found.joined().count > 8_000)
  }
}

/// Rows that are written column by column give the bytes of the same rows one by one.
@Suite struct ArrowColumnTests {
  @Test(arguments: [false, true]) func columnsGiveTheBytesOfRows(isFile: Bool) {
    let columns: [TableColumn] = [
      .text("a"), .number("b"), .count("c"), .flag("d"), .time("e"), .text("empty"), .number("none"), .flag("nothing"),
    ]
    func text(_ k: Int) -> String? { k % 7 == 3 ? nil : "device \(k % 90) ä" }
    func number(_ k: Int) -> Double? { k % 5 == 0 ? nil : k % 11 == 0 ? .nan : Double(k) / 3 }
    func flag(_ k: Int) -> Bool? { (100..<900).contains(k) ? nil : k % 2 == 0 }
    var byRow = ArrowTableWriter(columns, name: "rows", isFile: isFile)
    var byColumn = ArrowTableWriter(columns, name: "rows", isFile: isFile)
    var (expected, bytes) = (byRow.head(), byColumn.head())
    // Lots of every size, over the end of a batch.
    var first = 0
    for size in [0, 1, 7, 1_023, 1_024, 3_000, 61_000, 70_000, 5] {
      let rows = Array(first..<(first + size))
      first += size
      for k in rows {
        expected += byRow.add([
          text(k).map { .text($0) } ?? .missing, number(k).map { .number($0) } ?? .missing, .count(Int64(k)),
          flag(k).map { .flag($0) } ?? .missing, .time(Int64(k) * 1_000),
        ])
      }
      bytes += byColumn.add(rows) { rows, columns in
        for k in rows { columns[0].append(text: text(k)) }
        for k in rows {
          columns[1].append(number: number(k))
          columns[2].append(count: Int64(k))
          columns[3].append(flag: flag(k))
        }
        for k in rows { columns[4].append(time: Int64(k) * 1_000) }
      }
    }
    expected += byRow.finish()
    bytes += byColumn.finish()
    #expect(first > 2 * 65_536 && bytes == expected)
  }
}
