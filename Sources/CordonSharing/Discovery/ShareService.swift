internal import CordonSupport
internal import Foundation

/// A device on the LAN that shares records, as DNS-SD (RFC 6763) lists it.
///
/// The list is not trusted: anybody on the LAN can announce anything, and only the codes show who is there.
package struct ShareService: Hashable, Sendable {
  /// The name that the device announces.
  package let name: String
  /// Its address: an IP address.
  package let host: String
  /// Its port.
  package let port: Int

  /// The type of the service.
  package static let type = "_cordon-forms._tcp"
  /// Maximum number of services that are read.
  private static let maximumCount = 100

  /// Reads the output of `avahi-browse --parsable --resolve --terminate`: one service for each name, in ascending order of names.
  ///
  /// Of several addresses of a name, one that other machines reach takes precedence over loopback, and IPv4 over IPv6. Addresses
  /// of IPv6 that are valid on one link only are left out. Lines that cannot be read are skipped, as are names with control
  /// characters, which DNS-SD forbids: a line end in a name would look like a message of this program.
  package static func list(avahi text: String) -> [ShareService] {
    var found: [String: (rank: Int, service: ShareService)] = [:]
    for line in text.split(whereSeparator: \.isNewline) {
      // =;eth0;IPv4;Clinic\032north;_cordon-forms._tcp;local;host.local;192.0.2.7;4711;"v=1"
      let parts = line.split(separator: ";", omittingEmptySubsequences: false)
      guard parts.count >= 9, parts[0] == "=", parts[4] == type, let name = unescaped(parts[3]),
        !name.unicodeScalars.contains(where: \.controlsTerminal),
        let port = Int(parts[8]), (1...65_535).contains(port)
      else { continue }
      let host = String(parts[7])
      guard !host.isEmpty, !host.lowercased().hasPrefix("fe80:") else { continue }
      let isLoopback = host == "::1" || host.hasPrefix("127.")
      let rank = (isLoopback ? 2 : 0) + (host.contains(":") ? 1 : 0)
      if let known = found[name], known.rank <= rank { continue }
      guard found[name] != nil || found.count < maximumCount else { continue }
      found[name] = (rank, ShareService(name: name, host: host, port: port))
    }
    return found.values.map(\.service).sorted { $0.name < $1.name }
  }

  /// A name without the escapes of avahi: `\032` is the byte 32, and `\.` a full stop. `nil` when it is not UTF-8.
  private static func unescaped(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(3)
      if digits.count == 3, let number = UInt8(String(decoding: digits, as: UTF8.self)) {
        bytes.append(number)
        rest = rest.dropFirst(3)
      } else if let next = rest.popFirst() {
        bytes.append(next)
      }
    }
    return String(bytes: bytes, encoding: .utf8)
  }
}
