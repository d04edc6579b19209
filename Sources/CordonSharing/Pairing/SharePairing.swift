internal import CordonSupport

/// The comparison that shows two devices that nobody is between them.
///
/// Each device has a key and a random nonce. The receiver commits to its nonce before it sees that of the sharer. The codes
/// are a hash of both keys and both nonces. A device in the middle has other keys, and must choose its nonces before it can
/// compute the codes: they agree by chance only, one time in a million for each direction. It is the order of messages of the
/// numeric comparison of Bluetooth (Core 5.4, volume 3, part H, 2.3.5.6.2).
struct SharePairing: Hashable, Sendable {
  /// The code that the sharer shows and the receiver asks for.
  let sharerCode: ShareCode
  /// The code that the receiver shows and the sharer asks for.
  let receiverCode: ShareCode
  /// The name of this pairing in bundles: 64 hexadecimal digits.
  let id: String

  /// The length of a nonce, bytes.
  static let nonceBytes = 32

  /// - Parameters:
  ///   - sharer: the public key of the sharer.
  ///   - receiver: the public key of the receiver.
  ///   - nonces: those of the sharer and of the receiver.
  init(sharer: [UInt8], receiver: [UInt8], nonces: (sharer: [UInt8], receiver: [UInt8])) {
    let digest = SharePairing.digest("codes", sharer, receiver, nonces.sharer + nonces.receiver)
    sharerCode = ShareCode(digest[0..<8])
    receiverCode = ShareCode(digest[8..<16])
    id = SharePairing.hex(SharePairing.digest("pairing", sharer, receiver, nonces.sharer + nonces.receiver))
  }

  /// Returns the commitment of a receiver to its nonce.
  static func commitment(to nonce: [UInt8], sharer: [UInt8], receiver: [UInt8]) -> [UInt8] {
    digest("commitment", sharer, receiver, nonce)
  }

  /// The parts have a fixed length each, so no two inputs have the same bytes.
  private static func digest(_ purpose: String, _ sharer: [UInt8], _ receiver: [UInt8], _ nonces: [UInt8]) -> [UInt8] {
    func hashed(_ bytes: [UInt8]) -> [UInt8] {
      var digest = SHA256()
      digest.update(bytes)
      return digest.finalize()
    }
    return hashed(hashed(Array("\(ShareMessage.version) \(purpose)".utf8)) + hashed(sharer) + hashed(receiver) + nonces)
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

/// A code of six digits.
package struct ShareCode: Hashable, Sendable, CustomStringConvertible {
  private let number: Int

  /// A code from 8 bytes; the bias of the remainder is below 10^-13.
  init(_ bytes: ArraySlice<UInt8>) {
    number = Int(bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 1_000_000)
  }

  /// Reads a code as a person types it: six digits, with spaces or hyphens anywhere. `nil` for anything else.
  package init?(typed text: String) {
    let digits = text.filter { !$0.isWhitespace && $0 != "-" }
    guard digits.utf8.count == 6, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let read = Int(digits) else {
      return nil
    }
    number = read
  }

  /// The six digits, such as `012 345`.
  package var description: String {
    let digits = String(1_000_000 + number).dropFirst()
    return "\(digits.prefix(3)) \(digits.suffix(3))"
  }
}
