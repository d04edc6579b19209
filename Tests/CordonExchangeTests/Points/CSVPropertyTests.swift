import CordonContacts
import CordonCore
import CordonTestSupport
import Foundation
import Testing

@testable import CordonExchange

/// The reader that takes eight bytes at a time, beside the standard library, which takes one character after the other.
@Suite struct CSVPropertyTests {
  /// A text of digits, signs, points and other characters, nearly a number.
  private func number(_ random: inout RandomStream) -> String {
    func digits(_ most: Int) -> String {
      (0..<Int.random(in: 0...most, using: &random)).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
    }
    let sign = ["", "", "", "-", "+"].randomElement(using: &random) ?? ""
    let point = ["", ".", "."].randomElement(using: &random) ?? ""
    let rests = ["", "", "", "", "", "e5", "E-3", "x", "/", ":", "\u{e9}", " 1", "e"]
    let rest = rests.randomElement(using: &random) ?? ""
    return sign + digits(22) + point + (point.isEmpty ? "" : digits(20)) + rest
  }

  @Test func numbersAreThoseOfTheStandardLibrary() throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = RandomStream(seed: seed, stream: 2)
    for _ in 0..<20_000 {
      let text = number(&random)
      // Each length of what follows decides whether eight bytes can be read.
      let after = String(repeating: ",", count: Int.random(in: 0...9, using: &random))
      let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x80 } && !text.isEmpty
      let expected = isPlain ? Double(text).flatMap { $0.isFinite ? $0 : nil } : nil
      let found = Array((text + after).utf8).withUnsafeBufferPointer { bytes in
        NumberParsing.double(UnsafeBufferPointer(rebasing: bytes.prefix(text.utf8.count)))
      }
      #expect(found?.bitPattern == expected?.bitPattern, "\(text), seed \(seed)")
      var place = 0
      let digits = Array((text + after).utf8).withUnsafeBufferPointer { bytes in
        bytes.baseAddress.flatMap { NumberParsing.digits($0, at: &place, before: bytes.count) }
      }
      let prefix = text.prefix { "0123456789.-".contains($0) }
      if let digits, prefix.utf8.count == place, let value = digits.double, digits.decimals < 19 {
        #expect(Double(prefix)?.bitPattern == value.bitPattern, "\(text), seed \(seed)")
      }
    }
  }

  @Test func bytesAreFoundWhereTheyAre() {
    let seed = UInt64.random(in: .min ... .max)
    var random = RandomStream(seed: seed, stream: 3)
    let letters: [UInt8] = [0x2C, 0x0A, 0x5C, 0x22, 0x41, 0x61, 0x2B, 0x2D, 0x0B, 0x09, 0xAC, 0x8A, 0xDC, 0, 0xFF]
    for _ in 0..<5_000 {
      let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        Int.random(in: 0...3, using: &random) == 0 ? letters.randomElement(using: &random) ?? 0 : 0x61
      }
      let start = Int.random(in: 0...bytes.count, using: &random)
      let expected = bytes[start...].firstIndex { $0 == 0x2C || $0 == 0x0A } ?? bytes.count
      var place = start
      let hasBackslash = bytes.withUnsafeBufferPointer { bytes in
        bytes.baseAddress.map { ByteScan.next(0x2C, or: 0x0A, in: $0, from: &place, before: bytes.count) } ?? false
      }
      #expect(place == expected && hasBackslash == bytes[start..<expected].contains(0x5C), "\(bytes), seed \(seed)")
      var other = bytes
      let isEqual = Bool.random(using: &random) || bytes.isEmpty
      if !isEqual { other[Int.random(in: 0..<other.count, using: &random)] ^= 1 }
      bytes.withUnsafeBufferPointer { bytes in
        other.withUnsafeBufferPointer { other in
          guard let a = bytes.baseAddress, let b = other.baseAddress else { return }
          #expect(ByteScan.isEqual(a, b, count: bytes.count) == isEqual, "seed \(seed)")
        }
      }
    }
  }

  /// A field as it stands in the file, and the text that it means; `nil` for one that is not quoted and cannot be.
  private func name(_ random: inout RandomStream) -> (field: String, meaning: String) {
    let plain = ["a", "badge-17", "0012", "Jos\u{e9}", "a longer name than a word has", "x y", "q'", "12345678"]
    let word = plain.randomElement(using: &random) ?? "a"
    switch Int.random(in: 0...4, using: &random) {
    case 0: return ("\"\(word)\"", word)
    case 1: return ("\"\(word),\"\"b\"", "\(word),\"b")
    case 2: return ("  \(word) ", word)
    case 3: return ("'=\(word)", "=\(word)")
    default: return (word, word)
    }
  }

  /// Rows of all forms of lines, with faults; cut into pieces at any place by the reader's buffer.
  @Test func rowsAreThoseThatWereWritten() throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = RandomStream(seed: seed, stream: 4)
    let scratch = try TemporaryFolder()
    for round in 0..<12 {
      let end = round % 3 == 0 ? "\r\n" : "\n"
      var lines = ["device,t_ms,x,y,floor"]
      var rows: [String] = []
      var bad: [Int] = []
      for line in 2..<600 {
        let (field, meaning) = name(&random)
        // Times far from each other in size would be in several units.
        let age = Int64.random(in: 1_000_000_000_000...2_000_000_000_000, using: &random)
        let time = Bool.random(using: &random) ? age : -age
        let (x, y) = (number(&random), "\(Double.random(in: -1e4...1e4, using: &random))")
        let floor = ["", "0", "-1", "2.5", "1.0"].randomElement(using: &random) ?? ""
        lines.append("\(field),\(time),\(x),\(y),\(floor)")
        // Spaces around a cell do not belong to it.
        let cell = x.drop { $0 == " " }
        let isPlain = cell.utf8.allSatisfy { $0 > 0x20 && $0 < 0x80 } && !cell.isEmpty
        if isPlain, let x = Double(cell), x.isFinite, let y = Double(y) {
          let ordinal = Double(floor).flatMap { FloorOrdinal($0)?.thousandths } ?? Segment.unknownFloor
          rows.append("\(meaning) \(time) \(x) \(y) \(ordinal)")
        } else {
          bad.append(line)
        }
      }
      let path = scratch.path("points-\(round).csv")
      let text = lines.joined(separator: end) + (Bool.random(using: &random) ? end : "")
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      var options = PointFileOptions()
      (options.isMetres, options.badRowLimit) = (true, 10_000)
      let table = try PointFiles.read([PointFile(path: path)], options: options)
      let found = table.groups.flatMap(\.points).map {
        "\(table.devices[Int($0.device)]) \($0.time) \($0.x) \($0.y) \($0.floor)"
      }
      let difference = zip(found, rows).first { $0 != $1 }
      #expect(found == rows, "seed \(seed), round \(round): \(String(describing: difference))")
      #expect(table.badRows.map(\.line) == bad, "seed \(seed), round \(round)")
    }
  }
}
