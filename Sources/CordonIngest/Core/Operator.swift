package import CordonCore
import CordonSupport

/// A person with access to the data of the server: for the core a pseudonym and a role, without a name.
package struct Operator: Hashable, Sendable {
  /// A pseudonym, which is what the audit names: who is behind it stands in a file of its own.
  package var id: String
  /// Their role, which sets their permissions.
  package var role: Role
  /// Where; `nil` for everywhere.
  package var venues: Set<VenueID>?
  /// SHA-256 of their key.
  package var keyHash: [UInt8]

  /// The permissions of an operator. From `viewer` on, each role includes the one before.
  package enum Role: String, Hashable, Sendable, Comparable, CaseIterable {
    /// The server's metrics, and nothing of any venue: for programs that watch the server.
    case metrics
    /// Counts, never below the smallest cell.
    case viewer
    /// Devices, contacts and exposures, each access with a reason.
    case `operator`
    /// Invite codes, revocation, erasure, and who looked.
    case admin

    private var rank: Int { Role.allCases.firstIndex(of: self) ?? 0 }

    /// Less may do less.
    package static func < (lhs: Role, rhs: Role) -> Bool { lhs.rank < rhs.rank }
  }

  /// An operator. The key should have 128 random bits or more: it is hashed once, not stretched.
  package init(id: String, role: Role, venues: Set<VenueID>? = nil, key: String) {
    self.init(id: id, role: role, venues: venues, keyHash: Operator.hash(ofKey: key))
  }

  /// An operator whose key is known by its hash.
  package init(id: String, role: Role, venues: Set<VenueID>?, keyHash: [UInt8]) {
    self.id = id
    self.role = role
    self.venues = venues
    self.keyHash = keyHash
  }

  /// Returns the SHA-256 hash of a key, the only form in which a key is stored.
  package static func hash(ofKey key: String) -> [UInt8] {
    var digest = SHA256()
    digest.update(key)
    return digest.finalize()
  }

  /// Whether the operator may see a venue.
  package func mayLook(at venue: VenueID) -> Bool { venues?.contains(venue) ?? true }
}
