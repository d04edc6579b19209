internal import Foundation

/// The address of another server that this server sends to.
///
/// TLS is required for addresses other than loopback.
package struct OutboundAddress: Hashable, Sendable, CustomStringConvertible {
  /// Whether the connection uses TLS.
  package let usesTLS: Bool
  /// The name or the IP address of the host; an IPv6 address without brackets.
  package let host: String
  /// The port.
  package let port: Int
  /// The path with its query, percent-encoded; `/` at least.
  package let target: String
  /// The address as it was written.
  package let description: String

  /// The reason why a text is not an address.
  package struct Fault: Error, Hashable, Sendable {
    /// The problem, without the text itself: an address may contain a secret.
    package var message: String

    /// A fault.
    package init(message: String) { self.message = message }
  }

  /// Reads an address.
  /// - Parameters:
  ///   - text: such as `https://example.org/hook`.
  ///   - schemes: the scheme without TLS and the one with TLS, each with its usual port.
  package init(
    _ text: String, plain: (name: String, port: Int) = ("http", 80), secure: (name: String, port: Int) = ("https", 443)
  ) throws(Fault) {
    guard text.utf8.count <= 2_000, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
      let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(), let name = parts.host,
      !name.isEmpty
    else { throw Fault(message: "is not a URL such as \(secure.name)://example.org/") }
    guard parts.user == nil, parts.password == nil else {
      throw Fault(message: "contains a user or a password, which have settings of their own")
    }
    guard parts.fragment == nil else { throw Fault(message: "contains a fragment (#)") }
    let host = name.hasPrefix("[") && name.hasSuffix("]") ? String(name.dropFirst().dropLast()) : name
    switch scheme {
    case secure.name: usesTLS = true
    case plain.name:
      guard ["localhost", "127.0.0.1", "::1"].contains(host.lowercased()) else {
        throw Fault(message: "is not loopback, so it needs TLS (\(secure.name)://)")
      }
      usesTLS = false
    default: throw Fault(message: "begins neither with \(secure.name):// nor with \(plain.name)://")
    }
    let port = parts.port ?? (usesTLS ? secure.port : plain.port)
    guard (1...65_535).contains(port) else { throw Fault(message: "has a port that is not from 1 to 65535") }
    self.host = host
    self.port = port
    let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
    target = path + (parts.percentEncodedQuery.map { "?\($0)" } ?? "")
    description = text
  }

  /// Scheme, host and port, without the path, which may contain a secret: for logs and lists.
  package var origin: String {
    let scheme = description.prefix { $0 != ":" }.lowercased()
    return "\(scheme)://\(authority)"
  }

  /// The host and, unless it is the usual one of the scheme, the port.
  var authority: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port == (usesTLS ? 443 : 80) ? name : "\(name):\(port)"
  }

  /// Whether the host is an IP address, which a TLS client does not name to the server.
  var isHostAnAddress: Bool { NetworkAddress(host) != nil }
}
