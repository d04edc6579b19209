import CordonCore
import CordonSupport
package import Foundation

/// A link that sets up an Overland receiver: `cordon://setup?url=...` or `overland://setup?url=...`.
///
/// Any page can contain such a link, so it changes nothing by itself: the person sees the old and the new values first.
/// Parameters that it lacks keep their values.
package struct SetupLink: Hashable, Sendable {
  /// The receiver.
  package var url: URL?
  /// The bearer token.
  package var token: String?
  /// The value of `device_id`.
  package var deviceID: String?
  /// Whether `unique_id` is sent.
  package var includesUniqueID: Bool?
  /// The names of parameters that have no effect, in their order.
  package var ignored: [String] = []
  /// The signature in hexadecimal digits; `nil` without one.
  private var signature: String?
  /// The signed text, see ``isSigned(with:)``.
  private var signedText = ""

  /// A value before and after.
  package struct Change: Hashable, Sendable {
    /// The name of the parameter.
    package var name: String
    /// The old value for people; a token is never shown.
    package var old: String
    /// The new value for people.
    package var new: String
  }

  /// Reads a link.
  /// - Throws: ``SetupLinkError`` for a broken or hostile one.
  package init(_ text: String) throws(SetupLinkError) {
    guard text.utf8.count <= 4_096 else { throw .tooLong }
    guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
      ["cordon", "overland"].contains(scheme), parts.host?.lowercased() == "setup", parts.user == nil,
      parts.port == nil,
      ["", "/"].contains(parts.path), parts.fragment == nil
    else { throw .notALink }
    var seen: Set<String> = []
    for item in parts.queryItems ?? [] {
      // The signed text joins names and values; another character could move the border between the two.
      guard !item.name.isEmpty, item.name.utf8.allSatisfy({ SetupLink.isOfName($0) }) else {
        throw .bad("parameter", "has a name with other characters than letters, digits, '_', '-' and '.'")
      }
      guard let value = item.value, !value.isEmpty else { throw .bad(item.name, "has no value") }
      guard seen.insert(item.name).inserted else { throw .bad(item.name, "appears twice") }
      guard
        !value.unicodeScalars.contains(where: {
          $0.properties.generalCategory == .control || $0.properties.generalCategory == .format
        })
      else { throw .bad(item.name, "has control characters") }
      switch item.name {
      case "url": url = try SetupLink.receiver(value)
      case "token":
        guard value.utf8.count <= 2_048, value.unicodeScalars.allSatisfy({ $0.isASCII && $0 != " " }) else {
          throw .bad("token", "is not a token")
        }
        token = value
      case "device_id":
        guard value.utf8.count <= 128 else { throw .bad("device_id", "is too long") }
        deviceID = value
      case "unique_id":
        guard ["yes", "no"].contains(value) else { throw .bad("unique_id", "is not yes or no") }
        includesUniqueID = value == "yes"
      case "signature":
        guard value.utf8.count == 64, value.utf8.allSatisfy({ SetupLink.isHexadecimal($0) }) else {
          throw .bad("signature", "is not 64 hexadecimal digits")
        }
        signature = value.lowercased()
      default: ignored.append(item.name)
      }
    }
    signedText = SetupLink.text(of: parts.queryItems ?? [])
    if url == nil, token == nil, deviceID == nil, includesUniqueID == nil { throw .empty }
    // A token must not go to a receiver that the link did not name together with it.
    if token != nil, url == nil { throw .bad("token", "comes without url") }
  }

  /// Whether the link has a signature.
  package var hasSignature: Bool { signature != nil }

  /// Whether the link is signed with a secret: the HMAC-SHA-256, in hexadecimal digits, of `cordon-setup` and of `name=value` for
  /// each other parameter in the order of the names, each on a line of its own. Values are those without percent-encoding.
  package func isSigned(with key: [UInt8]) -> Bool {
    guard let signature else { return false }
    return isSameSecret(Array(signature.utf8), Array(SetupLink.code(of: signedText, key: key).utf8))
  }

  /// Returns the signature of a link's parameters.
  package static func signature(of parameters: [(name: String, value: String)], key: [UInt8]) -> String {
    code(of: text(of: parameters.map { URLQueryItem(name: $0.name, value: $0.value) }), key: key)
  }

  private static func text(of items: [URLQueryItem]) -> String {
    let lines = items.filter { $0.name != "signature" }.sorted { $0.name < $1.name }
      .map { "\($0.name)=\($0.value ?? "")" }
    return (["cordon-setup"] + lines).joined(separator: "\n")
  }

  private static func code(of text: String, key: [UInt8]) -> String {
    HMAC.code(of: Array(text.utf8), key: key).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }

  private static func receiver(_ text: String) throws(SetupLinkError) -> URL {
    guard let url = OverlandFormat.url(template: text), let scheme = url.scheme?.lowercased(),
      url.host?.isEmpty == false
    else { throw .bad("url", "is not an address") }
    guard url.user == nil, url.password == nil else { throw .bad("url", "contains a password") }
    let isLocal = ["localhost", "127.0.0.1", "::1", "[::1]"].contains(url.host?.lowercased() ?? "")
    guard scheme == "https" || scheme == "http" && isLocal else { throw .bad("url", "does not begin with https://") }
    return url
  }

  /// Returns the endpoint with the values of the link. A new receiver without a token in the link does not get the old token.
  package func applied(to endpoint: SinkEndpoint) -> SinkEndpoint {
    var result = endpoint
    if let url {
      if !SetupLink.isSameOrigin(url, endpoint.url) { result.token = nil }
      result.url = url
    }
    if let token { result.token = token }
    if var format = result.format as? OverlandFormat {
      if let deviceID { format.deviceID = deviceID }
      if let includesUniqueID { format.includesUniqueID = includesUniqueID }
      result.format = format
    }
    return result
  }

  /// Returns what the link changes, with the old and the new values.
  package func changes(to endpoint: SinkEndpoint) -> [Change] {
    let new = applied(to: endpoint)
    func text(_ token: String?) -> String { token == nil ? "none" : "a token of \(token?.utf8.count ?? 0) characters" }
    var changes: [Change] = []
    if new.url != endpoint.url {
      changes.append(Change(name: "url", old: endpoint.bareURL.absoluteString, new: new.bareURL.absoluteString))
    }
    if new.token != endpoint.token {
      let isOther = new.token != nil && endpoint.token != nil
      changes.append(
        Change(name: "token", old: text(endpoint.token), new: (isOther ? "another: " : "") + text(new.token)))
    }
    if let old = endpoint.format as? OverlandFormat, let format = new.format as? OverlandFormat {
      if format.deviceID != old.deviceID {
        changes.append(
          Change(name: "device_id", old: old.deviceID ?? "the pseudonym", new: format.deviceID ?? "the pseudonym"))
      }
      if format.includesUniqueID != old.includesUniqueID {
        changes.append(
          Change(
            name: "unique_id", old: old.includesUniqueID ? "yes" : "no", new: format.includesUniqueID ? "yes" : "no"))
      }
    }
    return changes
  }

  /// Whether a sign-in of the endpoint ends with the link: it names another receiver, or a token of its own.
  package func endsSignIn(of endpoint: SinkEndpoint) -> Bool {
    token != nil || url.map { !SetupLink.isSameOrigin($0, endpoint.url) } ?? false
  }

  private static func isSameOrigin(_ a: URL, _ b: URL) -> Bool {
    a.scheme?.lowercased() == b.scheme?.lowercased() && a.host?.lowercased() == b.host?.lowercased() && a.port == b.port
  }
}

