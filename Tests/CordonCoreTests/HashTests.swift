import CordonCore
import CordonSupport
import Testing

@Suite("Hashes against published vectors")
struct HashTests {
  @Test func sha256() {
    #expect(
      SHA256.hexDigest(of: []) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(
      SHA256.hexDigest(of: Array("abc".utf8)) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    let million = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
    #expect(
      SHA256.hexDigest(of: million) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test(arguments: [1, 3, 55, 56, 63, 64, 65, 130])
  func sha256DoesNotDependOnChunks(chunk: Int) {
    let bytes = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    var digest = SHA256()
    for start in stride(from: 0, to: bytes.count, by: chunk) {
      digest.update(Array(bytes[start..<min(start + chunk, bytes.count)]))
    }
    #expect(digest.finalizeHex() == SHA256.hexDigest(of: bytes))
  }

  @Test func sipHash128OfEmptyInput() {
    // Key 00 01 ... 0f, empty input: the first vector of the authors' 128-bit list.
    let hash = SipHash128(key: (0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908)).finalize()
    #expect(hash.low == 0xe6a8_25ba_047f_81a3)
    #expect(hash.high == 0x9302_55c7_1472_f66d)
  }

  @Test(arguments: 0..<20)
  func sipHashTreatsWordsAsTheirBytes(prefix: Int) {
    let word: UInt64 = 0x0123_4567_89ab_cdef
    var byBytes = SipHash128(key: (1, 2))
    var byWord = SipHash128(key: (1, 2))
    for index in 0..<prefix {
      byBytes.combine(byte: UInt8(index))
      byWord.combine(byte: UInt8(index))
    }
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      byBytes.combine(byte: UInt8(truncatingIfNeeded: word >> shift))
    }
    byWord.combine(word: word)
    #expect(byBytes.finalize() == byWord.finalize())
  }
}
