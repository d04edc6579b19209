import CordonCore

/// An encoder of the building blocks of the packed format.
struct PackedWriter {
  private(set) var bytes: [UInt8] = []
  private var previousIdentifier: [UInt8] = []
  private var previousPoint: (Int64, Int64) = (0, 0)

  /// Writes 7 bits in each byte, least significant first, with the top bit set on all but the last.
  mutating func unsigned(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  mutating func count(_ value: Int) { unsigned(UInt64(value)) }

  /// Writes 0, -1, 1, -2 ... as 0, 1, 2, 3 ...
  mutating func signed(_ value: Int64) {
    unsigned(UInt64(bitPattern: value << 1) ^ UInt64(bitPattern: value >> 63))
  }

  /// Writes the eight bytes of the IEEE 754 number, least significant first.
  mutating func double(_ value: Double) {
    raw(littleEndian: value.bitPattern)
  }

  mutating func raw(littleEndian value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func raw(_ more: [UInt8]) { bytes.append(contentsOf: more) }

  mutating func byte(_ value: UInt8) { bytes.append(value) }

  /// Writes the length and the UTF-8 bytes.
  mutating func text(_ value: String) {
    let utf8 = Array(value.utf8)
    count(utf8.count)
    bytes.append(contentsOf: utf8)
  }

  /// Writes the number of leading bytes shared with the previous identifier, then the rest as a text. The identifiers
  /// of one source resemble each other.
  mutating func identifier(_ value: String) {
    let utf8 = Array(value.utf8)
    var shared = 0
    while shared < min(utf8.count, previousIdentifier.count), utf8[shared] == previousIdentifier[shared] { shared += 1 }
    count(shared)
    count(utf8.count - shared)
    bytes.append(contentsOf: utf8[shared...])
    previousIdentifier = utf8
  }

  /// Writes the difference to the previous point.
  mutating func point(_ x: Int64, _ y: Int64) {
    signed(x &- previousPoint.0)
    signed(y &- previousPoint.1)
    previousPoint = (x, y)
  }

  mutating func startPoints() { previousPoint = (0, 0) }

  /// Writes degrees in units of 1e-8.
  mutating func coordinate(_ coordinate: Coordinate, in subject: String) throws(PackedVenueError) {
    guard coordinate.isValid else { throw PackedVenueError(.invalidValue, in: subject) }
    point(
      Int64((coordinate.longitude * PackedVenue.unitsPerDegree).rounded()),
      Int64((coordinate.latitude * PackedVenue.unitsPerDegree).rounded()))
  }

  mutating func area(_ area: GeoMultiPolygon, in subject: String) throws(PackedVenueError) {
    count(area.polygons.count)
    for polygon in area.polygons {
      count(polygon.holes.count)
      for ring in polygon.rings {
        count(ring.count)
        for vertex in ring { try coordinate(vertex, in: subject) }
      }
    }
  }

  /// Writes metres in units of 0.1 mm.
  mutating func planePoint(_ p: PlanePoint, in subject: String) throws(PackedVenueError) {
    guard abs(p.x) <= PackedVenue.farthestMetre, abs(p.y) <= PackedVenue.farthestMetre else {
      throw PackedVenueError(.invalidValue, in: subject)
    }
    point(
      Int64((p.x * PackedVenue.unitsPerMetre).rounded()), Int64((p.y * PackedVenue.unitsPerMetre).rounded()))
  }
}

extension PackedVenue {
  static let unitsPerDegree = 1e8
  static let unitsPerMetre = 1e4
  /// The maximum distance in metres of a wall from the frame's origin, along each axis.
  static let farthestMetre = 1e7
}
