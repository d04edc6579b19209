/// Encrypts what a store writes, so that the file alone is unreadable.
///
/// A store passes bytes and the place where they lie. Data that was sealed for one place does not open in another, so
/// rows cannot be moved. `CordonSealing` has the implementation for apps; without a sealer a store is readable.
public protocol Sealer: Sendable {
  /// Returns the number of the key that seals new data. Makes the first key when there is none.
  /// - Throws: ``SealingError/Kind/locked`` while the keys are unavailable, such as before a phone's first unlocking.
  func currentKey() throws(SealingError) -> UInt32
  /// Returns whether data sealed with a key can be opened.
  func hasKey(_ number: UInt32) throws(SealingError) -> Bool
  /// Seals bytes for a place with the current key.
  func seal(_ plain: [UInt8], at place: [UInt8]) throws(SealingError) -> [UInt8]
  /// Opens data that was sealed for the same place, with any key that is still held.
  func open(_ sealed: [UInt8], at place: [UInt8]) throws(SealingError) -> [UInt8]
  /// Returns the number of the key that sealed the bytes; `nil` when they are not sealed.
  func key(of sealed: [UInt8]) -> UInt32?
  /// Makes a new key, and seals with it from now on. Older keys stay until ``dropKeys(before:)``.
  /// - Returns: the number of the new key.
  func renewKey() throws(SealingError) -> UInt32
  /// Deletes every key below a number. Data sealed with them can never be opened again.
  func dropKeys(before number: UInt32) throws(SealingError)
}

/// The reason why sealing or opening failed.
public struct SealingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Kinds of failure that call for different remedies.
  public enum Kind: Hashable, Sendable {
    /// The keys are unavailable at the moment, and will be available later.
    case locked
    /// The key is gone for good, and with it the data that it sealed.
    case lostKey
    /// The bytes are damaged, or were sealed for another place.
    case damaged
    /// Anything else.
    case failed
  }

  /// The kind.
  public var kind: Kind
  /// The failed action and the system's message. Never holds a key or the sealed data.
  public var description: String

  /// A failure.
  public init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
