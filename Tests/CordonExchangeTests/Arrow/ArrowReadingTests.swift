import CordonContacts
import CordonCore
import CordonExchange
import CordonTestSupport
import Foundation
import Testing

@Suite struct ArrowReadingTests {
  static func bytes(_ base64: String) throws -> [UInt8] {
    Array(try #require(Data(base64Encoded: base64.filter { !$0.isWhitespace })))
  }

  static func read(_ bytes: [UInt8], _ options: PointFileOptions = PointFileOptions()) throws -> PointTable {
    let path = NSTemporaryDirectory() + "arrow-\(UUID().uuidString).arrow"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try PointFiles.read([PointFile(path: path)], options: options)
  }

  @Test(arguments: [ArrowSamples.stream, ArrowSamples.file])
  func readsWhatPyarrowWrites(sample: String) throws {
    let table = try ArrowReadingTests.read(try ArrowReadingTests.bytes(sample))
    #expect(table.devices == ["alpha", "bé"] && table.rows == 4)
    // The third row has no y.
    #expect(table.badRowCount == 1 && table.badRows.map(\.line) == [2])
    let group = try #require(table.groups.first)
    #expect(group.points.map(\.device) == [0, 1, 1] && group.points.map(\.x) == [0, 1, 3.5])
    #expect(group.points.map(\.y) == [0, 0.25, 1])
    #expect(group.points.map(\.time) == [1_767_600_000_000, 1_767_600_000_000, 1_767_600_001_000])
    #expect(group.points.map(\.floor) == [0, Segment.unknownFloor, -1_000])
    #expect(group.accuracies[0] == 3 && group.accuracies[1].isNaN && group.accuracies[2] == 2.5)
    #expect(group.frame == nil && table.reading.assumed.isEmpty)
  }

  @Test func aBadRowIsNamedWhereEveryRowMustBeRead() throws {
    var options = PointFileOptions()
    options.isStrict = true
    let error = try #require(throws: PointFileError.self) {
      try ArrowReadingTests.read(try ArrowReadingTests.bytes(ArrowSamples.stream), options)
    }
    #expect(error.code == .badRow && error.place == "row 2")
  }

  @Test func whatTableWritersWriteIsRead() throws {
    var random = SystemRandomNumberGenerator()
    let seed = random.next()
    let columns: [TableColumn] = [
      .text("device"), .time("time"), .number("longitude", unit: "degree"), .number("latitude", unit: "degree"),
      .count("floor"), .flag("mocked"),
    ]
    // More rows than a batch has.
    let count = 70_000
    for isFile in [false, true] {
      var writer = ArrowTableWriter(columns, name: "points", isFile: isFile)
      var bytes = writer.head()
      for k in 0..<count {
        let noise = Double((seed >> 3) &* UInt64(k + 1) % 1_000) / 1e7
        bytes += writer.add([
          .text("d\(k % 7)"), .time(1_767_600_000_000_000 + Int64(k) * 1_000), .number(11.5 + noise), .number(48.1),
          k % 3 == 0 ? .missing : .count(Int64(k % 3)), .flag(k % 2 == 0),
        ])
      }
      bytes += writer.finish()
      let table = try ArrowReadingTests.read(bytes)
      let points = try #require(table.groups.first).points
      #expect(points.count == count && table.badRowCount == 0 && table.devices.count == 7, "seed \(seed)")
      #expect(points.map(\.time) == (0..<count).map { 1_767_600_000_000 + Int64($0) })
      #expect(points[3].floor == Segment.unknownFloor && points[4].floor == 1_000 && points[5].floor == 2_000)
    }
  }

  @Test func timesOfOtherTypesAreRead() throws {
    func times(_ name: String, _ kind: (String) -> TableColumn, _ values: [TableValue]) throws -> [Int64] {
      let columns: [TableColumn] = [.count("device"), kind(name), .number("x"), .number("y")]
      var writer = ArrowTableWriter(columns, name: "p", isFile: false)
      var bytes = writer.head()
      for value in values { bytes += writer.add([.count(5), value, .number(1), .number(1)]) }
      let table = try ArrowReadingTests.read(bytes + writer.finish())
      #expect(table.devices == ["5"])
      return table.groups[0].points.map(\.time)
    }
    let seconds: [TableValue] = [.count(1_767_600_000), .count(1_767_600_001)]
    #expect(try times("t", { .count($0) }, seconds) == [1_767_600_000_000, 1_767_600_001_000])
    #expect(try times("t_s", { .number($0) }, [.number(0.25), .number(7)]) == [250, 7_000])
    #expect(try times("t", { .text($0) }, [.text("2026-01-05T09:00:00+01:00")]) == [1_767_600_000_000])
    #expect(throws: PointFileError.self) { try times("t", { .flag($0) }, [.flag(true)]) }
  }

  @Test func faultsHaveACodeAndAPlace() throws {
    let good = try ArrowReadingTests.bytes(ArrowSamples.stream)
    func fault(_ bytes: [UInt8]) throws -> PointFileError {
      try #require(throws: PointFileError.self) { try ArrowReadingTests.read(bytes) }
    }
    let cut = try fault(Array(good.prefix(good.count - 100)))
    #expect(cut.code == .truncated && cut.place?.hasPrefix("byte ") == true)
    #expect(try fault(Array(good.prefix(9))).code == .truncated)
    var writer = ArrowTableWriter([.text("device"), .number("x"), .number("y")], name: "p", isFile: false)
    #expect(try fault(writer.head() + writer.finish()).code == .missingColumn)
    var long = good
    long[4...7] = [0xFF, 0xFF, 0xFF, 0x7F]
    #expect(try fault(long).code == .tooLarge)
  }

  /// Bytes that are changed at random give an error or other points, and end no process.
  @Test func damagedBytesAreErrors() throws {
    var random = SystemRandomNumberGenerator()
    let seed = random.next()
    var state = seed
    func next(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    var refused = 0
    for sample in [ArrowSamples.stream, ArrowSamples.file] {
      let good = try ArrowReadingTests.bytes(sample)
      for _ in 0..<1_500 {
        var bytes = good
        for _ in 0...next(4) {
          let place = next(bytes.count)
          switch next(4) {
          case 0: bytes[place] = UInt8(next(256))
          case 1: bytes[place] = [0, 1, 0x7F, 0x80, 0xFF][next(5)]
          case 2: bytes.removeSubrange(place..<min(place + 1 + next(16), bytes.count))
          default: bytes[place] ^= 1 << UInt8(next(8))
          }
          if bytes.isEmpty { bytes = [0] }
        }
        do { _ = try ArrowReadingTests.read(bytes) } catch is PointFileError { refused += 1 }
      }
    }
    #expect(refused > 500, "seed \(seed)")
  }
}
