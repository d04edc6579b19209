import CordonCore
import Foundation
import Testing

@testable import CordonExchange

/// The parts of the readers of points.
@Suite struct PointPartsTests {
  private func number(_ text: String) -> Double? {
    Array(text.utf8).withUnsafeBufferPointer { NumberParsing.double($0) }
  }

  /// Numbers equal those of the C library, to the last bit.
  @Test(arguments: 0..<8)
  func numbersAreParsedExactly(seed: Int) {
    var random = RandomStream(seed: UInt64(seed), stream: 13)
    for _ in 0..<4_000 {
      let digits = 1 + random.nextIndex(below: 21)
      var text = (0..<digits).map { _ in String(random.nextIndex(below: 10)) }.joined()
      let point = random.nextIndex(below: digits + 1)
      text.insert(".", at: text.index(text.startIndex, offsetBy: point))
      if random.nextIndex(below: 3) == 0 { text = "-" + text }
      #expect(number(text) == Double(text.hasSuffix(".") ? text + "0" : text), "\(text)")
      // As other programs write them: the shortest text that gives the same number, and 17 digits.
      let value = Double(bitPattern: random.next() % 0x7ff0_0000_0000_0000)
      for shown in [
        "\(value)", String(format: "%.17g", value), String(format: "%.17g", value.truncatingRemainder(dividingBy: 1e5)),
      ] {
        #expect(number(shown) == Double(shown), "\(shown)")
      }
    }
    // Half-way between two doubles, and a little more.
    #expect(number("9007199254740993") == 9_007_199_254_740_992)
    #expect(number("9007199254740993.001") == 9_007_199_254_740_994)
    #expect(number("900719925474099.3001") == 900_719_925_474_099.3001)
    for text in ["", "-", ".", "1.2.3", "0x1", "inf", "nan", "1 ", "1e"] { #expect(number(text) == nil, "\(text)") }
  }

  /// Numbers slightly above the middle of two doubles, of which the lower one is even. All 63 or 64 bits of the
  /// quotient indicate the middle; only the remainder of the division shows that the number is above it.
  @Test(arguments: [
    "476067191330157.0313", "71623269539775.16407", "7095635552001.039551", "610773583921.3252564",
    "74975561663.01602936", "8974750309.045426369", "921262663.7108832002", "91859240.49119288475",
    "8123336.765986789484", "596298.4379875455634", "85330.72203629697470", "7824.663152563553468",
    "770.9630794700495358", "95.05620052385942387", "6.152404300627273504",
  ])
  func remaindersBeyondTheMiddleRoundUp(text: String) throws {
    #expect(number(text) == Double(text))
    let value = try #require(number(text))
    #expect(value.significandBitPattern & 1 == 1, "the even one is below")
    #expect(number("-" + text) == -value)
  }

  /// Short runs in memory, a longer one while it fills up, and runs of the file: no row is lost, and few are in memory.
  @Test(arguments: [10, 90, 300, 301, 320, 400, 1_000])
  func theSpoolKeepsShortRunsInMemoryAndWritesLongOnes(rows: Int) throws {
    let spool = PointSpool(capacity: 100, memory: 400, keptCapacity: 30)
    for k in 0..<Int32(rows) {
      let time = Int64((k * 37) % 1_000) - 400
      try spool.add(
        PointSpool.Record(
          device: k, venue: k % 2, floor: 0, accuracy: .nan, time: time, stillUntil: .min, x: Double(time), y: 0))
    }
    try spool.finish()
    #expect(spool.count == rows)
    var seen: [Int32] = []
    for part in spool.parts {
      let read = try spool.read(part.range)
      try spool.withRows(part.range) { lent in #expect(lent.map(\.device) == read.map(\.device)) }
      #expect(read.allSatisfy { $0.venue == part.venue && $0.x == Double($0.time) })
      #expect(zip(read, read.dropFirst()).allSatisfy { $0.time <= $1.time })
      #expect(part.times.first == read.first?.time && part.last == read.last?.time)
      #expect(part.range.count <= (spool.isInMemory(part.range.lowerBound) && rows < 320 ? 15 : 50))
      seen += read.map(\.device)
    }
    #expect(seen.sorted() == Array(0..<Int32(rows)))
    let inMemory = spool.parts.filter { spool.isInMemory($0.range.lowerBound) }.map(\.range.count).reduce(0, +)
    #expect(inMemory <= 400 && (rows > 400 || inMemory == rows))
  }

  /// Rows of two venues in turns: each run of the temporary file has one part of each, in order of time.
  @Test func theSpoolKeepsVenuesTogetherAndRowsInOrder() throws {
    let spool = PointSpool(capacity: 100)
    for k in 0..<1_000 as Range<Int32> {
      let time = Int64((k * 37) % 1_000) - 400
      try spool.add(
        PointSpool.Record(
          device: k, venue: k % 2, floor: 0, accuracy: .nan, time: time, stillUntil: .min, x: Double(time), y: 0))
    }
    try spool.finish()
    #expect(spool.parts.count == 20 && spool.count == 1_000)
    var seen: Set<Int32> = []
    for part in spool.parts {
      let rows = try spool.read(part.range)
      #expect(rows.allSatisfy { $0.venue == part.venue && $0.x == Double($0.time) })
      #expect(zip(rows, rows.dropFirst()).allSatisfy { $0.time <= $1.time })
      #expect(part.times.first == rows.first?.time && part.last == rows.last?.time)
      seen.formUnion(rows.map(\.device))
    }
    #expect(seen.count == 1_000)
  }
}
