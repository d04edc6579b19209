public import CordonMonitoring
import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// A sealer with AES-256-GCM (NIST SP 800-38D) and keys from a `KeyStore`.
///
/// ```swift
/// let sealer = AESGCMSealer(keys: FileKeyStore(path: "/var/lib/tracker/keys"))
/// let store = try SQLiteStore(path: "/var/lib/tracker/store.sqlite", sealer: sealer)
/// ```
///
/// Sealed bytes start with the version (one byte), the key's number (four bytes, most significant first) and a random
/// nonce (twelve bytes). The ciphertext and a tag (sixteen bytes) follow.
///
/// One key may seal at most 2^32 times. Renew it before that (`SQLiteStore/renewKey()`); at one location every five
/// seconds, that number lasts for hundreds of years.
public final class AESGCMSealer: Sealer {
  private static let version: UInt8 = 1
  private static let header = 5
  private let keys: any KeyStore
  private let cache = KeyCache()

  /// Creates a sealer. It reads the keys from the store when it needs the first one.
  public init(keys: any KeyStore) { self.keys = keys }

  /// See `Sealer.currentKey()`.
  public func currentKey() throws(SealingError) -> UInt32 { try current().number }

  /// See `Sealer.hasKey(_:)`.
  public func hasKey(_ number: UInt32) throws(SealingError) -> Bool { try key(number) != nil }

  /// See `Sealer.key(of:)`.
  public func key(of sealed: [UInt8]) -> UInt32? {
    guard sealed.count >= AESGCMSealer.header + 28, sealed[0] == AESGCMSealer.version else { return nil }
    return sealed[1..<5].reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// See `Sealer.seal(_:at:)`.
  public func seal(_ plain: [UInt8], at place: [UInt8]) throws(SealingError) -> [UInt8] {
    let (number, key) = try current()
    do {
      let box = try AES.GCM.seal(plain, using: key, nonce: AES.GCM.Nonce(), authenticating: place)
      var sealed: [UInt8] = []
      sealed.reserveCapacity(AESGCMSealer.header + 28 + plain.count)
      sealed.append(AESGCMSealer.version)
      for shift in [24, 16, 8, 0] as [UInt32] { sealed.append(UInt8(truncatingIfNeeded: number >> shift)) }
      sealed.append(contentsOf: box.nonce)
      sealed.append(contentsOf: box.ciphertext)
      sealed.append(contentsOf: box.tag)
      return sealed
    } catch {
      throw SealingError(.failed, "sealing under key \(number): \(error)")
    }
  }

  /// See `Sealer.open(_:at:)`.
  public func open(_ sealed: [UInt8], at place: [UInt8]) throws(SealingError) -> [UInt8] {
    guard let number = self.key(of: sealed) else {
      throw SealingError(.damaged, "\(sealed.count) bytes that were not sealed here")
    }
    guard let key = try key(number) else { throw SealingError(.lostKey, "key \(number) is gone") }
    do {
      let box = try AES.GCM.SealedBox(combined: sealed[AESGCMSealer.header...])
      return Array(try AES.GCM.open(box, using: key, authenticating: place))
    } catch {
      throw SealingError(.damaged, "bytes under key \(number) do not open at their place")
    }
  }

  /// See `Sealer.renewKey()`.
  public func renewKey() throws(SealingError) -> UInt32 {
    let known = try load()
    return try add(after: known.keys.max() ?? 0)
  }

  /// See `Sealer.dropKeys(before:)`.
  public func dropKeys(before number: UInt32) throws(SealingError) {
    let old = try load().keys.filter { $0 < number }.sorted()
    for key in old { try keys.remove(key) }
    if !old.isEmpty { try load() }
  }

  private func current() throws(SealingError) -> (number: UInt32, key: SymmetricKey) {
    if let newest = cache.newest { return newest }
    let known = try load()
    if known.isEmpty { _ = try add(after: 0) }
    guard let newest = cache.newest else { throw SealingError(.failed, "the new key was not kept") }
    return newest
  }

  private func key(_ number: UInt32) throws(SealingError) -> SymmetricKey? {
    if let key = cache.key(number) { return key }
    return try load()[number]
  }

  @discardableResult
  private func load() throws(SealingError) -> [UInt32: SymmetricKey] {
    var known: [UInt32: SymmetricKey] = [:]
    for key in try keys.keys() {
      guard key.bytes.count == 32 else { throw SealingError(.failed, "\(key) has \(key.bytes.count) bytes, not 32") }
      known[key.number] = SymmetricKey(data: key.bytes)
    }
    cache.set(known)
    return known
  }

  private func add(after number: UInt32) throws(SealingError) -> UInt32 {
    guard number < .max else { throw SealingError(.failed, "there are no more key numbers") }
    let bytes = SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) }
    try keys.add(SealingKey(number: number + 1, bytes: bytes))
    try load()
    return number + 1
  }
}

/// The keys in memory, so that the key store is read once and not for every row.
///
/// `@unchecked Sendable` holds because `known` and `top` are accessed only with `lock` held.
private final class KeyCache: @unchecked Sendable {
  private let lock = NSLock()
  private var known: [UInt32: SymmetricKey] = [:]
  private var top: UInt32?

  var newest: (number: UInt32, key: SymmetricKey)? {
    lock.withLock { top.flatMap { number in known[number].map { (number, $0) } } }
  }

  func key(_ number: UInt32) -> SymmetricKey? { lock.withLock { known[number] } }

  func set(_ keys: [UInt32: SymmetricKey]) {
    lock.withLock {
      known = keys
      top = keys.keys.max()
    }
  }
}
