package import CordonCore
import CordonSupport

/// A person with access to the data of the server: for the core a pseudonym and roles, without a name.
package struct Operator: Hashable, Sendable {
  /// A pseudonym, which is what the audit names: who is behind it stands in a file of its own.
  package var id: String
  /// The role at every venue; `nil` for none but those of ``roles``.
  package var everywhere: Role?
  /// Roles at single venues. They add to ``everywhere`` and never take anything from it.
  package var roles: [VenueID: Role]
  /// SHA-256 of their key; empty for an operator without one.
  package var keyHash: [UInt8]

  /// The permissions of an operator. From `viewer` on, each role includes the one before.
  package enum Role: String, Hashable, Sendable, Comparable, CaseIterable {
    /// The server's metrics, and nothing of any venue: for programs that watch the server.
    case metrics
    /// Counts, never below the smallest cell.
    case viewer
    /// Devices, contacts and exposures, each access with a reason; exact counts.
    case contactTracer = "contact-tracer"
    /// The operation of a venue, and the server's metrics.
    case `operator`
    /// Invite codes, revocation, erasure, accounts, and who looked.
    case admin

    private var rank: Int { Role.allCases.firstIndex(of: self) ?? 0 }

    /// Less may do less.
    package static func < (lhs: Role, rhs: Role) -> Bool { lhs.rank < rhs.rank }
  }

  /// An operator. The key should have 128 random bits or more: it is hashed once, not stretched.
  /// - Parameter venues: where the role holds; `nil` for everywhere.
  package init(id: String, role: Role, venues: Set<VenueID>? = nil, key: String) {
    self.init(id: id, role: role, venues: venues, keyHash: Operator.hash(ofKey: key))
  }

  /// An operator whose key is known by its hash.
  package init(id: String, role: Role, venues: Set<VenueID>?, keyHash: [UInt8]) {
    self.init(
      id: id, everywhere: venues == nil ? role : nil,
      roles: Dictionary(uniqueKeysWithValues: (venues ?? []).map { ($0, role) }), keyHash: keyHash)
  }

  /// An operator with roles of their own at venues.
  package init(id: String, everywhere: Role?, roles: [VenueID: Role], keyHash: [UInt8]) {
    self.id = id
    self.everywhere = everywhere
    self.roles = roles
    self.keyHash = keyHash
  }

  /// Returns the SHA-256 hash of a key, the only form in which a key is stored.
  package static func hash(ofKey key: String) -> [UInt8] {
    var digest = SHA256()
    digest.update(key)
    return digest.finalize()
  }

  /// The highest role that the operator has anywhere; `nil` for none at all. It counts for requests that concern no venue.
  package var role: Role? { roles.values.reduce(everywhere) { max($0 ?? $1, $1) } }

  /// The role at a venue; `nil` where the operator has none.
  package func role(at venue: VenueID) -> Role? {
    guard let here = roles[venue] else { return everywhere }
    return everywhere.map { max($0, here) } ?? here
  }

  /// Whether the operator has at least a role somewhere.
  package func has(_ role: Role) -> Bool { self.role.map { $0 >= role } ?? false }

  /// Whether the operator has at least a role at a venue.
  package func has(_ role: Role, at venue: VenueID) -> Bool { self.role(at: venue).map { $0 >= role } ?? false }

  /// The venues at which the operator has at least a role; `nil` for all.
  package func venues(atLeast role: Role) -> Set<VenueID>? {
    if let everywhere, everywhere >= role { return nil }
    return Set(roles.filter { $0.value >= role }.keys)
  }
}
