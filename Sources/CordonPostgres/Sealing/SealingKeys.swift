internal import CordonIngest
internal import Crypto
internal import Foundation

/// The keys of a server under which the keys of devices are encrypted in the database. The first one seals; all of them open.
package struct SealingKeys: Hashable, Sendable {
  /// A key.
  package struct Key: Hashable, Sendable {
    /// Its name, which stands beside what it sealed.
    package var id: String
    /// 32 random bytes.
    package var secret: [UInt8]

    /// Takes the values as they are.
    package init(id: String, secret: [UInt8]) {
      self.id = id
      self.secret = secret
    }
  }

  /// The keys, of which there is at least one.
  package var keys: [Key]

  /// Keys.
  package init(_ keys: [Key]) { self.keys = keys }

  /// Encrypts the key of a device.
  func seal(_ key: SymmetricKey, of device: Int64) throws(StoreFault) -> (id: String, bytes: [UInt8]) {
    guard let first = keys.first else { throw StoreFault(.failed, "no key to seal with") }
    let plain = key.withUnsafeBytes { Array($0) }
    return (first.id, try RowSeal.seal(plain, under: SymmetricKey(data: first.secret), for: Self.identity(device)))
  }

  /// Decrypts the key of a device.
  /// - Throws: ``StoreFault/Kind/failed`` when it was sealed under a key that this server does not have.
  func open(_ bytes: [UInt8], under id: String, of device: Int64) throws(StoreFault) -> SymmetricKey {
    guard let key = keys.first(where: { $0.id == id }) else {
      throw StoreFault(
        .failed, "sealing.json lacks the key \(id), under which keys of devices are sealed: put the current file there")
    }
    return SymmetricKey(
      data: try RowSeal.open(bytes, under: SymmetricKey(data: key.secret), for: Self.identity(device)))
  }

  private static func identity(_ device: Int64) -> [UInt8] {
    var bytes = Array("device key".utf8)
    bytes.append(bigEndian: device)
    return bytes
  }
}
