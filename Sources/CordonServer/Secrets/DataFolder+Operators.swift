package import CordonCore
package import CordonIngest
package import CordonOperators
internal import Crypto
internal import Foundation

extension DataFolder {
  /// An account as it lies in the file. Versions before per-venue roles know `role` and `venues` alone.
  private struct Entry: Codable {
    var id: String
    var name: String
    var role: String
    var venues: [String]?
    var keyHash: [UInt8]
    var roles: [String: String]?
    var signInName: String?
    var password: String?
    var codeSecret: [UInt8]?
    var pendingCodeSecret: [UInt8]?
    var subject: OperatorAccount.Subject?
    var isDisabled: Bool?

    init(_ account: OperatorAccount) {
      id = account.id
      name = account.name
      // A role of one kind is written as earlier versions read it.
      let kinds = Set(account.roles.values)
      if account.roles.isEmpty || account.everywhere == nil && kinds.count == 1 {
        role = (account.everywhere ?? kinds.first)?.rawValue ?? ""
        venues = account.roles.isEmpty ? nil : account.roles.keys.map(\.rawValue).sorted()
      } else {
        role = account.everywhere?.rawValue ?? ""
        roles = Dictionary(uniqueKeysWithValues: account.roles.map { ($0.key.rawValue, $0.value.rawValue) })
      }
      keyHash = account.keyHash
      signInName = account.signInName
      password = account.password
      codeSecret = account.codeSecret
      pendingCodeSecret = account.pendingCodeSecret
      subject = account.subject
      isDisabled = account.isDisabled ? true : nil
    }

    var account: OperatorAccount {
      let role = Operator.Role(rawValue: role)
      var roles: [VenueID: Operator.Role] = [:]
      if let role { for venue in venues ?? [] { if let id = VenueID(venue) { roles[id] = role } } }
      for (venue, role) in self.roles ?? [:] {
        if let id = VenueID(venue), let role = Operator.Role(rawValue: role) { roles[id] = role }
      }
      var account = OperatorAccount(id: id, name: name, everywhere: venues == nil ? role : nil, roles: roles)
      account.keyHash = keyHash
      account.signInName = signInName
      account.password = password
      account.codeSecret = codeSecret
      account.pendingCodeSecret = pendingCodeSecret
      account.subject = subject
      account.isDisabled = isDisabled ?? false
      return account
    }
  }

  /// - Parameter mayMake: whether a key is made where there is none.
  private func operatorKey(mayMake: Bool = true) throws -> SymmetricKey {
    if let data = try read("operators.key") {
      guard data.count == 32 else { throw Fault(description: "\(path)/operators.key: not a key") }
      return SymmetricKey(data: data)
    }
    guard mayMake else {
      throw Fault(
        description: "\(path)/operators.key: missing; put back its copy, or that of another server of the database")
    }
    let secret = Self.secret()
    try write(secret, to: "operators.key")
    return SymmetricKey(data: secret)
  }

  /// How accounts are encrypted in a database: as in the file, under the same key. Encrypting makes a key where there is none; opening
  /// does not.
  package var accountSeal: AccountSeal {
    AccountSeal(
      seal: { list in
        let sealed = try AES.GCM.seal(try JSONEncoder().encode(list.map(Entry.init)), using: try operatorKey())
        guard let combined = sealed.combined else {
          throw Fault(description: "\(path): the accounts of operators cannot be encrypted")
        }
        return Array(combined)
      },
      open: { sealed in
        let key = try operatorKey(mayMake: false)
        do {
          let opened = try AES.GCM.open(try AES.GCM.SealedBox(combined: sealed), using: key)
          return try JSONDecoder().decode([Entry].self, from: opened).map(\.account)
        } catch {
          throw Fault(
            description: "\(path)/operators.key: not that of the accounts in the database; copy it from another server")
        }
      })
  }

  /// Returns the accounts of the operators with their names.
  package func accounts() throws -> [OperatorAccount] {
    guard let data = try read("operators.sealed") else { return [] }
    let key = try operatorKey(mayMake: false)
    do {
      let opened = try AES.GCM.open(try AES.GCM.SealedBox(combined: data), using: key)
      return try JSONDecoder().decode([Entry].self, from: opened).map(\.account)
    } catch {
      throw Fault(description: "\(path)/operators.sealed: cannot be opened with operators.key")
    }
  }

  /// Changes the accounts; a server and a command at once wait for one another.
  package func changeAccounts<T>(_ body: (inout [OperatorAccount]) throws -> T) throws -> T {
    let descriptor = open(path + "/operators.lock", O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Fault(description: "\(path)/operators.lock: cannot be opened") }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_EX) == 0 else { throw Fault(description: "\(path)/operators.lock: cannot be locked") }
    var list = try accounts()
    let value = try body(&list)
    try write(Data(try accountSeal.seal(list)), to: "operators.sealed")
    return value
  }

  /// Whether a server of the folder has its store and its accounts in a database: its log of decisions then has a name.
  package var isOfDatabase: Bool {
    let files = FileManager.default
    return files.fileExists(atPath: path + "/decisions.name") && !files.fileExists(atPath: storePath)
  }

  /// The accounts of the folder, for ``OperatorSessions``.
  package var sealedAccounts: SealedAccounts { SealedAccounts(folder: self) }

  /// The operators as the core knows them.
  package func operators() throws -> [Operator] { try accounts().compactMap(\.operator) }

  /// Adds an operator with a key for the API and returns its pseudonym and key. The key is shown only once.
  package func addOperator(name: String, role: Operator.Role, venues: [VenueID]?) throws -> (id: String, key: String) {
    let id = "op-" + Self.name()
    let key = Self.secret().base64EncodedString().filter { $0.isLetter || $0.isNumber }
    var account = OperatorAccount(id: id, name: name, everywhere: venues == nil ? role : nil)
    for venue in venues ?? [] { account.roles[venue] = role }
    account.keyHash = Operator.hash(ofKey: key)
    let added = account
    try changeAccounts { $0.append(added) }
    return (id, key)
  }

  /// Removes an operator; returns whether it existed.
  public func removeOperator(id: String) throws -> Bool {
    try changeAccounts { list in
      let count = list.count
      list.removeAll { $0.id == id }
      return list.count < count
    }
  }
}

/// The accounts in the sealed file of a folder.
package struct SealedAccounts: OperatorAccounts {
  let folder: DataFolder

  /// See ``OperatorAccounts/accounts()``.
  package func accounts() throws -> [OperatorAccount] { try folder.accounts() }

  /// See ``OperatorAccounts/changeAccounts(_:)``.
  package func changeAccounts<T>(_ body: (inout [OperatorAccount]) throws -> T) throws -> T {
    try folder.changeAccounts(body)
  }
}
