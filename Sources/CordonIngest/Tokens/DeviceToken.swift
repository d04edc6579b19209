package import CordonCore
import CordonSupport
internal import CordonWire

/// The claims of a device token: its device, venue and scope, and its period of validity.
package struct TokenClaims: Hashable, Sendable {
  /// The device (`sub`). Rows of any other are refused.
  package var device: DeviceID
  /// The venue.
  package var venue: VenueID
  /// The scope: `device` for /v1, `published` for the published API.
  package var scope: Scope
  /// When it was made (`iat`, whole seconds).
  package var issued: Instant
  /// When it ends (`exp`, whole seconds).
  package var expires: Instant
  /// A name of its own (`jti`).
  package var name: String
  /// The device's generation; a token of an earlier one was revoked.
  package var generation: Int64

  /// The permitted use of a token.
  package enum Scope: String, Hashable, Sendable {
    case device
    case published
  }

  /// Claims.
  package init(
    device: DeviceID, venue: VenueID, scope: Scope, issued: Instant, expires: Instant, name: String, generation: Int64
  ) {
    self.device = device
    self.venue = venue
    self.scope = scope
    self.issued = issued
    self.expires = expires
    self.name = name
    self.generation = generation
  }
}

/// Why a token was not taken.
package enum TokenFault: Error, Hashable, Sendable {
  /// Not three parts of base 64, or not the claims.
  case malformed
  /// A key that is not known, or another algorithm.
  case header
  /// The signature is not ours.
  case signature
  /// It has ended.
  case expired
  /// It begins in the future.
  case early
}

/// Makes and reads device tokens: JSON Web Tokens (RFC 7519) with HS256 and nothing else.
package struct TokenIssuer: Sendable {
  private let signer: any TokenSigner
  private let keys: [TokenKey]
  /// The header of each key, as it must stand in a token, byte for byte.
  private let headers: [String]
  private let verified = VerifiedTokens()

  /// Creates a token issuer.
  package init(signer: any TokenSigner, keys: [TokenKey]) {
    self.signer = signer
    self.keys = keys
    headers = keys.map { key in
      let header: JSONValue = ["alg": "HS256", "typ": "JWT", "kid": .string(key.id)]
      return Base64.encodeURL(Array(header.text().utf8))
    }
  }

  /// The token for claims, signed with the first key; empty when there is no key.
  package func token(_ claims: TokenClaims) -> String {
    guard let key = keys.first, let header = headers.first else { return "" }
    let body: JSONValue = [
      "sub": .string(claims.device.rawValue), "venue": .string(claims.venue.rawValue),
      "scope": .string(claims.scope.rawValue), "iat": .integer(claims.issued.milliseconds / 1_000),
      "exp": .integer(claims.expires.milliseconds / 1_000), "jti": .string(claims.name),
      "gen": .integer(claims.generation),
    ]
    let signed = header + "." + Base64.encodeURL(Array(body.text().utf8))
    let code = signer.authenticationCode(of: Array(signed.utf8), key: key.secret)
    return signed + "." + Base64.encodeURL(code)
  }

  /// Reads a token. Its header must be the very bytes that this server writes, so no other algorithm is accepted.
  package func claims(of token: String, now: Instant) throws(TokenFault) -> TokenClaims {
    guard token.utf8.count <= 4_096 else { throw .malformed }
    if let claims = verified[token] { return try TokenIssuer.checked(claims, now: now) }
    let bytes = Array(token.utf8)
    let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3 else { throw .malformed }
    guard let index = headers.firstIndex(where: { $0.utf8.elementsEqual(parts[0]) }) else { throw .header }
    guard let signature = Base64.decode(bytes: parts[2]) else { throw .malformed }
    let signed = Array(bytes[..<parts[1].endIndex])
    guard isSameSecret(signer.authenticationCode(of: signed, key: keys[index].secret), signature) else {
      throw .signature
    }
    guard let body = Base64.decode(bytes: parts[1]), let claims = TokenIssuer.read(body) else { throw .malformed }
    verified.add(token, claims)
    return try TokenIssuer.checked(claims, now: now)
  }

  private static func checked(_ claims: TokenClaims, now: Instant) throws(TokenFault) -> TokenClaims {
    guard now < claims.expires else { throw .expired }
    // A minute for clocks that were set back.
    guard claims.issued <= now + .minutes(1) else { throw .early }
    return claims
  }

  private static func read(_ body: [UInt8]) -> TokenClaims? {
    let draft = try? JSONReader.read(body) { reader throws(WireError) -> Draft in
      var draft = Draft()
      try reader.expect(UInt8(ascii: "{"))
      var isFirst = true
      while let key = try reader.nextKey(&isFirst) {
        if key.equals("sub") {
          draft.device = DeviceID(try reader.string())
        } else if key.equals("venue") {
          draft.venue = VenueID(try reader.string())
        } else if key.equals("scope") {
          draft.scope = TokenClaims.Scope(rawValue: try reader.string())
        } else if key.equals("iat") {
          draft.issued = try reader.integer()
        } else if key.equals("exp") {
          draft.expires = try reader.integer()
        } else if key.equals("jti") {
          draft.name = try reader.string()
        } else if key.equals("gen") {
          draft.generation = try reader.integer()
        } else {
          try reader.skipValue()
        }
      }
      try reader.expectEnd()
      return draft
    }
    guard let draft, let device = draft.device, let venue = draft.venue, let scope = draft.scope,
      let issued = draft.issued, let expires = draft.expires, let name = draft.name, let generation = draft.generation
    else { return nil }
    return TokenClaims(
      device: device, venue: venue, scope: scope, issued: .epoch + .seconds(issued),
      expires: .epoch + .seconds(expires),
      name: name, generation: generation)
  }

  private struct Draft {
    var device: DeviceID?
    var venue: VenueID?
    var scope: TokenClaims.Scope?
    var issued: Int64?
    var expires: Int64?
    var name: String?
    var generation: Int64?
  }
}
