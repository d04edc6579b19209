import CordonCore
import CordonIngest
import CordonTesting
import Foundation
import Testing

/// Phones that post at random times of a day, each in its turn, so that SQLite moves rows from page to page.
struct GuestBook {
  let names: [String]
  let phones: [Bench.Phone]
  /// What identifies the rows of all but the first phone in a file: they are the ones to be erased.
  private(set) var traces: [[UInt8]] = []
  private let bench: Bench
  private var random: RandomStream

  init(_ bench: Bench, guests: Int, seed: UInt64) throws {
    self.bench = bench
    random = RandomStream(seed: seed, stream: 1)
    names = (0..<guests).map { "guest-\($0)" }
    phones = try names.map { try bench.phone($0) }
  }

  /// Sixty rows of anybody.
  mutating func post() throws { try post(by: random.nextIndex(below: names.count)) }

  /// Sixty rows of one phone.
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

  /// Holds that nothing of what is to be erased is in any file.
  func expectNoTraces() throws {
    let files = try bench.bytesOfAllFiles()
    #expect(traces.count { files.range(of: Data($0)) != nil } == 0)
  }
}

extension Bench {
  /// The server's files, one after the other.
  func bytesOfAllFiles() throws -> Data {
    let folder = try #require(folder)
    return try FileManager.default.contentsOfDirectory(atPath: folder).reduce(into: Data()) {
      $0 += try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\($1)"))
    }
  }
}
