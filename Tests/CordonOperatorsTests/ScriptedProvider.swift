import CordonCore
import CordonIngest
import CordonSupport
import Crypto
import CryptoExtras
import Foundation
import Testing

@testable import CordonOperators

/// An OpenID provider in the process: it answers from a script, signs tokens with its keys, and counts what it was asked.
///
/// `@unchecked Sendable` holds because every access to the mutable fields happens with `lock` held.
final class ScriptedProvider: ProviderClient, @unchecked Sendable {
  static let issuer = "https://id.example"

  /// A key pair of the provider.
  enum Key {
    case rsa(String, _RSA.Signing.PrivateKey)
    case p256(String, P256.Signing.PrivateKey)

    var id: String {
      switch self {
      case .rsa(let id, _), .p256(let id, _): id
      }
    }

    var algorithm: String { if case .rsa = self { "RS256" } else { "ES256" } }

    func sign(_ message: [UInt8]) throws -> [UInt8] {
      switch self {
      case .rsa(_, let key): Array(try key.signature(for: message, padding: .insecurePKCS1v1_5).rawRepresentation)
      case .p256(_, let key): Array(try key.signature(for: message).rawRepresentation)
      }
    }

    var webKey: [String: String] {
      get throws {
        switch self {
        case .rsa(let id, let key):
          let numbers = try key.publicKey.getKeyPrimitives()
          return [
            "kty": "RSA", "kid": id, "use": "sig", "alg": "RS256", "n": Base64.encodeURL(Array(numbers.modulus)),
            "e": Base64.encodeURL(Array(numbers.publicExponent)),
          ]
        case .p256(let id, let key):
          let point = Array(key.publicKey.x963Representation)
          return [
            "kty": "EC", "kid": id, "use": "sig", "crv": "P-256", "x": Base64.encodeURL(point[1..<33]),
            "y": Base64.encodeURL(point[33..<65]),
          ]
        }
      }
    }
  }

  // Making an RSA key takes long, so all tests share one.
  static let rsa = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }

  private let lock = NSLock()
  private var answers: [String: ProviderResponse] = [:]
  private(set) var requests: [ProviderRequest] = []
  /// The code that is taken, and the token that it gives.
  private var codes: [String: String] = [:]

  init() { answer("/.well-known/openid-configuration", Self.metadata()) }

  static func metadata(_ changes: [String: (any Sendable)?] = [:]) -> [String: Any] {
    var document: [String: Any] = [
      "issuer": issuer, "authorization_endpoint": issuer + "/authorize", "token_endpoint": issuer + "/token",
      "jwks_uri": issuer + "/keys", "end_session_endpoint": issuer + "/end",
      "code_challenge_methods_supported": ["S256"],
    ]
    for (key, value) in changes { document[key] = value }
    return document
  }

  func answer(_ path: String, _ object: [String: Any], status: Int = 200) {
    let body = (try? JSONSerialization.data(withJSONObject: object)) ?? Data()
    lock.withLock { answers[path] = ProviderResponse(status: status, body: Array(body)) }
  }

  func publish(_ keys: [Key]) throws {
    let list = try keys.map { try $0.webKey }
    answer("/keys", ["keys": list + [["kty": "oct", "k": "AAAA"], ["kty": "OKP", "crv": "Ed25519", "x": "AAAA"]]])
  }

  func accept(code: String, token: String) { lock.withLock { codes[code] = token } }

  func count(_ path: String) -> Int { lock.withLock { requests.count { $0.address == Self.issuer + path } } }

  var tokenRequests: [ProviderRequest] { lock.withLock { requests.filter { $0.form != nil } } }

  func send(_ request: ProviderRequest) async -> ProviderResponse { respond(to: request) }

  private func respond(to request: ProviderRequest) -> ProviderResponse {
    lock.withLock {
      requests.append(request)
      let path = String(request.address.dropFirst(Self.issuer.count))
      guard path == "/token" else { return answers[path] ?? ProviderResponse(status: 404, body: []) }
      let form = IngestRequest("POST", "/?" + (request.form ?? ""))
      guard let code = form.parameter("code"), let token = codes.removeValue(forKey: code) else {
        return ProviderResponse(status: 400, body: Array(#"{"error": "invalid_grant"}"#.utf8))
      }
      return ProviderResponse(status: 200, body: Array(#"{"id_token": "\#(token)", "access_token": "x"}"#.utf8))
    }
  }

  /// Signs claims.
  static func token(
    _ claims: [String: Any], _ key: Key, header: [String: Any] = [:]
  ) throws -> String {
    var head: [String: Any] = ["alg": key.algorithm, "kid": key.id, "typ": "JWT"]
    for (name, value) in header { head[name] = value }
    let parts = try [head, claims].map { Base64.encodeURL(Array(try JSONSerialization.data(withJSONObject: $0))) }
    let message = parts.joined(separator: ".")
    return message + "." + Base64.encodeURL(try key.sign(Array(message.utf8)))
  }
}

extension OpenIDSettings {
  /// The scripted provider's.
  static func scripted(secret: String? = "s3cret/+") -> OpenIDSettings {
    OpenIDSettings(
      issuer: ScriptedProvider.issuer, clientID: "cordon", clientSecret: secret, address: "https://cordon.example",
      roles: [
        .init(group: "admins", role: .admin), .init(group: "tracers", role: .contactTracer),
        .init(group: "north", role: .operator, venue: VenueID("north")), .init(group: "north", role: .viewer),
      ])
  }
}
