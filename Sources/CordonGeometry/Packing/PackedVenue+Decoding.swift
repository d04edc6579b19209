import CordonCore
import CordonSupport

extension PackedVenue {
  /// Reads a file made by ``encode()``.
  ///
  /// The bytes may be arbitrary. The memory used is proportional to their number.
  ///
  /// Complexity: O(*n*), where *n* is the number of bytes.
  ///
  /// - Throws: ``PackedVenueError`` with the byte offset if the bytes are not a valid packed venue.
  public init(decoding bytes: [UInt8]) throws(PackedVenueError) {
    var reader = PackedReader(bytes)
    guard bytes.starts(with: PackedVenue.magic) else {
      let isBeginning = bytes.count < PackedVenue.magic.count && PackedVenue.magic.starts(with: bytes)
      throw reader.failure(isBeginning ? .truncated : .notAPackedVenue, at: isBeginning ? bytes.count : 0)
    }
    _ = try reader.raw(PackedVenue.magic.count)
    guard try reader.littleEndian(UInt16.self) == PackedVenue.version else {
      throw reader.failure(.unsupportedVersion, at: PackedVenue.magic.count)
    }
    guard try reader.littleEndian(UInt16.self) == 0 else {
      throw reader.failure(.invalidValue, at: PackedVenue.magic.count + 2)
    }
    let length = Int(try reader.littleEndian(UInt32.self))
    let hash = try reader.raw(32)
    guard bytes.count - reader.offset >= length else { throw reader.failure(.truncated, at: bytes.count) }
    guard bytes.count - reader.offset == length else {
      throw reader.failure(.trailingBytes, at: reader.offset + length)
    }
    var digest = SHA256()
    bytes.withUnsafeBytes { digest.update(UnsafeRawBufferPointer(rebasing: $0[PackedVenue.headerSize...])) }
    guard digest.finalize() == hash else { throw reader.failure(.corrupted, at: 12) }
    try self.init(body: &reader)
  }

  private init(body reader: inout PackedReader) throws(PackedVenueError) {
    reader.subject = "venue"
    let start = reader.offset
    guard let venue = VenueID(try reader.text()) else { throw reader.failure(.invalidValue, at: start) }
    let digits = Array("0123456789abcdef".utf8)
    let hash = try reader.raw(32).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }

    reader.subject = "geofence"
    let numbersStart = reader.offset
    let center = Coordinate(longitude: try reader.double(), latitude: try reader.double())
    let (radius, exitRadius) = (try reader.double(), try reader.double())
    let origin = Coordinate(longitude: try reader.double(), latitude: try reader.double())
    let tolerance = try reader.double()
    guard center.isValid, origin.isValid, min(radius, exitRadius, tolerance) >= 0 else {
      throw reader.failure(.invalidValue, at: numbersStart)
    }

    reader.subject = "boundary"
    let boundary = try reader.area()

    reader.subject = "kinds"
    var kinds: [Space.Kind] = []
    for _ in 0..<(try reader.count(eachAtLeast: 1)) { kinds.append(Space.Kind(rawValue: try reader.text())) }

    let floors = try PackedVenue.floors(&reader)
    let spaces = try PackedVenue.spaces(&reader, floors: floors, kinds: kinds)
    let walls = try PackedVenue.walls(&reader, floors: floors)
    guard reader.isAtEnd else { throw reader.failure(.trailingBytes) }
    self.init(
      venue: venue, contentHash: String(decoding: hash, as: UTF8.self),
      geofence: Geofence(center: center, radius: radius, exitRadius: exitRadius), boundary: boundary,
      tolerance: tolerance, frameOrigin: origin, floors: floors, spaces: spaces, walls: walls)
  }

  private static func floors(_ reader: inout PackedReader) throws(PackedVenueError) -> [Floor] {
    reader.subject = "floors"
    var floors: [Floor] = []
    for _ in 0..<(try reader.count(eachAtLeast: 3)) {
      let id = FloorID(try reader.identifier())
      let start = reader.offset
      guard let thousandths = Int32(exactly: try reader.signed()) else {
        throw reader.failure(.invalidValue, at: start)
      }
      floors.append(Floor(id: id, ordinal: FloorOrdinal(thousandths: thousandths)))
    }
    return floors
  }

  private static func spaces(
    _ reader: inout PackedReader, floors: [Floor], kinds: [Space.Kind]
  ) throws(PackedVenueError) -> [Space] {
    reader.subject = "spaces"
    var spaces: [Space] = []
    for _ in 0..<(try reader.count(eachAtLeast: 6)) {
      let id = SpaceID(try reader.identifier())
      let floor = try element(of: floors, &reader)
      let start = reader.offset
      let recording: GateVerdict.Recording
      switch try reader.byte() {
      case 0: recording = .full
      case 1: recording = .floorOnly
      case 2: recording = .unrecorded
      default: throw reader.failure(.invalidValue, at: start)
      }
      let kind = try element(of: kinds, &reader)
      spaces.append(Space(id: id, floor: floor.id, recording: recording, kind: kind, outline: try reader.area()))
    }
    return spaces
  }

  private static func walls(_ reader: inout PackedReader, floors: [Floor]) throws(PackedVenueError) -> [Walls] {
    reader.subject = "walls"
    reader.startPoints()
    var walls: [Walls] = []
    for _ in 0..<(try reader.count(eachAtLeast: 2)) {
      let floor = try element(of: floors, &reader)
      var segments: [WallSegment] = []
      for _ in 0..<(try reader.count(eachAtLeast: 4)) {
        segments.append(WallSegment(try reader.planePoint(), try reader.planePoint()))
      }
      walls.append(Walls(floor: floor.id, segments: segments))
    }
    return walls
  }

  private static func element<Element>(
    of list: [Element], _ reader: inout PackedReader
  ) throws(PackedVenueError) -> Element {
    let start = reader.offset
    let index = try reader.unsigned()
    guard index < UInt64(list.count) else { throw reader.failure(.danglingReference, at: start) }
    return list[Int(index)]
  }
}
