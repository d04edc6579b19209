/// The only cryptography that the core requires: HMAC-SHA-256.
///
/// The algorithm is not a choice of the token: it is pinned by there being no other method.
package protocol TokenSigner: Sendable {
  /// The 32 bytes of HMAC-SHA-256 (RFC 2104, FIPS 198-1) of a message under a key.
  func authenticationCode(of message: [UInt8], key: [UInt8]) -> [UInt8]
}

/// A key under which device tokens are signed.
package struct TokenKey: Hashable, Sendable {
  /// The name of the key, `kid` in tokens: 1 to 32 of `A-Z a-z 0-9 _ -`.
  package var id: String
  /// At least 32 random bytes.
  package var secret: [UInt8]

  /// A key.
  package init(id: String, secret: [UInt8]) {
    self.id = id
    self.secret = secret
  }
}

/// The secrets of a server.
package struct ServerKeys: Sendable {
  /// The first one signs; all of them are accepted. To rotate, put a new one in front and drop the old one when its
  /// last token has ended.
  package var tokens: [TokenKey]
  /// Names erased devices without telling them. It must not change while tombstones are kept.
  package var tombstone: [UInt8]

  /// Keys.
  package init(tokens: [TokenKey], tombstone: [UInt8]) {
    self.tokens = tokens
    self.tombstone = tombstone
  }
}

/// Random bits for codes, secrets and names of tokens. The production source must be a secure one.
package struct RandomBits {
  private var source: any RandomNumberGenerator

  /// Bits of a generator.
  package init(_ source: some RandomNumberGenerator) { self.source = source }

  /// Bits of the operating system's secure generator.
  package static func secure() -> RandomBits { RandomBits(SystemRandomNumberGenerator()) }

  /// The next bytes.
  package mutating func bytes(_ count: Int) -> [UInt8] {
    var result: [UInt8] = []
    while result.count < count {
      var word = source.next()
      for _ in 0..<8 where result.count < count {
        result.append(UInt8(truncatingIfNeeded: word))
        word >>= 8
      }
    }
    return result
  }

  /// Characters drawn evenly from an alphabet of at most 256.
  mutating func text(_ count: Int, of alphabet: [UInt8]) -> String {
    let limit = 256 / alphabet.count * alphabet.count
    var text: [UInt8] = []
    while text.count < count {
      for byte in bytes(count) where Int(byte) < limit && text.count < count {
        text.append(alphabet[Int(byte) % alphabet.count])
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
