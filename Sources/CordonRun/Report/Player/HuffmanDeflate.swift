/// Compression of bytes by Huffman codes alone, as a raw stream of RFC 1951 that every browser reads
/// (`DecompressionStream("deflate-raw")`).
///
/// The result depends on the bytes only: zlib's depends on its version, and pages are the same on every machine. Columns of
/// differences hold few repetitions, so that matches would save little.
enum HuffmanDeflate {
  /// The number of bytes with one code.
  private static let blockSize = 1 << 16

  /// Returns a stream of the columns, each with codes of its own.
  ///
  /// - Complexity: linear in the number of bytes.
  static func compress(_ columns: [[UInt8]]) -> [UInt8] {
    let blocks = columns.flatMap { column in
      stride(from: 0, to: column.count, by: blockSize).map { column[$0..<min($0 + blockSize, column.count)] }
    }
    var writer = BitWriter()
    guard !blocks.isEmpty else {
      // A last block with the fixed codes, which only ends.
      writer.write(0b011, count: 3)
      writer.write(0, count: 7)
      return writer.finished()
    }
    for (index, block) in blocks.enumerated() {
      write(block, isLast: index == blocks.count - 1, to: &writer)
    }
    return writer.finished()
  }

  /// The order in which a block states the lengths of the codes of lengths (RFC 1951, 3.2.7).
  private static let lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
  private static let endOfBlock = 256

  private static func write(_ block: ArraySlice<UInt8>, isLast: Bool, to writer: inout BitWriter) {
    var counts = [Int](repeating: 0, count: 257)
    for byte in block { counts[Int(byte)] += 1 }
    counts[endOfBlock] = 1
    let lengths = codeLengths(counts, limit: 15)
    let codes = canonicalCodes(lengths)
    // Without matches there is one code of distances, of no length.
    let described = runs(lengths + [0])
    var uses = [Int](repeating: 0, count: 19)
    for run in described { uses[run.symbol] += 1 }
    let metaLengths = codeLengths(uses, limit: 7)
    let metaCodes = canonicalCodes(metaLengths)
    let stated = max((lengthOrder.lastIndex { metaLengths[$0] > 0 } ?? 3) + 1, 4)
    writer.write(isLast ? 0b101 : 0b100, count: 3)
    writer.write(0, count: 5)
    writer.write(0, count: 5)
    writer.write(stated - 4, count: 4)
    for symbol in lengthOrder.prefix(stated) { writer.write(metaLengths[symbol], count: 3) }
    for run in described {
      writer.write(metaCodes[run.symbol], count: metaLengths[run.symbol])
      writer.write(run.extra, count: run.extraBits)
    }
    for byte in block { writer.write(codes[Int(byte)], count: lengths[Int(byte)]) }
    writer.write(codes[endOfBlock], count: lengths[endOfBlock])
  }

  /// Returns lengths of codes, with runs of zeros shortened.
  private static func runs(_ lengths: [Int]) -> [(symbol: Int, extra: Int, extraBits: Int)] {
    var result: [(symbol: Int, extra: Int, extraBits: Int)] = []
    var index = 0
    while index < lengths.count {
      var zeros = 0
      while index + zeros < lengths.count, lengths[index + zeros] == 0, zeros < 138 { zeros += 1 }
      if zeros >= 11 {
        result.append((18, zeros - 11, 7))
      } else if zeros >= 3 {
        result.append((17, zeros - 3, 3))
      } else {
        zeros = 1
        result.append((lengths[index], 0, 0))
      }
      index += zeros
    }
    return result
  }

  /// Returns the lengths of the codes of a complete prefix code; 0 for symbols that do not occur.
  ///
  /// Among equal counts, the lower symbol comes first. Where a code becomes longer than `limit`, counts are flattened.
  static func codeLengths(_ counts: [Int], limit: Int) -> [Int] {
    var counts = counts
    while true {
      let lengths = unlimitedLengths(counts)
      if lengths.allSatisfy({ $0 <= limit }) { return lengths }
      counts = counts.map { $0 > 0 ? $0 / 4 + 1 : 0 }
    }
  }

  private static func unlimitedLengths(_ counts: [Int]) -> [Int] {
    let symbols = counts.indices.filter { counts[$0] > 0 }
    var lengths = [Int](repeating: 0, count: counts.count)
    guard symbols.count > 1 else {
      for symbol in symbols { lengths[symbol] = 1 }
      return lengths
    }
    // Two queues in ascending order: leaves, and inner nodes in the order of their making.
    let leaves = symbols.sorted { counts[$0] != counts[$1] ? counts[$0] < counts[$1] : $0 < $1 }
    var parents = [Int](repeating: -1, count: 2 * leaves.count - 1)
    var weights = leaves.map { counts[$0] }
    var (leaf, inner) = (0, leaves.count)
    func next() -> Int {
      if leaf < leaves.count, inner >= weights.count || weights[leaf] <= weights[inner] {
        leaf += 1
        return leaf - 1
      }
      inner += 1
      return inner - 1
    }
    while weights.count < parents.count {
      let (first, second) = (next(), next())
      parents[first] = weights.count
      parents[second] = weights.count
      weights.append(weights[first] + weights[second])
    }
    var depths = [Int](repeating: 0, count: parents.count)
    for node in stride(from: parents.count - 2, through: 0, by: -1) { depths[node] = depths[parents[node]] + 1 }
    for (index, symbol) in leaves.enumerated() { lengths[symbol] = depths[index] }
    return lengths
  }

  /// Returns the codes of lengths, with the first bit of a code as the least significant one (RFC 1951, 3.2.2).
  private static func canonicalCodes(_ lengths: [Int]) -> [Int] {
    var starts = [Int](repeating: 0, count: 17)
    for length in lengths where length > 0 { starts[length + 1] += 1 }
    for length in 1..<17 { starts[length] = (starts[length - 1] + starts[length]) << (length > 1 ? 1 : 0) }
    return lengths.map { length in
      guard length > 0 else { return 0 }
      defer { starts[length] += 1 }
      return (0..<length).reduce(0) { $0 | (starts[length] >> $1 & 1) << (length - 1 - $1) }
    }
  }

  /// Bits in bytes, the least significant first.
  private struct BitWriter {
    private var bytes: [UInt8] = []
    private var pending: UInt64 = 0
    private var count = 0

    mutating func write(_ bits: Int, count more: Int) {
      pending |= UInt64(bits) << UInt64(count)
      count += more
      while count >= 8 {
        bytes.append(UInt8(truncatingIfNeeded: pending))
        pending >>= 8
        count -= 8
      }
    }

    consuming func finished() -> [UInt8] {
      if count > 0 { bytes.append(UInt8(truncatingIfNeeded: pending)) }
      return bytes
    }
  }
}
