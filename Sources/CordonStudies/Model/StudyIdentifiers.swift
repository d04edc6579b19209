internal import CordonSupport

/// The code of a study, which people type to enrol: 3 to 32 lower-case letters, digits and `-`.
package struct StudyCode: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The text.
  package let rawValue: String

  /// Words that are parts of addresses.
  private static let reserved = ["join", "me"]

  /// Reads a code; `nil` for other texts, and for the words `join` and `me`.
  package init?(_ text: String) {
    guard (3...32).contains(text.utf8.count), !Self.reserved.contains(text), text.first != "-", text.last != "-",
      text.utf8.allSatisfy({ (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2d })
    else { return nil }
    rawValue = text
  }

  /// The order of the bytes.
  package static func < (lhs: StudyCode, rhs: StudyCode) -> Bool {
    lhs.rawValue.utf8.lexicographicallyPrecedes(rhs.rawValue.utf8)
  }

  /// The text.
  package var description: String { rawValue }
}

/// The pseudonym of a participant: random, and another one for each study. It is never an identifier of a phone or of advertising.
package struct ParticipantID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The text: `p-` and 26 characters.
  package let rawValue: String

  /// Reads a pseudonym; `nil` for other texts.
  package init?(_ text: String) {
    guard text.utf8.count == 28, text.hasPrefix("p-"), text.utf8.dropFirst(2).allSatisfy(StudyRandom.isDigit) else {
      return nil
    }
    rawValue = text
  }

  /// Draws a pseudonym of 130 random bits.
  package init(_ random: StudyRandom) { rawValue = "p-" + random.text(26) }

  /// The order of the bytes.
  package static func < (lhs: ParticipantID, rhs: ParticipantID) -> Bool {
    lhs.rawValue.utf8.lexicographicallyPrecedes(rhs.rawValue.utf8)
  }

  /// The text.
  package var description: String { rawValue }
}

/// The source of random bytes of pseudonyms, keys and invitations.
package struct StudyRandom: Sendable {
  /// Returns random bytes.
  package let bytes: @Sendable (_ count: Int) -> [UInt8]

  /// Creates a source.
  package init(bytes: @escaping @Sendable (_ count: Int) -> [UInt8]) { self.bytes = bytes }

  /// The random bytes of the operating system.
  package static let system = StudyRandom { count in
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  /// Digits that people do not confuse: no i, l, o and u (Crockford's base 32).
  private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

  static func isDigit(_ byte: UInt8) -> Bool { digits.contains(byte) }

  /// Returns a random text of digits of 5 bits each.
  package func text(_ count: Int) -> String {
    String(decoding: bytes(count).map { Self.digits[Int($0 & 31)] }, as: UTF8.self)
  }

  /// Returns what a store keeps of a secret: its SHA-256 in hexadecimal digits.
  package static func hash(_ secret: String) -> String { SHA256.hexDigest(of: Array(secret.utf8)) }
}
