internal import CordonCore
internal import CordonIngest
internal import CordonSupport
internal import Foundation

/// A value of a token, of which any claim may have any kind.
enum ClaimValue: Decodable, Hashable, Sendable {
  case text(String)
  case number(Double)
  case list([ClaimValue])
  case other

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let list = try? container.decode([ClaimValue].self) {
      self = .list(list)
    } else {
      self = .other
    }
  }

  /// A text, or the texts of a list.
  var texts: [String] {
    switch self {
    case .text(let text): [text]
    case .list(let list): list.compactMap { if case .text(let text) = $0 { text } else { nil } }
    default: []
    }
  }

  /// Seconds since 1970 as a moment; `nil` for anything that is none.
  var instant: Instant? {
    guard case .number(let seconds) = self, (0...253_402_300_800).contains(seconds) else { return nil }
    return Instant(milliseconds: Int64(seconds * 1_000))
  }
}

/// An ID token (OpenID Connect Core, section 2) whose signature is not checked yet.
struct IDToken: Sendable {
  let algorithm: String
  let keyID: String?
  let claims: [String: ClaimValue]
  let message: [UInt8]
  let signature: [UInt8]

  private struct Header: Decodable {
    var alg: String
    var kid: String?
    var crit: [String]?
  }

  /// Reads a token in compact form.
  init(_ text: String) throws(OpenIDFault) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard text.utf8.count <= 65_536, parts.count == 3, let head = Base64.decode(parts[0]),
      let body = Base64.decode(parts[1]), let signature = Base64.decode(parts[2]),
      let header = try? JSONDecoder().decode(Header.self, from: Data(head)),
      let claims = try? JSONDecoder().decode([String: ClaimValue].self, from: Data(body))
    else { throw OpenIDFault("the ID token cannot be read") }
    guard header.crit == nil else { throw OpenIDFault("the ID token has a header that must be understood and is not") }
    algorithm = header.alg
    keyID = header.kid
    self.claims = claims
    self.signature = signature
    message = Array("\(parts[0]).\(parts[1])".utf8)
  }

  /// How much the clocks of provider and server may differ.
  static let tolerance = TimeSpan.minutes(1)

  /// Checks the claims (section 3.1.3.7).
  /// - Parameters:
  ///   - nonce: the one that was sent.
  ///   - confirmedSince: the earliest time at which the person may have proved who they are; `nil` for any.
  func check(
    _ settings: OpenIDSettings, nonce: String, confirmedSince: Instant?, now: Instant
  ) throws(OpenIDFault) -> String {
    func text(_ name: String) -> String? { if case .text(let text)? = claims[name] { text } else { nil } }
    guard text("iss") == settings.issuer else { throw OpenIDFault("the ID token is of another issuer") }
    let audience = claims["aud"]?.texts ?? []
    guard audience.contains(settings.clientID) else { throw OpenIDFault("the ID token is for another client") }
    if audience.count > 1 || text("azp") != nil {
      guard text("azp") == settings.clientID else { throw OpenIDFault("the ID token was made for another client") }
    }
    guard let expires = claims["exp"]?.instant, now < expires + Self.tolerance else {
      throw OpenIDFault("the ID token is over, or has no end")
    }
    guard let issued = claims["iat"]?.instant, issued <= now + Self.tolerance, now < issued + .minutes(10) else {
      throw OpenIDFault("the ID token was not made just now")
    }
    if let value = claims["nbf"] {
      guard let start = value.instant, start <= now + Self.tolerance else {
        throw OpenIDFault("the ID token is not valid yet")
      }
    }
    guard text("nonce") == nonce else { throw OpenIDFault("the ID token has another nonce") }
    if let confirmedSince {
      guard let time = claims["auth_time"]?.instant, time + Self.tolerance >= confirmedSince else {
        throw OpenIDFault("the provider did not ask the person again")
      }
    }
    guard let subject = text("sub"), (1...255).contains(subject.utf8.count) else {
      throw OpenIDFault("the ID token has no subject")
    }
    return subject
  }
}
