import CordonCore
import CordonIngest
import CordonTesting
import Foundation
import Testing

/// Phones that post in turns at random times of a day, so that SQLite moves rows between pages.
struct GuestBook {
  let names: [String]
  let phones: [Bench.Phone]
  /// The eight bytes that identify each row of all phones but the first; these rows are to be erased.
  private(set) var traces: [UInt64] = []
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
    if index != 0 { traces += rows.map(\.id.low) }
  }

  func erase(_ index: Int) {
    let proof = #"{"secret": "\#(phones[index].secret)"}"#
    #expect(bench.send("DELETE", "/v1/devices/\(names[index])", proof).status == 200)
  }

  /// Expects that no file contains rows that are to be erased.
  func expectNoTraces() throws { #expect(try tracesInFiles() == 0) }

  /// Returns at how many places of the files a row to be erased is.
  func tracesInFiles() throws -> Int {
    let wanted = Set(traces)
    // Few places begin like a row: only these are looked up.
    var begins = [Bool](repeating: false, count: 1 << 16)
    for trace in wanted { begins[Int(trace >> 48)] = true }
    var (word, count): (UInt64, Int) = (0, 0)
    for byte in Array(try bench.bytesOfAllFiles()) {
      word = word << 8 | UInt64(byte)
      if begins[Int(word >> 48)], wanted.contains(word) { count += 1 }
    }
    return count
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
