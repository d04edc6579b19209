package import CordonCore
package import CordonIngest

/// An OpenID Connect provider at which operators sign in.
package struct OpenIDSettings: Hashable, Sendable {
  /// The provider's issuer identifier: an address without query, over TLS unless it is loopback.
  package var issuer: String
  /// The identifier of this server at the provider.
  package var clientID: String
  /// The secret of this server at the provider; `nil` for a public client, which has none.
  package var clientSecret: String?
  /// The address at which browsers reach this server, without a path: `https://cordon.example`.
  package var address: String
  /// The scopes of a request; `openid` is always one of them.
  package var scopes = ["openid", "profile", "groups"]
  /// The claim that lists the groups of a person.
  package var groupsClaim = "groups"
  /// The role of each group.
  package var roles: [GroupRole]
  /// The name of the provider on pages; `nil` for the host of the issuer.
  package var label: String?

  /// A role that the members of a group have.
  package struct GroupRole: Hashable, Sendable {
    /// The group as the provider names it.
    package var group: String
    /// The role.
    package var role: Operator.Role
    /// Where; `nil` for all venues.
    package var venue: VenueID?

    /// A role of a group.
    package init(group: String, role: Operator.Role, venue: VenueID? = nil) {
      self.group = group
      self.role = role
      self.venue = venue
    }

    /// Reads `group=role` or `group=role@venue`; `nil` for anything else.
    package init?(_ text: String) {
      // Groups may be distinguished names of a directory, which have equals signs of their own.
      guard let mark = text.lastIndex(of: "="), mark != text.startIndex else { return nil }
      let parts = text[text.index(after: mark)...].split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
      guard let role = parts.first.flatMap({ Operator.Role(rawValue: String($0)) }) else { return nil }
      var venue: VenueID?
      if parts.count > 1 {
        guard let id = VenueID(String(parts[1])) else { return nil }
        venue = id
      }
      self.init(group: String(text[..<mark]), role: role, venue: venue)
    }

    /// The text that ``init(_:)`` reads.
    package var text: String { "\(group)=\(role.rawValue)" + (venue.map { "@\($0.rawValue)" } ?? "") }
  }

  /// A provider.
  package init(issuer: String, clientID: String, clientSecret: String?, address: String, roles: [GroupRole]) {
    self.issuer = issuer
    self.clientID = clientID
    self.clientSecret = clientSecret
    self.address = address
    self.roles = roles
  }

  /// Where the provider sends browsers back to.
  package var redirectAddress: String { address + "/console/openid/callback" }

  /// Returns the roles of a person of groups: they add up.
  package func roles(of groups: Set<String>) -> (everywhere: Operator.Role?, venues: [VenueID: Operator.Role]) {
    var everywhere: Operator.Role?
    var venues: [VenueID: Operator.Role] = [:]
    for entry in roles where groups.contains(entry.group) {
      if let venue = entry.venue {
        venues[venue] = max(venues[venue] ?? entry.role, entry.role)
      } else {
        everywhere = max(everywhere ?? entry.role, entry.role)
      }
    }
    return (everywhere, venues)
  }
}

/// Why a person cannot sign in at a provider. The text is for logs and names nobody.
package struct OpenIDFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// What happened.
  package var description: String

  /// A fault.
  package init(_ description: String) { self.description = description }
}
