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
}

/// A transaction of Ethereum before it is signed (EIP-155).
package struct TransactionDraft: Hashable, Sendable {
  /// The number of the transaction of the paying account. A number is used once, so a repeated transaction pays once.
  package var nonce: UInt64
  /// The price of gas in wei.
  package var gasPrice: UInt64
  /// The most gas.
  package var gasLimit: UInt64
  /// The contract, or the receiver.
  package var to: EthereumAddress
  /// The value in wei, big-endian.
  package var value: [UInt8]
  /// The call.
  package var data: [UInt8]
  /// The chain.
  package var chain: UInt64

  /// Creates a draft.
  package init(
    nonce: UInt64, gasPrice: UInt64, gasLimit: UInt64, to: EthereumAddress, value: [UInt8] = [], data: [UInt8],
    chain: UInt64
  ) {
    self.nonce = nonce
    self.gasPrice = gasPrice
    self.gasLimit = gasLimit
    self.to = to
    self.value = value
    self.data = data
    self.chain = chain
  }

  /// The bytes whose Keccak-256 is signed.
  package var signingBytes: [UInt8] {
    RLP.list(
      [
        .number(nonce), .number(gasPrice), .number(gasLimit), .bytes(to.bytes), .number(bigEndian: value), .bytes(data),
        .number(chain), .bytes([]), .bytes([]),
      ]
    ).encoded
  }

  /// The hash that is signed.
  package var signingHash: [UInt8] { Keccak256.digest(signingBytes) }

  /// Returns the call `transfer(address,uint256)` of ERC-20.
  package static func transfer(to receiver: EthereumAddress, amount: UInt64) -> [UInt8] {
    var call = Array(Keccak256.digest(Array("transfer(address,uint256)".utf8)).prefix(4))
    call += [UInt8](repeating: 0, count: 12)
    call += receiver.bytes
    call += [UInt8](repeating: 0, count: 24)
    call += RLP.bigEndian(amount)
    return call
  }
}
