/// The private key of an account that pays. Descriptions and mirrors show its address alone.
package struct ChainKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  private let library: Secp256k1
  private let bytes: [UInt8]
  /// The account.
  package let address: EthereumAddress

  /// Creates a key of 32 bytes.
  package init(_ bytes: [UInt8], library: Secp256k1) throws(ChainKeyError) {
    guard let point = library.publicKey(of: bytes) else { throw .notAKey }
    self.library = library
    self.bytes = bytes
    address = EthereumAddress(publicKey: point)
  }

  /// Reads the contents of a file: 64 hexadecimal digits, with or without `0x` before them and a line end behind them.
  package init(contents: [UInt8], library: Secp256k1) throws(ChainKeyError) {
    var line = contents[...]
    while let last = line.last, [0x0a, 0x0d, 0x20].contains(last) { line.removeLast() }
    let text = String(decoding: line, as: UTF8.self)
    guard let bytes = Hexadecimal.bytes(text.hasPrefix("0x") ? text : "0x" + text), bytes.count == 32 else {
      throw .notAKey
    }
    try self.init(bytes, library: library)
  }

  /// Signs a digest of 32 bytes, and checks the signature.
  package func sign(_ digest: [UInt8]) throws(ChainKeyError) -> ChainSignature {
    guard let signature = library.signature(of: digest, key: bytes),
      let point = library.publicKey(of: signature, digest: digest), EthereumAddress(publicKey: point) == address
    else { throw .notSigned }
    return signature
  }

  package var description: String { "key of \(address)" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: ["address": address.description]) }
}
