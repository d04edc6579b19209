/// Keeps what a store writes unreadable to whoever has only the file.
///
/// A store gives out bytes and the place where they lie; what was sealed for one place does not open in another, so
/// nobody can move rows about. `CordonSealing` has the implementation for apps; without a sealer a store is readable.
public protocol Sealer: Sendable {
  /// The number of the key under which new bytes are sealed. Makes the first key when there is none.
  /// - Throws: ``SealingError/Kind/locked`` while the keys are not to be had, such as before a phone's first unlocking.
  func currentKey() throws(SealingError) -> UInt32
  /// Whether bytes that were sealed under a key can be opened.
  func hasKey(_ number: UInt32) throws(SealingError) -> Bool
  /// Seals bytes for a place under the current key.
  func seal(_ plain: [UInt8], at place: [UInt8]) throws(SealingError) -> [UInt8]
  /// Opens what was sealed for the same place, under whichever key that was.
  func open(_ sealed: [UInt8], at place: [UInt8]) throws(SealingError) -> [UInt8]
  /// The number of the key under which bytes were sealed; `nil` when they were not.
  func key(of sealed: [UInt8]) -> UInt32?
  /// Makes a new key, and seals under it from now on. Older ones stay until they are dropped.
  /// - Returns: its number.
  func renewKey() throws(SealingError) -> UInt32
  /// Drops every key older than a number. What is sealed under them can never be opened again.
  func dropKeys(before number: UInt32) throws(SealingError)
}

/// Why something was not sealed or opened.
public struct SealingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Kinds of failure that call for different remedies.
  public enum Kind: Hashable, Sendable {
    /// The keys are not to be had at the moment; they will be.
    case locked
    /// The key is gone for good, and with it what was sealed under it.
    case lostKey
    /// The bytes are not what was sealed, or not for this place.
    case damaged
    /// Anything else.
    case failed
  }

  /// The kind.
  public var kind: Kind
  /// What was being done, and what the system said. Never holds a key or what was sealed.
  public var description: String

  /// A failure.
  public init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