/// A broken or hostile setup link.
package enum SetupLinkError: CordonError, Hashable {
  /// It is not `cordon://setup?...` or `overland://setup?...`.
  case notALink
  /// It is longer than 4 096 bytes.
  case tooLong
  /// It sets nothing.
  case empty
  /// A parameter is not acceptable: its name and the fault.
  case bad(String, String)

  /// The fault in one line.
  package var description: String {
    switch self {
    case .notALink: "the link is not cordon://setup?... or overland://setup?..."
    case .tooLong: "the link is longer than 4096 bytes"
    case .empty: "the link sets nothing"
    case .bad(let name, let fault): "the link's \(name.prefix(32)) \(fault)"
    }
  }

  /// The next step.
  package var remedy: String { "Ask its sender for a new link." }
}

extension SinkEndpoint {
  /// Returns the endpoint with the values of a setup link (`cordon://setup?...` or `overland://setup?...`), and what it
  /// changes.
  ///
  /// Show the person the old and the new values, and use the endpoint only when they agree: any page can contain a link.
  /// Parameters that the link lacks keep their values; a new receiver does not get the old token.
  /// - Throws: an error for a broken or hostile link.
  public func applying(
    setupLink: String
  ) throws -> (endpoint: SinkEndpoint, changes: [(name: String, old: String, new: String)]) {
    let link = try SetupLink(setupLink)
    return (link.applied(to: self), link.changes(to: self).map { ($0.name, $0.old, $0.new) })
  }
}
