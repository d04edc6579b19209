/// Holds the keys of a ``Sealer``, apart from the sealed data.
///
/// A key store may be locked for a while. It must report that, and never that it is empty: an empty store gets a new
/// key, and the data that the old key sealed is lost.
public protocol KeyStore: Sendable {
  /// Every key, by ascending number.
  func keys() throws(SealingError) -> [SealingKey]
  /// Stores a key.
  func add(_ key: SealingKey) throws(SealingError)
  /// Deletes a key for good; does nothing when there is no key of that number.
  func remove(_ number: UInt32) throws(SealingError)
}

/// A secret key and its number. The numbers of one store rise; the highest seals.
public struct SealingKey: Sendable {
  /// From 1.
  public var number: UInt32
  /// 32 random bytes.
  public var bytes: [UInt8]

  /// Makes a key of its number and bytes.
  public init(number: UInt32, bytes: [UInt8]) {
    self.number = number
    self.bytes = bytes
  }
}

extension SealingKey: CustomStringConvertible, CustomReflectable {
  /// The number; a key's bytes are never shown.
  public var description: String { "key \(number)" }
  /// Only the number.
  public var customMirror: Mirror { Mirror(self, children: ["number": number]) }
}
