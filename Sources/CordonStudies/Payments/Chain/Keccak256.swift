/// Keccak-256 with the original padding, as Ethereum uses it; SHA3-256 differs in one byte of padding.
///
/// Source: G. Bertoni et al., The Keccak reference, version 3.0, 2011.
package enum Keccak256 {
  private static let rounds: [UInt64] = [
    0x0000_0000_0000_0001, 0x0000_0000_0000_8082, 0x8000_0000_0000_808a, 0x8000_0000_8000_8000, 0x0000_0000_0000_808b,
    0x0000_0000_8000_0001, 0x8000_0000_8000_8081, 0x8000_0000_0000_8009, 0x0000_0000_0000_008a, 0x0000_0000_0000_0088,
    0x0000_0000_8000_8009, 0x0000_0000_8000_000a, 0x0000_0000_8000_808b, 0x8000_0000_0000_008b, 0x8000_0000_0000_8089,
    0x8000_0000_0000_8003, 0x8000_0000_0000_8002, 0x8000_0000_0000_0080, 0x0000_0000_0000_800a, 0x8000_0000_8000_000a,
    0x8000_0000_8000_8081, 0x8000_0000_0000_8080, 0x0000_0000_8000_0001, 0x8000_0000_8000_8008,
  ]
  private static let rotations: [UInt64] = [
    1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 2, 14, 27, 41, 56, 8, 25, 43, 62, 18, 39, 61, 20, 44,
  ]
  private static let lanes = [10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1]
  private static let rate = 136

  /// Returns the 32-byte digest of bytes.
  package static func digest(_ bytes: [UInt8]) -> [UInt8] {
    var padded = bytes + [0x01]
    padded += Array(repeating: 0, count: (rate - padded.count % rate) % rate)
    padded[padded.count - 1] |= 0x80
    var state = Array(repeating: UInt64(0), count: 25)
    for block in stride(from: 0, to: padded.count, by: rate) {
      for lane in 0..<rate / 8 {
        var word: UInt64 = 0
        for byte in 0..<8 { word |= UInt64(padded[block + lane * 8 + byte]) << UInt64(8 * byte) }
        state[lane] ^= word
      }
      permute(&state)
    }
    var digest: [UInt8] = []
    for lane in state.prefix(4) {
      for byte in 0..<8 { digest.append(UInt8(truncatingIfNeeded: lane >> UInt64(8 * byte))) }
    }
    return digest
  }

  private static func permute(_ state: inout [UInt64]) {
    func rotated(_ word: UInt64, _ count: UInt64) -> UInt64 { word << count | word >> (64 - count) }
    for round in rounds {
      var columns = Array(state[0..<5])
      for lane in 5..<25 { columns[lane % 5] ^= state[lane] }
      for x in 0..<5 {
        let mixed = columns[(x + 4) % 5] ^ rotated(columns[(x + 1) % 5], 1)
        for y in stride(from: 0, to: 25, by: 5) { state[x + y] ^= mixed }
      }
      var carried = state[1]
      for index in 0..<24 {
        let lane = lanes[index]
        (carried, state[lane]) = (state[lane], rotated(carried, rotations[index]))
      }
      for y in stride(from: 0, to: 25, by: 5) {
        let row = Array(state[y..<y + 5])
        for x in 0..<5 { state[x + y] = row[x] ^ (~row[(x + 1) % 5] & row[(x + 2) % 5]) }
      }
      state[0] ^= round
    }
  }
}
