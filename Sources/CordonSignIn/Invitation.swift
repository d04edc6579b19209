import CordonSupport
package import Foundation

/// An invitation of a platform: a link or a code that a person received, which stands for a sign-in.
///
/// A JupyterHealth Exchange sends `https://APP/...HOST_TOKEN`: the program redeems the token at the host, and receives an
/// authorization code whose verifier is made of the token. No verifier is part of the program.
package struct Invitation: Hashable, Sendable {
  /// The address at which the token is redeemed.
  package let redemption: URL
  /// The verifier of the code.
  package let verifier: String

  /// Reads a link or a code.
  /// - Throws: ``SignInError/badInvitation(_:)``.
  package init(_ text: String) throws(SignInError) {
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard trimmed.utf8.count <= 2_048 else { throw .badInvitation("it is too long") }
    let plain = trimmed.removingPercentEncoding ?? trimmed
    if plain.contains("cloud_sharing_code=") || plain.contains("|") {
      throw .badInvitation("it needs a verifier that every app knows, which protects nothing")
    }
    let start = plain.lastIndex { "/=?&".contains($0) }.map { plain.index(after: $0) } ?? plain.startIndex
    let code = plain[start...]
    guard let separator = code.lastIndex(of: "_") else { throw .badInvitation("it is not HOST_TOKEN") }
    let (host, token) = (String(code[..<separator]), code[code.index(after: separator)...])
    let isToken =
      token.utf8.count == 32
      && token.unicodeScalars.allSatisfy { $0.isASCII && $0.properties.isAlphabetic || ("0"..."9").contains($0) }
    guard isToken else { throw .badInvitation("its token does not have 32 letters and digits") }
    let isHost =
      (1...253).contains(host.utf8.count)
      && host.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: ":"):
          true
        default: false
        }
      }
    let name = host.split(separator: ":").first.map(String.init) ?? ""
    let scheme = ["localhost", "127.0.0.1"].contains(name.lowercased()) ? "http" : "https"
    guard isHost, let url = URL(string: "\(scheme)://\(host)/api/v1/invitation/\(token)"), url.host?.isEmpty == false
    else {
      throw .badInvitation("its host is not the name of a host")
    }
    redemption = url
    verifier = Base64.encodeURL(Array(token.utf8))
  }
}

extension Invitation: CustomStringConvertible, CustomReflectable {
  /// The host; never the token.
  package var description: String { "an invitation of \(redemption.host ?? "?")" }
  /// Nothing.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
