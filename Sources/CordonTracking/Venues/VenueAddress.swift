package import CordonCore
package import Foundation

/// The address of a packed venue at a server: `https://cordon.example.org/v1/venues/mall`.
package struct VenueAddress: Hashable, Sendable, CustomStringConvertible {
  /// The root of the server.
  package let server: URL
  package let venue: VenueID

  /// Checks whether a name is an address and not a path.
  package static func isAddress(_ name: String) -> Bool {
    let name = name.lowercased()
    return name.hasPrefix("https://") || name.hasPrefix("http://")
  }

  package init(_ text: String) throws(TrackerError) {
    func failure(_ text: String) -> TrackerError {
      TrackerError("bad-address", "\"\(text)\" is not an address like https://cordon.example.org/v1/venues/mall")
    }
    guard var parts = URLComponents(string: text), let host = parts.host, !host.isEmpty, parts.query == nil,
      parts.fragment == nil
    else { throw failure(text) }
    var names = parts.path.split(separator: "/").map(String.init)
    if names.last == "packed" { names.removeLast() }
    guard names.count >= 3, names.suffix(3).starts(with: ["v1", "venues"]), let venue = VenueID(names[names.count - 1])
    else { throw failure(text) }
    parts.path = names.dropLast(3).reduce("") { $0 + "/" + $1 }
    guard let server = parts.url else { throw failure(text) }
    self.server = server
    self.venue = venue
  }

  package var description: String { "\(venue) of \(server.host ?? server.absoluteString)" }
}
