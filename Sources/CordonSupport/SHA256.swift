/// SHA-256 (FIPS 180-4), for content hashes. The sealing module handles secrets.
package struct SHA256: Sendable {
  private var state = SIMD8<UInt32>(
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19)
  private var pending: [UInt8] = []
  private var byteCount: UInt64 = 0

  /// Starts an empty digest.
  package init() {
    pending.reserveCapacity(64)
  }

  /// Returns the digest of bytes as 64 lower-case hexadecimal digits.
  package static func hexDigest(of bytes: [UInt8]) -> String {
    var digest = SHA256()
    digest.update(bytes)
    return digest.finalizeHex()
  }

  /// Adds bytes to the digest.
  package mutating func update(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { update($0) }
  }

  /// Adds the UTF-8 bytes of a text to the digest.
  package mutating func update(_ text: String) {
    update(Array(text.utf8))
  }

  /// Adds bytes to the digest.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    byteCount &+= UInt64(bytes.count)
    var offset = 0
    if !pending.isEmpty {
      let taken = min(64 - pending.count, bytes.count)
      pending.append(contentsOf: bytes[0..<taken])
      offset = taken
      if pending.count < 64 { return }
      pending.withUnsafeBytes { state = SHA256.compressed(state, $0) }
      pending.removeAll(keepingCapacity: true)
    }
    let whole = (bytes.count - offset) / 64 * 64
    state = SHA256.compressed(state, UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + whole]))
    offset += whole
    pending.append(contentsOf: bytes[offset...])
  }

  /// Returns the 32 bytes of the digest.
  package consuming func finalize() -> [UInt8] {
    let bitCount = byteCount &* 8
    let zeros = (119 - pending.count) % 64
    var padding: [UInt8] = []
    padding.reserveCapacity(zeros + 9)
    padding.append(0x80)
    for _ in 0..<zeros { padding.append(0) }
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      padding.append(UInt8(truncatingIfNeeded: bitCount >> shift))
    }
    update(padding)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(32)
    for index in 0..<8 {
      for shift in stride(from: UInt32(24), through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: state[index] >> shift))
      }
    }
    return bytes
  }

  /// Returns the digest as 64 lower-case hexadecimal digits.
  package consuming func finalizeHex() -> String {
    func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }
    let bytes = finalize()
    return String(unsafeUninitializedCapacity: 64) { text in
      for (index, byte) in bytes.enumerated() {
        text[2 * index] = digit(byte >> 4)
        text[2 * index + 1] = digit(byte & 15)
      }
      return 64
    }
  }

  /// Returns the state after some whole blocks. Content hashes cover tens of megabytes, so the rounds are unrolled by
  /// eight, which keeps every word in its register.
  private static func compressed(_ start: SIMD8<UInt32>, _ blocks: UnsafeRawBufferPointer) -> SIMD8<UInt32> {
    var state = start
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { w in
      constants.withUnsafeBufferPointer { k in
        for offset in stride(from: 0, to: blocks.count, by: 64) {
          expand(blocks, offset, into: w)
          var (a, b, c, d) = (state[0], state[1], state[2], state[3])
          var (e, f, g, h) = (state[4], state[5], state[6], state[7])
          var index = 0
          while index < 64 {
            round(a, b, c, &d, e, f, g, &h, k[index] &+ w[index])
            round(h, a, b, &c, d, e, f, &g, k[index &+ 1] &+ w[index &+ 1])
            round(g, h, a, &b, c, d, e, &f, k[index &+ 2] &+ w[index &+ 2])
            round(f, g, h, &a, b, c, d, &e, k[index &+ 3] &+ w[index &+ 3])
            round(e, f, g, &h, a, b, c, &d, k[index &+ 4] &+ w[index &+ 4])
            round(d, e, f, &g, h, a, b, &c, k[index &+ 5] &+ w[index &+ 5])
            round(c, d, e, &f, g, h, a, &b, k[index &+ 6] &+ w[index &+ 6])
            round(b, c, d, &e, f, g, h, &a, k[index &+ 7] &+ w[index &+ 7])
            index &+= 8
          }
          state = state &+ SIMD8(a, b, c, d, e, f, g, h)
        }
      }
    }
    return state
  }

  /// The message schedule of one block.
  @inline(__always)
  private static func expand(
    _ blocks: UnsafeRawBufferPointer, _ offset: Int, into w: UnsafeMutableBufferPointer<UInt32>
  ) {
    for index in 0..<16 {
      w[index] = UInt32(bigEndian: blocks.loadUnaligned(fromByteOffset: offset &+ 4 &* index, as: UInt32.self))
    }
    for index in 16..<64 {
      let a = w[index &- 15]
      let b = w[index &- 2]
      let s0 = rotate(a, 7) ^ rotate(a, 18) ^ a >> 3
      let s1 = rotate(b, 17) ^ rotate(b, 19) ^ b >> 10
      w[index] = w[index &- 16] &+ s0 &+ w[index &- 7] &+ s1
    }
  }

  /// Computes one round. The caller rotates the names of the words that keep their values.
  @inline(__always)
  private static func round(
    _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32, _ e: UInt32, _ f: UInt32, _ g: UInt32,
    _ h: inout UInt32, _ word: UInt32
  ) {
    let t1 = h &+ (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) &+ (g ^ e & (f ^ g)) &+ word
    d = d &+ t1
    h = t1 &+ (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) &+ (a & b ^ c & (a ^ b))
  }

  // The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2).
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}

@inline(__always)
private func rotate(_ value: UInt32, _ count: UInt32) -> UInt32 {
  value &>> count | value &<< (32 &- count)
}
