/// Where the keys of a ``Sealer`` live, apart from what they seal.
///
/// A key store may be locked for a while; it must then say so, never that it is empty: an empty one gets a new key,
/// and what the old one sealed is lost.
public protocol KeyStore: Sendable {
  /// Every key, by ascending number.
  func keys() throws(SealingError) -> [SealingKey]
  /// Keeps a key.
  func add(_ key: SealingKey) throws(SealingError)
  /// Forgets a key for good; nothing when there is none of that number.
  func remove(_ number: UInt32) throws(SealingError)
}

/// A secret key and its number. The numbers of one store rise; the highest seals.
public struct SealingKey: Sendable {
  /// From 1.
  public var number: UInt32
  /// 32 random bytes.
  public var bytes: [UInt8]

  /// Takes the values as they are.
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
