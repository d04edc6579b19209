import CordonMonitoring
import CordonSupport

extension ProofKey {
  /// Makes a fresh verifier of 256 random bits.
  init(random: inout RandomSource) { self.init(verifier: Base64.random(32, &random)) }
}

extension Base64 {
  /// Returns the URL form of random bytes.
  static func random(_ count: Int, _ random: inout RandomSource) -> String {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let word = random.next()
      for shift in stride(from: 0, to: 64, by: 8) where bytes.count < count {
        bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
      }
    }
    return encodeURL(bytes)
  }
}
