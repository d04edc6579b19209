package import CordonCore
import CordonSupport
import CordonWire

/// The tokens of one sign-in. They are never part of a description.
package struct TokenSet: Hashable, Sendable {
  /// The token of requests.
  package var access: String
  /// The token that gets the next access token; `nil` when the sign-in ends with the access token.
  package var refresh: String?
  /// The identity token, for the sign-out page.
  package var identity: String?
  /// The end of the access token; `nil` when the provider did not name it.
  package var expires: Instant?
  /// The client that the tokens were issued to.
  package var client: String

  /// Makes a set of its tokens.
  package init(access: String, refresh: String? = nil, identity: String? = nil, expires: Instant? = nil, client: String)
  {
    self.access = access
    self.refresh = refresh
    self.identity = identity
    self.expires = expires
    self.client = client
  }

  /// Whether the access token is valid for another half minute.
  package func isFresh(at now: Instant) -> Bool { expires.map { $0 > now + .seconds(30) } ?? true }

  /// Reads the answer of a token endpoint (RFC 6749, section 5.1).
  /// - Parameters:
  ///   - body: the body of a success.
  ///   - client: the client of the request.
  ///   - old: the tokens that the answer replaces; a provider that does not rotate leaves out the refresh token.
  ///   - now: the time of the answer, from which `expires_in` counts.
  /// - Returns: `nil` when the body is not such an answer.
  package init?(answer body: [UInt8], client: String, replacing old: TokenSet?, at now: Instant) {
    guard let value = try? JSONReader.value(of: body), let access = value["access_token"]?.stringValue, !access.isEmpty,
      value["token_type"]?.stringValue?.lowercased() == "bearer"
    else { return nil }
    self.access = access
    self.client = client
    refresh = value["refresh_token"]?.stringValue ?? old?.refresh
    identity = value["id_token"]?.stringValue ?? old?.identity
    if let seconds = value["expires_in"]?.integerValue { expires = now + .seconds(min(max(seconds, 0), 315_360_000)) }
  }

  // MARK: - In the vault

  /// The bytes of the set.
  package func encoded() -> [UInt8] {
    let value: JSONValue = [
      "access": .string(access), "refresh": JSONValue(refresh), "identity": JSONValue(identity),
      "expires_ms": expires.map { .integer($0.milliseconds) } ?? .null, "client": .string(client),
    ]
    return Array(value.text().utf8)
  }

  /// Reads the bytes of a set; `nil` for anything else.
  package init?(decoding bytes: [UInt8]) {
    guard let value = try? JSONReader.value(of: bytes), let access = value["access"]?.stringValue,
      let client = value["client"]?.stringValue
    else { return nil }
    self.access = access
    self.client = client
    refresh = value["refresh"]?.stringValue
    identity = value["identity"]?.stringValue
    expires = value["expires_ms"]?.integerValue.map(Instant.init(milliseconds:))
  }
}

extension TokenSet: CustomStringConvertible, CustomReflectable {
  /// The expiry; never a token.
  package var description: String { "tokens until \(expires?.rfc3339 ?? "an unknown time")" }
  /// Nothing.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
