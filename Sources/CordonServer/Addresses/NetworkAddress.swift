#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// An IP address. IPv4 addresses are stored as IPv4-mapped IPv6 addresses (`::ffff:0:0/96`), so both forms are equal.
struct NetworkAddress: Hashable, Sendable {
  /// The 128 bits, in network order.
  let high: UInt64
  let low: UInt64

  init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Reads an address as proxies write it: `192.0.2.1`, `192.0.2.1:50123`, `2001:db8::1`, `[2001:db8::1]:50123`, with or without
  /// quotes, spaces around it, or a zone (`%eth0`). `nil` for anything else, such as `unknown`.
  init?(_ text: some StringProtocol) {
    var text = Substring(text)
    while let first = text.first, first == " " || first == "\t" || first == "\"" { text.removeFirst() }
    while let last = text.last, last == " " || last == "\t" || last == "\"" { text.removeLast() }
    if text.first == "[" {
      guard let end = text.firstIndex(of: "]") else { return nil }
      let rest = text[text.index(after: end)...]
      guard rest.isEmpty || Self.isPort(rest) else { return nil }
      text = text[text.index(after: text.startIndex)..<end]
    } else if let colon = text.firstIndex(of: ":"), text.contains(".") {
      // An IPv4 address has no colon but the port's; an IPv6 address with an IPv4 part has several.
      if text.firstIndex(of: ".").map({ $0 < colon }) == true {
        guard Self.isPort(text[colon...]) else { return nil }
        text = text[..<colon]
      }
    }
    if let zone = text.firstIndex(of: "%") { text = text[..<zone] }
    guard !text.isEmpty, text.utf8.count <= 64 else { return nil }
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, String(text), &bytes) == 1 {
      let value = bytes.prefix(4).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      self.init(high: 0, low: 0xffff_0000_0000 | value)
    } else if inet_pton(AF_INET6, String(text), &bytes) == 1 {
      self.init(
        high: bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) },
        low: bytes.suffix(8).reduce(0) { $0 << 8 | UInt64($1) })
    } else {
      return nil
    }
  }

  private static func isPort(_ text: Substring) -> Bool {
    guard text.first == ":" else { return false }
    let digits = text.dropFirst()
    return (1...5).contains(digits.count) && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// Whether it is an IPv4 address.
  var isIPv4: Bool { high == 0 && low >> 32 == 0xffff }

  /// The text by which failed attempts are counted: an IPv4 address, or the first 64 bits of an IPv6 address.
  /// One subscriber has all addresses of such a prefix.
  var countedAs: String {
    if isIPv4 { return (0..<4).map { String(low >> UInt64(24 - 8 * $0) & 0xff) }.joined(separator: ".") }
    // All other addresses that begin with zeros are this machine's own or of no network.
    if high == 0 { return low == 1 ? "::1" : "::/64" }
    return (0..<4).map { String(high >> UInt64(48 - 16 * $0) & 0xffff, radix: 16) }.joined(separator: ":") + "::/64"
  }
}

/// A range of IP addresses with a common beginning, such as `10.0.0.0/8` or `2001:db8::/32`, or a single address.
public struct NetworkRange: Hashable, Sendable, CustomStringConvertible {
  /// The range as it was written.
  public let description: String
  private let first: NetworkAddress
  /// The number of common bits, of 128.
  private let length: Int

  /// Reads an address or a prefix in CIDR notation. `nil` for anything else, and for a length of 0, which is every address.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = NetworkAddress(parts[0]), !parts[0].contains(where: { "[]\"% ".contains($0) }) else {
      return nil
    }
    let width = address.isIPv4 ? 32 : 128
    var bits = width
    if parts.count == 2 {
      guard let given = Int(parts[1]), (1...width).contains(given) else { return nil }
      bits = given
    } else if address.isIPv4, parts[0].contains(":") {
      // A port, or the other form of an IPv4 address: neither is a range.
      return nil
    }
    description = String(text)
    first = address
    length = bits + 128 - width
  }

  /// Reads ranges between commas or spaces.
  /// - Throws: the first part that is not a range.
  package static func list(_ text: String) throws(Unreadable) -> [NetworkRange] {
    var ranges: [NetworkRange] = []
    for part in text.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
      guard let range = NetworkRange(part) else { throw Unreadable(text: String(part.prefix(64))) }
      ranges.append(range)
    }
    return ranges
  }

  /// A part of a list that is not a range of addresses.
  package struct Unreadable: Error, Hashable, Sendable {
    /// The part, cut at 64 characters.
    package var text: String
  }

  /// This machine: `127.0.0.0/8` and `::1`.
  public static let loopback: [NetworkRange] = ["127.0.0.0/8", "::1"].compactMap { NetworkRange($0) }

  /// Whether all addresses of the range are this machine's own.
  public var isLoopback: Bool {
    Self.loopback.contains { $0.length <= length && $0.contains(first) }
  }

  func contains(_ address: NetworkAddress) -> Bool {
    let (highBits, lowBits) = (min(length, 64), max(0, length - 64))
    let highMask = ~(UInt64.max >> UInt64(highBits))
    let lowMask = ~(UInt64.max >> UInt64(lowBits))
    return (address.high ^ first.high) & highMask == 0 && (address.low ^ first.low) & lowMask == 0
  }
}
