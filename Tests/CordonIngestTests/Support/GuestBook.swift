import CordonCore
import CordonIngest
import CordonTesting
import Foundation
import Testing

/// Phones that post in turns at random times of a day, so that SQLite moves rows between pages.
struct GuestBook {
  let names: [String]
  let phones: [Bench.Phone]
  /// Byte sequences that identify the rows of all phones but the first, which are to be erased.
  private(set) var traces: [[UInt8]] = []
  private let bench: Bench
  private var random: RandomStream

  init(_ bench: Bench, guests: Int, seed: UInt64) throws {
    self.bench = bench
    random = RandomStream(seed: seed, stream: 1)
    names = (0..<guests).map { "guest-\($0)" }
    phones = try names.map { try bench.phone($0) }
  }

  /// Posts sixty rows of a random phone.
  mutating func post() throws { try post(by: random.nextIndex(below: names.count)) }

  /// Posts sixty rows of one phone.
  mutating func post(by index: Int) throws {
    let rows = try (0..<60).map { _ in
      try bench.location(names[index], at: bench.now - .milliseconds(Int64(random.nextIndex(below: 80_000_000))))
    }
    try bench.post(rows, by: phones[index])
    if index != 0 {
      traces += rows.map { row in (0..<8).map { UInt8(truncatingIfNeeded: row.id.low >> UInt64(56 - 8 * $0)) } }
    }
  }

  func erase(_ index: Int) {
    let proof = #"{"secret": "\#(phones[index].secret)"}"#
    #expect(bench.send("DELETE", "/v1/devices/\(names[index])", proof).status == 200)
  }

  /// Expects that no file contains rows that are to be erased.
  func expectNoTraces() throws {
    let files = try bench.bytesOfAllFiles()
    #expect(traces.count { files.range(of: Data($0)) != nil } == 0)
  }
}

extension Bench {
  /// The contents of all files of the server, concatenated.
  func bytesOfAllFiles() throws -> Data {
    let folder = try #require(folder)
    return try FileManager.default.contentsOfDirectory(atPath: folder).reduce(into: Data()) {
      $0 += try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\($1)"))
    }
  }
}
