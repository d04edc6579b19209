/// The pseudonymous name of one device: any text of 1 to 128 characters without control characters.
///
/// A Cordon device makes its own UUID. Other clients send the name that they have, so the type only promises that it
/// is short and printable.
public struct DeviceID: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
  /// The text of the identifier.
  public let rawValue: String

  /// `nil` for empty text, text of more than 128 characters (UTF-8 length above 512), or control characters.
  public init?(_ rawValue: String) {
    guard Identifier.isPrintable(rawValue) else { return nil }
    self.rawValue = rawValue
  }

  /// Decodes a bare string.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let value = DeviceID(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a device identifier")
    }
    self = value
  }

  /// Encodes a bare string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }

  /// The order of the UTF-8 bytes, the same everywhere.
  public static func < (lhs: DeviceID, rhs: DeviceID) -> Bool {
    Identifier.precedes(lhs.rawValue, rhs.rawValue)
  }

  /// The text of the identifier.
  public var description: String { rawValue }
}

/// The name of a venue: 1 to 128 of `A-Z a-z 0-9 . _ -`.
public struct VenueID: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
  /// The text of the identifier.
  public let rawValue: String

  /// `nil` unless the text is 1 to 128 of `A-Z a-z 0-9 . _ -`.
  public init?(_ rawValue: String) {
    let bytes = rawValue.utf8
    guard (1...128).contains(bytes.count), bytes.allSatisfy(Identifier.isSlugByte) else { return nil }
    self.rawValue = rawValue
  }

  /// Makes an identifier from a name: lower case, with a hyphen for each run of other characters. `nil` when no valid
  /// character remains.
  public init?(slugging name: String) {
    var slug = ""
    for character in name.lowercased().utf8 {
      if Identifier.isSlugByte(character) {
        slug.unicodeScalars.append(Unicode.Scalar(character))
      } else if let last = slug.last, last != "-" {
        slug.append("-")
      }
      if slug.utf8.count == 128 { break }
    }
    while slug.last == "-" { slug.removeLast() }
    self.init(slug)
  }

  /// Decodes a bare string.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let value = VenueID(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a venue identifier")
    }
    self = value
  }

  /// Encodes a bare string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }

  /// The order of the UTF-8 bytes, the same everywhere.
  public static func < (lhs: VenueID, rhs: VenueID) -> Bool {
    Identifier.precedes(lhs.rawValue, rhs.rawValue)
  }

  /// The text of the identifier.
  public var description: String { rawValue }
}

/// The identifier that a venue's own map gives to a floor; unique in one venue.
public struct FloorID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The text of the identifier, as in the source.
  public let rawValue: String

  /// Makes an identifier of the source's text, without validation.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// The order of the UTF-8 bytes, the same everywhere.
  public static func < (lhs: FloorID, rhs: FloorID) -> Bool {
    Identifier.precedes(lhs.rawValue, rhs.rawValue)
  }

  /// The text of the identifier.
  public var description: String { rawValue }
}

/// The identifier that a venue's own map gives to a space; unique in one venue.
public struct SpaceID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The text of the identifier, as in the source.
  public let rawValue: String

  /// Makes an identifier of the source's text, without validation.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// The order of the UTF-8 bytes, the same everywhere.
  public static func < (lhs: SpaceID, rhs: SpaceID) -> Bool {
    Identifier.precedes(lhs.rawValue, rhs.rawValue)
  }

  /// The text of the identifier.
  public var description: String { rawValue }
}

enum Identifier {
  static func isSlugByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2E, 0x5F, 0x2D: true
    default: false
    }
  }

  static func isPrintable(_ text: String) -> Bool {
    guard !text.isEmpty, text.utf8.count <= 512 else { return false }
    // Nearly every name is ASCII, where a byte is a character.
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) { return text.utf8.count <= 128 }
    guard text.count <= 128 else { return false }
    return text.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator, .format, .surrogate: false
      default: true
      }
    }
  }

  /// Byte order, so that sorted output does not depend on a Unicode version.
  static func precedes(_ lhs: String, _ rhs: String) -> Bool {
    lhs.utf8.lexicographicallyPrecedes(rhs.utf8)
  }
}
