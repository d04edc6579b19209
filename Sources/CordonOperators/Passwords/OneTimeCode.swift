package import CordonCore
internal import CordonSupport
internal import Crypto
internal import Foundation

/// One-time codes by time (TOTP, RFC 6238) with HMAC-SHA-1, steps of 30 seconds and six digits: what every authenticator app
/// makes.
package struct OneTimeCode: Sendable {
  /// The secret that the app has as well: 20 bytes.
  package let secret: [UInt8]
  /// The number of digits.
  let digits: Int

  /// How long a code lasts, seconds.
  package static let step: Int64 = 30

  /// Codes of a secret.
  package init(secret: [UInt8], digits: Int = 6) {
    self.secret = secret
    self.digits = digits
  }

  /// The number of the step in which a moment lies.
  package static func counter(at now: Instant) -> Int64 { now.milliseconds / (1_000 * step) }

  /// Returns the code of a step (RFC 4226, section 5.3).
  package func code(_ counter: Int64) -> String {
    var message = [UInt8](repeating: 0, count: 8)
    for index in 0..<8 { message[7 - index] = UInt8(truncatingIfNeeded: counter >> (8 * Int64(index))) }
    let mac = Array(Crypto.HMAC<Insecure.SHA1>.authenticationCode(for: message, using: SymmetricKey(data: secret)))
    let offset = Int(mac[19] & 15)
    var value: UInt32 = 0
    for byte in mac[offset..<offset + 4] { value = value << 8 | UInt32(byte) }
    value &= 0x7fff_ffff
    var modulus: UInt32 = 1
    for _ in 0..<digits { modulus *= 10 }
    let text = String(value % modulus)
    return String(repeating: "0", count: digits - text.count) + text
  }

  /// Returns the step whose code was entered: the present one, the one before, or the next one, so that clocks may differ by half
  /// a minute. `nil` for a wrong code. ``SessionStore/useCode(_:of:)`` refuses steps whose codes were used.
  package func matchingCounter(_ text: String, at now: Instant) -> Int64? {
    let entered = Array(text.utf8.filter { $0 != UInt8(ascii: " ") })
    let present = Self.counter(at: now)
    var found: Int64?
    for counter in present - 1...present + 1 where isSameSecret(Array(code(counter).utf8), entered) { found = counter }
    return found
  }

  /// The address that an app reads from a QR code or a link. Algorithm, digits and step are the defaults of apps.
  /// - Parameter account: the sign-in name, which the app shows.
  package func address(account: String) -> String {
    let name = account.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "operator"
    return
      "otpauth://totp/Cordon:\(name)?secret=\(Base32.encode(secret))&issuer=Cordon"
  }
}

/// The base 32 encoding of RFC 4648 without padding, in which people type secrets.
package enum Base32 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

  /// Returns the digits of bytes.
  package static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    var (buffer, bits) = (UInt32(0), UInt32(0))
    for byte in bytes {
      buffer = buffer << 8 | UInt32(byte)
      bits += 8
      while bits >= 5 {
        bits -= 5
        text.append(alphabet[Int(buffer >> bits & 31)])
      }
    }
    if bits > 0 { text.append(alphabet[Int(buffer << (5 - bits) & 31)]) }
    return String(decoding: text, as: UTF8.self)
  }
}
