package import CordonCore
package import CordonIngest

/// An operator with everything that signs them in: more than the core knows, which has no names.
package struct OperatorAccount: Hashable, Sendable {
  /// The pseudonym, which the audit names.
  package var id: String
  /// The name of the operator.
  package var name: String
  /// The role at every venue; `nil` for none but those of ``roles``.
  package var everywhere: Operator.Role?
  /// Roles at single venues.
  package var roles: [VenueID: Operator.Role] = [:]
  /// SHA-256 of the key for the API; empty for none.
  package var keyHash: [UInt8] = []
  /// The name that the operator types to sign in; `nil` for accounts without a password.
  package var signInName: String?
  /// The password as ``PasswordHash`` writes it; `nil` for none.
  package var password: String?
  /// The secret of one-time codes, once a code of it was entered; `nil` for none.
  package var codeSecret: [UInt8]?
  /// A secret of one-time codes that waits for its first code.
  package var pendingCodeSecret: [UInt8]?
  /// The operator's identity at an OpenID provider; `nil` for none.
  package var subject: Subject?
  /// Whether the account is locked: it has no sessions, and its key is refused.
  package var isDisabled = false

  /// An identity that an OpenID provider vouches for.
  package struct Subject: Hashable, Sendable, Codable {
    /// The provider's issuer identifier.
    package var issuer: String
    /// The provider's name of the person, which it never gives to another one.
    package var name: String

    /// An identity.
    package init(issuer: String, name: String) {
      self.issuer = issuer
      self.name = name
    }
  }

  /// An account that has neither a key nor a password yet.
  package init(id: String, name: String, everywhere: Operator.Role?, roles: [VenueID: Operator.Role] = [:]) {
    self.id = id
    self.name = name
    self.everywhere = everywhere
    self.roles = roles
  }

  /// The operator as the core knows them; `nil` for a locked account.
  package var `operator`: Operator? {
    isDisabled ? nil : Operator(id: id, everywhere: everywhere, roles: roles, keyHash: keyHash)
  }

  /// Returns the form in which sign-in names are compared: lower case, without spaces at the ends; `nil` for a name that is not
  /// 1 to 64 characters of letters, digits, `.`, `_`, `-` and `@`.
  package static func comparableName(_ text: String) -> String? {
    var name = Substring(text)
    while name.first == " " { name = name.dropFirst() }
    while name.last == " " { name = name.dropLast() }
    guard (1...64).contains(name.count),
      name.allSatisfy({ ($0.isLetter || $0.isNumber || "._-@".contains($0)) && $0.isASCII })
    else { return nil }
    return name.lowercased()
  }
}

/// Where accounts are kept. It may be used from any thread.
package protocol OperatorAccounts: Sendable {
  /// Returns the accounts in the order in which they were added.
  func accounts() throws -> [OperatorAccount]
  /// Changes the accounts as a whole, and no others meanwhile; a thrown error leaves them as they were. The body may run several
  /// times, each time with the accounts as they are then; the last run counts.
  func changeAccounts<T>(_ body: (inout [OperatorAccount]) throws -> T) throws -> T
  /// Returns a number that changes with the accounts, where other servers change them; `nil` where only a reload shows changes.
  func revision() throws -> Int64?
}

extension OperatorAccounts {
  /// `nil`: the accounts belong to one server.
  package func revision() throws -> Int64? { nil }

  /// Returns the operators as the core knows them.
  package func operators() throws -> [Operator] { try accounts().compactMap(\.operator) }
}
