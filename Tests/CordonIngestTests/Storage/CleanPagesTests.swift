import CCleanPages
import CordonCore
import CordonTestSupport
import CordonTesting
import Foundation
import Testing

@testable import CordonIngest

/// Deleted rows are in no page of the file, wherever SQLite may have copied them before.
@Suite("Free space of pages")
struct CleanPagesTests {
  /// Cleans a page; `nil` when the cleaner leaves it unchanged.
  private func cleaned(_ page: [UInt8], isFirst: Bool = false) -> [UInt8]? {
    var page = page
    let isPage = page.withUnsafeMutableBufferPointer {
      cordon_clean_page($0.baseAddress, $0.count, isFirst)
    }
    return isPage ? page : nil
  }

  /// A leaf of two cells of 40 bytes at the end (from 432 = 0x1b0 on), full of garbage in between.
  private func leaf(_ kind: UInt8 = 10, at start: Int = 0) -> [UInt8] {
    var page = [UInt8](repeating: 0xee, count: 512)
    let header: [UInt8] = [kind, 0, 0, 0, 2, 1, 176, 0]
    let size = kind < 8 ? 12 : 8
    page.replaceSubrange(start..<start + 8, with: header)
    page.replaceSubrange(start + size..<start + size + 4, with: [1, 216, 1, 176])
    return page
  }

  @Test func onlyFreeSpaceIsCleared() throws {
    for (kind, size) in [(10, 8), (13, 8), (2, 12), (5, 12)] as [(UInt8, Int)] {
      for start in [0, 100] {
        let page = leaf(kind, at: start)
        let result = try #require(cleaned(page, isFirst: start > 0))
        let free = start + size + 4..<432
        #expect(result[free].allSatisfy { $0 == 0 })
        #expect(result[..<free.lowerBound] == page[..<free.lowerBound])
        #expect(result[free.upperBound...] == page[free.upperBound...])
      }
    }
  }

  @Test func pagesThatAreNotTablePagesAreUnchanged() throws {
    // An overflow page: the number of the next one, which is less than 2^24, and text.
    #expect(cleaned([0, 2, 3, 4] + [UInt8](repeating: 0x61, count: 508)) == nil)
    #expect(cleaned(leaf(11)) == nil)
    #expect(cleaned(Array(leaf().prefix(500))) == nil)
    for (place, value) in [(3, 0xff), (5, 0xff), (1, 1), (7, 200), (8, 0)] as [(Int, UInt8)] {
      var page = leaf()
      page[place] = value
      #expect(cleaned(page) == nil, "byte \(place)")
    }
    var random = RandomStream(seed: 3, stream: 1)
    for _ in 0..<20_000 {
      let kind = [0, 1, 3, 4, 6, 9, 12][random.nextIndex(below: 7)]
      let page = [UInt8(kind)] + (1..<512).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      #expect(cleaned(page) == nil)
    }
  }

  /// After many rearrangements no copy of a deleted row is left, and the file is sound.
  @Test func aFileHasNoCopiesOfDeletedRows() throws {
    let bench = try Bench(inFile: true)
    var book = try GuestBook(bench, guests: 8, seed: 12)
    for round in 0..<120 {
      try book.post()
      // Pages are written to the file in between.
      if round % 10 == 9 { #expect(try bench.store.scrub()) }
    }
    #expect(try book.tracesInFiles() >= book.traces.count)
    for index in [3, 1, 7, 5, 2, 6, 4] { book.erase(index) }
    // The other phones go on writing to pages that held the erased rows.
    for _ in 0..<20 { try book.post(by: 0) }
    #expect(book.traces.count > 5_000)
    try book.expectNoTraces()
    #expect(try bench.store.positionCount() > 300)
    try SQLitePositionStore.check(path: bench.path)
  }

  /// A file of a version that did not clear free space is rewritten once, when it is opened.
  @Test(arguments: [false, true]) func anOlderFileIsCleanedOnce(isOlder: Bool) throws {
    let scratch = try TemporaryFolder()
    let folder = scratch.url.path
    let path = folder + "/cordon.sqlite"
    let bench = try Bench(path: path)
    let phone = try bench.phone("phone-1")
    try bench.post((0..<50).map { try bench.location("phone-1", at: bench.now - .seconds(Int64($0))) }, by: phone)
    #expect(try bench.store.scrub())
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let mark = Data("a copy of a row that was deleted".utf8)
    // A page with much free space: a leaf of which the first half is free.
    var page: Int?
    for start in stride(from: 4_096, to: bytes.count, by: 4_096) {
      let kind: UInt8 = bytes[start]
      let cells = Int(bytes[start + 3]) << 8 + Int(bytes[start + 4])
      let content = Int(bytes[start + 5]) << 8 + Int(bytes[start + 6])
      if kind == 10 || kind == 13, cells < 100, content > 2_100 { page = start }
    }
    let place = try #require(page) + 1_000
    bytes.replaceSubrange(place..<place + mark.count, with: mark)
    if isOlder { bytes.replaceSubrange(68..<72, with: [0, 0, 0, 0]) }
    let copy = folder + "/copy.sqlite"
    try bytes.write(to: URL(fileURLWithPath: copy))
    let store = try SQLitePositionStore(path: copy)
    #expect(try store.positionCount() == 50)
    #expect(try store.scrub())
    let after = try Data(contentsOf: URL(fileURLWithPath: copy))
    #expect(after.contains(bytes: mark) != isOlder)
    try SQLitePositionStore.check(path: copy)
  }

  /// Old positions are deleted in small portions, so that batches do not wait for them.
  @Test func retentionDeletesInSmallSteps() throws {
    let bench = try Bench()
    var phones: [String: Bench.Phone] = [:]
    for name in ["one", "two", "three"] {
      let phone = try bench.phone(name)
      phones[name] = phone
      try bench.post((0..<30).map { try bench.location(name, at: bench.now - .seconds(Int64($0))) }, by: phone)
    }
    let young = try bench.location("two", at: bench.now + .seconds(5))
    bench.now = bench.now + .seconds(10)
    try bench.post([young], by: try #require(phones["two"]))
    let limit = young.time
    let limits = RetentionLimits(
      positions: limit, contacts: .epoch, audit: .epoch, tombstones: .epoch, batches: .epoch, invites: .epoch,
      unusedInvites: .epoch, devices: .epoch, maximumPositions: 7)
    var steps = 0
    while true {
      let report = try bench.store.expire(limits)
      #expect(report.positions <= 8)
      steps += 1
      if !report.isPartial { break }
    }
    #expect(steps >= 12)
    #expect(try bench.store.positionCount() == 1)
    let left = try bench.store.positions(of: bench.number(of: "two"), after: nil, limit: 9)
    #expect(left.map(\.id) == [young.id])
  }
}
