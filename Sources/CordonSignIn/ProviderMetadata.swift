import CordonSupport
import CordonWire
package import Foundation

/// The addresses of a provider of OpenID Connect, from its discovery document (OpenID Connect Discovery 1.0).
package struct ProviderMetadata: Hashable, Sendable {
  /// The issuer, as the document has it.
  package var issuer: String
  /// The page where a person signs in.
  package var authorization: URL?
  /// The endpoint that issues tokens.
  package var token: URL
  /// The endpoint of the device-code grant (RFC 8628).
  package var deviceAuthorization: URL?
  /// The endpoint that revokes tokens (RFC 7009).
  package var revocation: URL?
  /// The page where the person signs out.
  package var endSession: URL?

  /// Returns the address of the discovery document of an issuer.
  package static func address(of issuer: URL) -> URL {
    issuer.appendingPathComponent(".well-known").appendingPathComponent("openid-configuration")
  }

  /// Reads a discovery document.
  /// - Parameters:
  ///   - body: the document.
  ///   - issuer: the configured issuer, which the document must name.
  /// - Throws: ``SignInError/badProvider(_:)`` when a required member is missing, an address is not protected by TLS, or the
  ///   provider does not know S256.
  package init(decoding body: [UInt8], issuer: URL) throws(SignInError) {
    guard let value = try? JSONReader.value(of: body), value.members != nil else {
      throw .unreachable("the discovery document is not JSON")
    }
    guard let named = value["issuer"]?.stringValue else { throw .badProvider("issuer is missing") }
    guard ProviderMetadata.trimmed(named) == ProviderMetadata.trimmed(issuer.absoluteString) else {
      throw .badProvider("issuer is another one")
    }
    self.issuer = named
    guard let token = try ProviderMetadata.url(value, "token_endpoint") else {
      throw .badProvider("token_endpoint is missing")
    }
    self.token = token
    authorization = try ProviderMetadata.url(value, "authorization_endpoint")
    deviceAuthorization = try ProviderMetadata.url(value, "device_authorization_endpoint")
    revocation = try ProviderMetadata.url(value, "revocation_endpoint")
    endSession = try ProviderMetadata.url(value, "end_session_endpoint")
    if let methods = value["code_challenge_methods_supported"]?.elements {
      guard methods.contains("S256") else { throw .badProvider("code_challenge_methods_supported lacks S256") }
    }
  }

  private static func url(_ value: JSONValue, _ name: String) throws(SignInError) -> URL? {
    guard let text = value[name]?.stringValue else { return nil }
    guard let url = URL(string: text), ProviderMetadata.isProtected(url) else {
      throw .badProvider("\(name) is not an address with https")
    }
    return url
  }

  /// Whether secrets may be sent to an address: `https`, or `http` to this machine.
  package static func isProtected(_ url: URL) -> Bool {
    guard let host = url.host, !host.isEmpty else { return false }
    switch url.scheme?.lowercased() {
    case "https": return true
    case "http": return ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host.lowercased())
    default: return false
    }
  }

  /// Scheme, host and port of an address.
  package static func origin(of url: URL) -> String {
    let scheme = url.scheme?.lowercased() ?? ""
    return "\(scheme)://\(url.host?.lowercased() ?? ""):\(url.port ?? (scheme == "https" ? 443 : 80))"
  }

  private static func trimmed(_ text: String) -> String { text.hasSuffix("/") ? String(text.dropLast()) : text }
}
