package import CordonMonitoring
import CordonSupport
import Foundation

/// The proof that the program that redeems an authorization code is the one that asked for it (RFC 7636), method S256.
package struct PKCE: Sendable {
  /// The secret of one attempt: 43 characters.
  package let verifier: String
  /// The SHA-256 of the verifier, which the authorization request carries.
  package let challenge: String

  /// Makes a fresh verifier of 256 random bits.
  package init(random: inout RandomSource) { self.init(verifier: Base64URL.random(32, &random)) }

  /// Makes the proof of a verifier that came with an invitation.
  package init(verifier: String) {
    self.verifier = verifier
    var digest = SHA256()
    digest.update(verifier)
    challenge = Base64URL.encode(digest.finalize())
  }
}

/// Base64 for URLs without padding (RFC 4648, section 5).
package enum Base64URL {
  /// Encodes bytes.
  package static func encode(_ bytes: [UInt8]) -> String {
    var text = Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
    text = text.replacingOccurrences(of: "/", with: "_")
    while text.hasSuffix("=") { text.removeLast() }
    return text
  }

  /// Decodes text; `nil` for anything else.
  package static func decode(_ text: some StringProtocol) -> [UInt8]? {
    var padded = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    while padded.utf8.count % 4 != 0 { padded += "=" }
    return Data(base64Encoded: padded).map { Array($0) }
  }

  /// Returns the encoding of random bytes.
  package static func random(_ count: Int, _ random: inout RandomSource) -> String {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let word = random.next()
      for shift in stride(from: 0, to: 64, by: 8) where bytes.count < count {
        bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
      }
    }
    return encode(bytes)
  }
}

/// A form as the body of a request (`application/x-www-form-urlencoded`).
package enum FormBody {
  /// Returns the bytes of a form. Every byte but letters, digits and `-._~` is percent-encoded.
  package static func encode(_ fields: [(String, String)]) -> [UInt8] {
    Array(fields.map { "\(percent($0))=\(percent($1))" }.joined(separator: "&").utf8)
  }

  /// Returns text with every byte percent-encoded that is not unreserved (RFC 3986, section 2.3).
  package static func percent(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default: result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return result
  }
}
