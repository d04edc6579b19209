/// An address of Ethereum: 20 bytes.
package struct EthereumAddress: Hashable, Sendable, CustomStringConvertible {
  /// The bytes.
  package let bytes: [UInt8]

  /// Reads `0x` and 40 hexadecimal digits. Mixed upper and lower case must be the checksum of ERC-55; `nil` otherwise.
  package init?(_ text: String) {
    guard text.utf8.count == 42, text.hasPrefix("0x"), let bytes = Hexadecimal.bytes(text) else { return nil }
    self.bytes = bytes
    let digits = text.dropFirst(2)
    let isMixed = digits.contains(where: \.isUppercase) && digits.contains(where: \.isLowercase)
    guard !isMixed || description == text else { return nil }
  }

  /// The address of a public key: the last 20 bytes of the Keccak-256 of its coordinates.
  /// - Parameter publicKey: 65 bytes: 4, and both coordinates.
  init(publicKey: [UInt8]) { bytes = Array(Keccak256.digest(Array(publicKey.dropFirst())).suffix(20)) }

  /// The 32 bytes of the address in calls and events of contracts.
  var word: [UInt8] { [UInt8](repeating: 0, count: 12) + bytes }

  /// The text with the checksum of ERC-55: letters are upper-case where the Keccak-256 of the digits says so.
  package var description: String {
    let digits = Array(Hexadecimal.text(bytes).utf8.dropFirst(2))
    let hash = Keccak256.digest(digits)
    let letters = digits.enumerated().map { index, digit in
      let nibble = index % 2 == 0 ? hash[index / 2] >> 4 : hash[index / 2] & 15
      return digit >= 0x61 && nibble >= 8 ? digit - 0x20 : digit
    }
    return "0x" + String(decoding: letters, as: UTF8.self)
  }
}

/// Bytes as `0x` and hexadecimal digits, as JSON-RPC of Ethereum writes them.
package enum Hexadecimal {
  /// Returns `0x` and two digits for each byte.
  package static func text(_ bytes: [UInt8]) -> String {
    "0x" + bytes.map { String(UInt16($0) | 0x100, radix: 16).dropFirst() }.joined()
  }

  /// Reads what ``text(_:)`` wrote; `nil` for other texts.
  package static func bytes(_ text: String) -> [UInt8]? {
    guard text.hasPrefix("0x"), text.utf8.count % 2 == 0 else { return nil }
    var result: [UInt8] = []
    var high: UInt8?
    for digit in text.dropFirst(2) {
      guard let value = digit.hexDigitValue, digit.isASCII else { return nil }
      if let first = high {
        result.append(first << 4 | UInt8(value))
        high = nil
      } else {
        high = UInt8(value)
      }
    }
    return result
  }

  /// Returns a quantity: `0x` and the digits without zeros in front.
  package static func quantity(_ value: UInt64) -> String { "0x" + String(value, radix: 16) }

  /// Reads a quantity; `nil` for other texts and for larger numbers.
  package static func number(_ text: String) -> UInt64? {
    guard text.hasPrefix("0x"), text.utf8.count > 2 else { return nil }
    let digits = text.dropFirst(2)
    guard digits.allSatisfy(\.isHexDigit) else { return nil }
    return UInt64(digits, radix: 16)
  }
}
