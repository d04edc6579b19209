import CordonCore
import CordonSupport

// The format, version 1. "unsigned" is a number in groups of seven bits, least significant first. "signed" maps 0, -1,
// 1, -2 to 0, 1, 2, 3. "double" is an IEEE 754 number, little-endian. "text" is its length in bytes, then the UTF-8
// bytes. "identifier" is the number of leading bytes shared with the previous identifier, then a text with the rest. A
// "point" is two signed differences to the previous point (from 0, 0 at the start of the boundary and of the walls).
//
//   header   4 bytes "CPVB"; 16-bit version, little-endian like all of the header; 16 bits zero;
//            32-bit length of the body; 32 bytes SHA-256 of the body
//   body     text venue; 32 bytes content hash
//            double longitude, latitude, radius, exit radius of the geofence
//            double longitude, latitude of the frame's origin; double tolerance
//            area boundary
//            unsigned number of kinds, texts (sorted)
//            unsigned number of floors: identifier, signed ordinal in thousandths
//            unsigned number of spaces: identifier, unsigned floor (index), byte recording (0 full, 1 floor only,
//              2 unrecorded), unsigned kind (index), area outline
//            unsigned number of floors with walls: unsigned floor (index), unsigned number of walls: two points in 0.1 mm
//   area     unsigned number of polygons: unsigned number of holes, the outer ring, the holes
//   ring     unsigned number of vertices: points in 1e-8 degrees, longitude first

extension PackedVenue {
  static let magic = Array("CPVB".utf8)
  /// The first bytes of every file of a packed venue.
  public static var signature: [UInt8] { magic }
  static let version: UInt16 = 1
  static let headerSize = 44

  /// Encodes the venue; equal venues give equal bytes.
  ///
  /// - Throws: ``PackedVenueError`` if
  ///   - a coordinate is not valid, or a wall lies more than 10 000 km from the frame's origin,
  ///   - a number of the geofence or the tolerance is negative or not finite,
  ///   - the content hash is not 64 hexadecimal digits,
  ///   - a space or wall refers to a floor that is not in ``floors``,
  ///   - the encoded venue exceeds 4 GiB.
  public func encode() throws(PackedVenueError) -> [UInt8] {
    let body = try encodedBody()
    guard let length = UInt32(exactly: body.count) else { throw PackedVenueError(.invalidValue, in: "size") }
    var digest = SHA256()
    digest.update(body)
    var file = PackedWriter()
    file.raw(PackedVenue.magic)
    file.raw(littleEndian: PackedVenue.version)
    file.raw(littleEndian: UInt16(0))
    file.raw(littleEndian: length)
    file.raw(digest.finalize())
    file.raw(body)
    return file.bytes
  }

  private func encodedBody() throws(PackedVenueError) -> [UInt8] {
    var body = PackedWriter()
    body.text(venue.rawValue)
    guard let hash = PackedVenue.bytes(ofHash: contentHash) else {
      throw PackedVenueError(.invalidValue, in: "content hash")
    }
    body.raw(hash)
    let numbers = [
      geofence.center.longitude, geofence.center.latitude, geofence.radius, geofence.exitRadius,
      frameOrigin.longitude, frameOrigin.latitude, tolerance,
    ]
    guard numbers.allSatisfy(\.isFinite), geofence.center.isValid, frameOrigin.isValid,
      min(geofence.radius, geofence.exitRadius, tolerance) >= 0
    else { throw PackedVenueError(.invalidValue, in: "geofence") }
    for number in numbers { body.double(number) }
    try body.area(boundary, in: "boundary")

    let kinds = Set(spaces.map(\.kind)).sorted()
    body.count(kinds.count)
    for kind in kinds { body.text(kind.rawValue) }
    let kindIndex = Dictionary(uniqueKeysWithValues: zip(kinds, 0...))

    body.count(floors.count)
    for floor in floors {
      body.identifier(floor.id.rawValue)
      body.signed(Int64(floor.ordinal.thousandths))
    }
    let floorIndex = Dictionary(zip(floors.map(\.id), 0...)) { first, _ in first }

    body.count(spaces.count)
    for space in spaces {
      guard let floor = floorIndex[space.floor], let kind = kindIndex[space.kind] else {
        throw PackedVenueError(.danglingReference, in: "space \(space.id)")
      }
      body.identifier(space.id.rawValue)
      body.count(floor)
      body.byte(PackedVenue.code(of: space.recording))
      body.count(kind)
      try body.area(space.outline, in: "space \(space.id)")
    }

    body.startPoints()
    body.count(walls.count)
    for floorWalls in walls {
      guard let floor = floorIndex[floorWalls.floor] else {
        throw PackedVenueError(.danglingReference, in: "walls of \(floorWalls.floor)")
      }
      body.count(floor)
      body.count(floorWalls.segments.count)
      for wall in floorWalls.segments {
        try body.planePoint(wall.a, in: "walls of \(floorWalls.floor)")
        try body.planePoint(wall.b, in: "walls of \(floorWalls.floor)")
      }
    }
    return body.bytes
  }

  private static func code(of recording: GateVerdict.Recording) -> UInt8 {
    switch recording {
    case .full: 0
    case .floorOnly: 1
    case .unrecorded: 2
    }
  }

  private static func bytes(ofHash hash: String) -> [UInt8]? {
    let digits = Array(hash.utf8)
    guard digits.count == 64 else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: 64, by: 2) {
      guard let high = value(ofDigit: digits[index]), let low = value(ofDigit: digits[index + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func value(ofDigit digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x61...0x66: digit - 0x61 + 10
    case 0x41...0x46: digit - 0x41 + 10
    default: nil
    }
  }
}
