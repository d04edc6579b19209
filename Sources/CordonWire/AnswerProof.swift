import CordonCore
import CordonSupport

/// The proof that an answer comes from the server that was asked, and not from a proxy, a portal or a firewall on the way.
///
/// The request carries a nonce in the header ``nonceHeader``. The server answers with the header ``header``:
///
/// ```
/// cordon-proof: v1=<64 hexadecimal digits of HMAC-SHA-256(key, message)>
/// ```
/// The key is the SHA-256 of the secret that device and server share: the device's secret, or the invite code of an activation. The
/// message is these lines, each ended by a line feed, and then the body as it is before any content coding:
///
/// ```
/// cordon proof v1
/// <nonce>
/// <method>
/// <path below the server's root, decoded>
/// <status>
/// ```
/// So an answer proves itself for one request, one address, one status, one body and one device only.
package enum AnswerProof {
  /// The header of the request that carries the nonce.
  package static let nonceHeader = "cordon-nonce"
  /// The header of the answer that carries the proof.
  package static let header = "cordon-proof"
  /// How long a nonce may be, in characters.
  private static let nonceLengths = 16...64

  /// Whether a text can be a nonce: 16 to 64 of `A-Z a-z 0-9 _ -`.
  package static func isNonce(_ text: String) -> Bool {
    nonceLengths.contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2D: true
        default: false
        }
      }
  }

  /// The key that a shared secret gives.
  package static func key(ofSecret secret: String) -> [UInt8] {
    var digest = SHA256()
    digest.update(secret)
    return digest.finalize()
  }

  /// Returns the bytes that are authenticated.
  /// - Parameters:
  ///   - nonce: the nonce of the request.
  ///   - method: in capitals.
  ///   - path: the path below the server's root, percent-decoded, beginning with a slash.
  ///   - status: the status of the answer.
  ///   - body: the body of the answer, without content coding.
  package static func message(nonce: String, method: String, path: String, status: Int, body: [UInt8]) -> [UInt8] {
    let (title, code) = ("cordon proof v1", String(status))
    let lines = title.utf8.count + nonce.utf8.count + method.utf8.count + path.utf8.count + code.utf8.count + 5
    var message: [UInt8] = []
    message.reserveCapacity(lines + body.count)
    func add(line: String) {
      message.append(contentsOf: line.utf8)
      message.append(UInt8(ascii: "\n"))
    }
    add(line: title)
    add(line: nonce)
    add(line: method)
    add(line: path)
    add(line: code)
    message.append(contentsOf: body)
    return message
  }

  /// The value of ``header`` for a code.
  package static func text(of code: [UInt8]) -> String {
    let prefix = "v1="
    return String(unsafeUninitializedCapacity: prefix.utf8.count + 2 * code.count) { text in
      func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }
      var end = 0
      for byte in prefix.utf8 {
        text[end] = byte
        end += 1
      }
      for byte in code {
        text[end] = digit(byte >> 4)
        text[end + 1] = digit(byte & 15)
        end += 2
      }
      return end
    }
  }

  /// The value of ``header`` for an answer, as a server computes it.
  /// - Parameter secret: what device and server share.
  package static func value(
    secret: String, nonce: String, method: String, path: String, status: Int, body: [UInt8]
  ) -> String {
    let message = message(nonce: nonce, method: method, path: path, status: status, body: body)
    return text(of: HMAC.code(of: message, key: key(ofSecret: secret)))
  }

  /// Whether a header proves an answer.
  /// - Parameters:
  ///   - text: the value of ``header``; `nil` when the answer has none.
  ///   - message: see ``message(nonce:method:path:status:body:)``.
  ///   - key: see ``key(ofSecret:)``.
  package static func isValid(_ text: String?, message: [UInt8], key: [UInt8]) -> Bool {
    guard let text else { return false }
    return isSameSecret(Array(text.utf8), Array(AnswerProof.text(of: HMAC.code(of: message, key: key)).utf8))
  }
}
