import CordonCore
import CordonSupport

/// UUIDs that are derived from names, for formats that allow only UUIDs.
///
/// They follow version 8 of RFC 9562 (custom): the first 128 bits of SHA-256 over `cordon`, the venue, the kind and the
/// identifier, with version and variant set. An identifier that is already a UUID is used unchanged.
enum StableUUID {
  /// The kind of the named object, because objects of different kinds may have equal identifiers.
  enum Kind: String {
    case address, venue, building, footprint, floor, space, opening, barrier, point, anchor, connection, traversal,
      zone, annotation
  }

  /// Returns the UUID as 36 lower-case characters.
  static func text(_ kind: Kind, _ id: String, in venue: VenueID) -> String {
    // The footprint, anchor and traversal of an object are separate objects.
    if isUUID(id), ![.footprint, .anchor, .traversal].contains(kind) { return id.lowercased() }
    var digits = Array(SHA256.hexDigest(of: Array("cordon\n\(venue)\n\(kind.rawValue)\n\(id)".utf8)).prefix(32))
    digits[12] = "8"
    digits[16] = ["8", "9", "a", "b"][Int(String(digits[16]), radix: 16).map { $0 & 3 } ?? 0]
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
  }

  static func isUUID(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count == 36 else { return false }
    return bytes.enumerated().allSatisfy { index, byte in
      switch index {
      case 8, 13, 18, 23: byte == 0x2D
      default: (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
      }
    }
  }
}
