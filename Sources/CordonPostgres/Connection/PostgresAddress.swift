internal import CPostgres

/// Where a database is, and how it is reached: a URL such as `postgresql://cordon@db.example/cordon`.
///
/// Every parameter of libpq may stand in the URL. Those that it does not name get the values of ``defaults``.
package struct PostgresAddress: Hashable, Sendable {
  /// The parameters of libpq by name, in the order of libpq.
  let parameters: [Parameter]

  /// A parameter of libpq.
  struct Parameter: Hashable, Sendable {
    var name: String
    var value: String
  }

  /// A text that is not the address of a database. It holds nothing of the text, which may contain a password.
  package struct Unreadable: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problem.
    package var description: String
  }

  /// The parameters of a URL that does not name them. A server that is gone is noticed within ten seconds.
  private static let defaults = [
    ("application_name", "cordon-server"), ("connect_timeout", "3"), ("keepalives_idle", "5"),
    ("keepalives_interval", "2"), ("keepalives_count", "2"), ("tcp_user_timeout", "9000"),
  ]

  /// Reads a URL.
  /// - Throws: ``Unreadable`` for anything else than `postgresql://` and `postgres://`, and for unknown parameters.
  package init(_ text: String) throws(Unreadable) {
    guard text.hasPrefix("postgresql://") || text.hasPrefix("postgres://") else {
      throw Unreadable(description: "not a URL such as postgresql://user@host/database")
    }
    var message: UnsafeMutablePointer<CChar>?
    guard let options = PQconninfoParse(text, &message) else {
      PQfreemem(message)
      throw Unreadable(
        description: "not a URL that PostgreSQL's library accepts, such as postgresql://user@host/database")
    }
    defer { PQconninfoFree(options) }
    var found: [Parameter] = []
    var option = options
    while let name = option.pointee.keyword {
      if let value = option.pointee.val {
        found.append(Parameter(name: String(cString: name), value: String(cString: value)))
      }
      option += 1
    }
    for (name, value) in Self.defaults where !found.contains(where: { $0.name == name }) {
      found.append(Parameter(name: name, value: value))
    }
    let hosts = found.first { $0.name == "host" }?.value ?? ""
    let isHere = hosts.split(separator: ",").allSatisfy {
      $0.hasPrefix("/") || $0.hasPrefix("@") || ["localhost", "127.0.0.1", "::1"].contains($0)
    }
    // Positions travel to another machine under TLS, to the host of the certificate.
    if !isHere, !found.contains(where: { $0.name == "sslmode" }) {
      found.append(Parameter(name: "sslmode", value: "verify-full"))
    }
    let mode = found.first { $0.name == "sslmode" }?.value ?? ""
    isEncrypted = isHere || ["require", "verify-ca", "verify-full"].contains(mode)
    parameters = found
  }

  /// Whether nothing leaves this machine unencrypted. `false` where the URL gives a weaker `sslmode`.
  package let isEncrypted: Bool
}
