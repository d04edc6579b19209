#if canImport(Security)
  public import CordonMonitoring
  import Foundation
  import Security

  /// Keys in the system's keychain, on this device only, not in backups, and accessible from the first unlock on.
  ///
  /// The device's pseudonym is in the store and not here, so that removing the app ends the identity.
  public struct KeychainKeyStore: KeyStore {
    /// The service attribute of the keys.
    public let service: String

    /// Creates a key store for a service; use one for each store.
    public init(service: String = "cordon.store") { self.service = service }

    private var query: [CFString: Any] {
      [kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecUseDataProtectionKeychain: true]
    }

    /// See `KeyStore.keys()`.
    public func keys() throws(SealingError) -> [SealingKey] {
      var query = self.query
      query[kSecMatchLimit] = kSecMatchLimitAll
      query[kSecReturnAttributes] = true
      query[kSecReturnData] = true
      var found: CFTypeRef?
      let status = SecItemCopyMatching(query as CFDictionary, &found)
      if status == errSecItemNotFound { return [] }
      guard status == errSecSuccess, let items = found as? [[CFString: Any]] else { throw failure("keys", status) }
      var keys: [SealingKey] = []
      for item in items {
        guard let account = item[kSecAttrAccount] as? String, let number = UInt32(account),
          let data = item[kSecValueData] as? Data
        else { continue }
        keys.append(SealingKey(number: number, bytes: Array(data)))
      }
      return keys.sorted { $0.number < $1.number }
    }

    /// See `KeyStore.add(_:)`.
    public func add(_ key: SealingKey) throws(SealingError) {
      var item = query
      item[kSecAttrAccount] = String(key.number)
      item[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
      item[kSecAttrSynchronizable] = false
      item[kSecValueData] = Data(key.bytes)
      let status = SecItemAdd(item as CFDictionary, nil)
      guard status == errSecSuccess else { throw failure("add", status) }
    }

    /// See `KeyStore.remove(_:)`.
    public func remove(_ number: UInt32) throws(SealingError) {
      var item = query
      item[kSecAttrAccount] = String(number)
      let status = SecItemDelete(item as CFDictionary)
      guard status == errSecSuccess || status == errSecItemNotFound else { throw failure("remove", status) }
    }

    private func failure(_ what: String, _ status: OSStatus) -> SealingError {
      let isLocked = status == errSecInteractionNotAllowed || status == errSecNotAvailable
      return SealingError(isLocked ? .locked : .failed, "keychain, \(what): status \(status)")
    }
  }
#endif
