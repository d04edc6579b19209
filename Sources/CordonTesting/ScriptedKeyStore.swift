public import CordonMonitoring
import Foundation

/// A key store in memory that can be locked, and that can lose its keys.
///
/// `@unchecked Sendable` holds because every access to the fields happens with `lock` held.
public final class ScriptedKeyStore: KeyStore, @unchecked Sendable {
  private let lock = NSLock()
  private var kept: [UInt32: SealingKey] = [:]
  private var locked = false
  private var asked = 0

  /// Makes an empty, unlocked key store.
  public init() {}

  /// Whether the keys are unavailable at the moment.
  public var isLocked: Bool {
    get { lock.withLock { locked } }
    set { lock.withLock { locked = newValue } }
  }

  /// The number of requests for the keys, locked or not.
  public var requests: Int { lock.withLock { asked } }

  /// Deletes every key, as a reset of the device does.
  public func loseKeys() { lock.withLock { kept = [:] } }

  /// See `KeyStore.keys()`.
  public func keys() throws(SealingError) -> [SealingKey] {
    try access { () throws(SealingError) in
      asked += 1
      if locked { throw SealingError(.locked, "the key store is locked") }
      return kept.values.sorted { $0.number < $1.number }
    }
  }

  /// See `KeyStore.add(_:)`.
  public func add(_ key: SealingKey) throws(SealingError) {
    try access { () throws(SealingError) in
      if locked { throw SealingError(.locked, "the key store is locked") }
      kept[key.number] = key
    }
  }

  /// See `KeyStore.remove(_:)`.
  public func remove(_ number: UInt32) throws(SealingError) {
    try access { () throws(SealingError) in
      if locked { throw SealingError(.locked, "the key store is locked") }
      kept[number] = nil
    }
  }

  private func access<T>(_ body: () throws(SealingError) -> T) throws(SealingError) -> T {
    lock.lock()
    defer { lock.unlock() }
    return try body()
  }
}
