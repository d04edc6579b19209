/// SipHash-2-4 with a 128-bit result (Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012, and the
/// authors' 128-bit variant). Its input is whole 64-bit little-endian words, or bytes.
package struct SipHash128: Sendable {
  private var v0: UInt64
  private var v1: UInt64
  private var v2: UInt64
  private var v3: UInt64
  private var tail: UInt64 = 0
  private var byteCount: UInt64 = 0

  /// Starts a hash under a 128-bit key.
  package init(key: (UInt64, UInt64)) {
    v0 = 0x736f_6d65_7073_6575 ^ key.0
    v1 = 0x646f_7261_6e64_6f6d ^ key.1 ^ 0xee
    v2 = 0x6c79_6765_6e65_7261 ^ key.0
    v3 = 0x7465_6462_7974_6573 ^ key.1
  }

  /// Adds one byte to the hash.
  package mutating func combine(byte: UInt8) {
    tail |= UInt64(byte) << (8 * (byteCount & 7))
    byteCount &+= 1
    if byteCount & 7 == 0 {
      compress(tail)
      tail = 0
    }
  }

  /// Adds bytes in order.
  package mutating func combine(bytes: some Sequence<UInt8>) {
    let isDone: Void? = bytes.withContiguousStorageIfAvailable { bytes in
      let whole = bytes.count & ~7
      let raw = UnsafeRawBufferPointer(bytes)
      for offset in stride(from: 0, to: whole, by: 8) {
        combine(word: UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      }
      for index in whole..<bytes.count { combine(byte: bytes[index]) }
    }
    if isDone == nil { for byte in bytes { combine(byte: byte) } }
  }

  /// Adds the eight bytes of a word, least significant first.
  package mutating func combine(word: UInt64) {
    let shift = 8 * (byteCount & 7)
    byteCount &+= 8
    compress(tail | word << shift)
    tail = shift == 0 ? 0 : word >> (64 - shift)
  }

  /// Returns the two halves of the hash.
  package consuming func finalize() -> (low: UInt64, high: UInt64) {
    compress(tail | (byteCount & 0xff) << 56)
    v2 ^= 0xee
    for _ in 0..<4 { round() }
    let low = v0 ^ v1 ^ v2 ^ v3
    v1 ^= 0xdd
    for _ in 0..<4 { round() }
    return (low, v0 ^ v1 ^ v2 ^ v3)
  }

  private mutating func compress(_ word: UInt64) {
    v3 ^= word
    round()
    round()
    v0 ^= word
  }

  private mutating func round() {
    v0 = v0 &+ v1
    v1 = (v1 << 13 | v1 >> 51) ^ v0
    v0 = v0 << 32 | v0 >> 32
    v2 = v2 &+ v3
    v3 = (v3 << 16 | v3 >> 48) ^ v2
    v0 = v0 &+ v3
    v3 = (v3 << 21 | v3 >> 43) ^ v0
    v2 = v2 &+ v1
    v1 = (v1 << 17 | v1 >> 47) ^ v2
    v2 = v2 << 32 | v2 >> 32
  }
}
