import CordonCore
import CordonSupport
import Testing

/// The vectors of RFC 4231, section 4.
@Suite("HMAC-SHA-256 against published vectors")
struct HMACTests {
  struct Vector: Sendable, CustomTestStringConvertible {
    var number: Int
    var key: [UInt8]
    var message: [UInt8]
    /// Hexadecimal; the fifth is cut to 128 bits, as in the source.
    var code: String
    var testDescription: String { "test case \(number)" }
  }

  static let vectors = [
    Vector(
      number: 1, key: Array(repeating: 0x0b, count: 20), message: Array("Hi There".utf8),
      code: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
    Vector(
      number: 2, key: Array("Jefe".utf8), message: Array("what do ya want for nothing?".utf8),
      code: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
    Vector(
      number: 3, key: Array(repeating: 0xaa, count: 20), message: Array(repeating: 0xdd, count: 50),
      code: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
    Vector(
      number: 4, key: Array(1...25), message: Array(repeating: 0xcd, count: 50),
      code: "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
    Vector(
      number: 5, key: Array(repeating: 0x0c, count: 20), message: Array("Test With Truncation".utf8),
      code: "a3b6167473100ee06e0c796c2955552b"),
    Vector(
      number: 6, key: Array(repeating: 0xaa, count: 131),
      message: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
      code: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
    Vector(
      number: 7, key: Array(repeating: 0xaa, count: 131),
      message: Array(
        ("This is a test using a larger than block-size key and a larger than block-size data. The key needs to be "
          + "hashed before being used by the HMAC algorithm.").utf8),
      code: "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"),
  ]

  @Test(arguments: vectors) func hmacMatchesTheKnownCodes(vector: Vector) {
    let code = HMAC.code(of: vector.message, key: vector.key).map { byte in
      let text = String(byte, radix: 16)
      return text.count == 2 ? text : "0" + text
    }
    #expect(code.count == 32)
    #expect(code.joined().hasPrefix(vector.code))
  }

  @Test func branchingDoesNotAdvanceTheStream() {
    var alone = RandomStream(seed: 3, stream: 1)
    var branched = RandomStream(seed: 3, stream: 1)
    var branch = branched.branch(9)
    var other = branched.branch(10)
    let (first, second) = (branch.next(), other.next())
    #expect(first != second)
    for _ in 0..<5 {
      let number = alone.next()
      #expect(branched.next() == number && number != first)
    }
  }
}
