import CordonCore

/// A decoder of the building blocks of the packed format; it checks every bound.
struct PackedReader {
  private let bytes: [UInt8]
  private(set) var offset: Int
  private let end: Int
  private var previousIdentifier: [UInt8] = []
  private var previousPoint: (Int64, Int64) = (0, 0)
  /// The part that is being read, for errors.
  var subject = "header"

  init(_ bytes: [UInt8], from offset: Int = 0) {
    self.bytes = bytes
    self.offset = offset
    end = bytes.count
  }

  var isAtEnd: Bool { offset == end }

  func failure(_ reason: PackedVenueError.Reason, at offset: Int? = nil) -> PackedVenueError {
    PackedVenueError(reason, at: offset ?? self.offset, in: subject)
  }

  mutating func byte() throws(PackedVenueError) -> UInt8 {
    guard offset < end else { throw failure(.truncated) }
    offset += 1
    return bytes[offset - 1]
  }

  mutating func unsigned() throws(PackedVenueError) -> UInt64 {
    let start = offset
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let next = try byte()
      // The tenth byte can hold only one bit, and the last byte of a longer number is not zero.
      guard shift < 63 || next <= 1, next != 0 || shift == 0 else { throw failure(.invalidValue, at: start) }
      value |= UInt64(next & 0x7f) << shift
      if next & 0x80 == 0 { return value }
      shift += 7
    }
  }

  mutating func signed() throws(PackedVenueError) -> Int64 {
    let value = try unsigned()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  /// Reads a number of elements of at least `size` bytes each. The remaining bytes bound it, so that a wrong number
  /// cannot request much memory.
  mutating func count(eachAtLeast size: Int) throws(PackedVenueError) -> Int {
    let start = offset
    let value = try unsigned()
    guard value <= UInt64((end - offset) / size) else { throw failure(.truncated, at: start) }
    return Int(value)
  }

  mutating func double() throws(PackedVenueError) -> Double {
    let start = offset
    let value = Double(bitPattern: try littleEndian(UInt64.self))
    guard value.isFinite else { throw failure(.invalidValue, at: start) }
    return value
  }

  mutating func littleEndian<Number: FixedWidthInteger>(_: Number.Type) throws(PackedVenueError) -> Number {
    var value: Number = 0
    for index in 0..<MemoryLayout<Number>.size {
      value |= Number(truncatingIfNeeded: UInt64(try byte())) << Number(8 * index)
    }
    return value
  }

  mutating func raw(_ size: Int) throws(PackedVenueError) -> [UInt8] {
    guard size <= end - offset else { throw failure(.truncated, at: end) }
    offset += size
    return Array(bytes[(offset - size)..<offset])
  }

  mutating func text() throws(PackedVenueError) -> String {
    let start = offset
    return try string(of: raw(try count(eachAtLeast: 1)), at: start)
  }

  mutating func identifier() throws(PackedVenueError) -> String {
    let start = offset
    let shared = try unsigned()
    guard shared <= UInt64(previousIdentifier.count) else { throw failure(.invalidValue, at: start) }
    previousIdentifier = Array(previousIdentifier[..<Int(shared)]) + (try raw(try count(eachAtLeast: 1)))
    // Identifiers are short; a chain of shared beginnings must not grow without bound.
    guard previousIdentifier.count <= 4_096 else { throw failure(.invalidValue, at: start) }
    return try string(of: previousIdentifier, at: start)
  }

  private func string(of utf8: [UInt8], at start: Int) throws(PackedVenueError) -> String {
    let text = String(decoding: utf8, as: UTF8.self)
    guard text.utf8.elementsEqual(utf8) else { throw failure(.invalidValue, at: start) }
    return text
  }

  mutating func startPoints() { previousPoint = (0, 0) }

  mutating func point(limitX: Int64, limitY: Int64) throws(PackedVenueError) -> (Int64, Int64) {
    let start = offset
    let x = previousPoint.0 &+ (try signed())
    let y = previousPoint.1 &+ (try signed())
    guard (-limitX...limitX).contains(x), (-limitY...limitY).contains(y) else {
      throw failure(.invalidValue, at: start)
    }
    previousPoint = (x, y)
    return (x, y)
  }

  mutating func ring() throws(PackedVenueError) -> [Coordinate] {
    let size = try count(eachAtLeast: 2)
    var ring: [Coordinate] = []
    ring.reserveCapacity(size)
    for _ in 0..<size {
      let (x, y) = try point(limitX: 180_0000_0000, limitY: 90_0000_0000)
      ring.append(
        Coordinate(
          longitude: Double(x) / PackedVenue.unitsPerDegree, latitude: Double(y) / PackedVenue.unitsPerDegree))
    }
    return ring
  }

  mutating func area() throws(PackedVenueError) -> GeoMultiPolygon {
    var polygons: [GeoPolygon] = []
    for _ in 0..<(try count(eachAtLeast: 2)) {
      let holeCount = try count(eachAtLeast: 1)
      let outer = try ring()
      var holes: [[Coordinate]] = []
      for _ in 0..<holeCount { holes.append(try ring()) }
      polygons.append(GeoPolygon(outer: outer, holes: holes))
    }
    return GeoMultiPolygon(polygons)
  }

  mutating func planePoint() throws(PackedVenueError) -> PlanePoint {
    let limit = Int64(PackedVenue.farthestMetre * PackedVenue.unitsPerMetre)
    let (x, y) = try point(limitX: limit, limitY: limit)
    return PlanePoint(x: Double(x) / PackedVenue.unitsPerMetre, y: Double(y) / PackedVenue.unitsPerMetre)
  }
}
