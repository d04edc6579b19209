package import CordonContacts
package import CordonCore

/// The compact format of all people's paths through a run: `trajectories.ctrj` of a run folder.
///
/// The file contains the ends of straight pieces, rounded to the millisecond and the centimetre, as differences of
/// variable length. A piece takes about 6 bytes, and at most 8 bytes on average over a walk.
/// docs/reference/run-folder.md describes every byte.
package enum TrajectoryFile {
  /// The name of the file in a run folder.
  package static let name = "trajectories.ctrj"
  private static let magic: [UInt8] = [0x43, 0x54, 0x52, 0x4A, 1]

  /// One end of a piece.
  package struct Sample: Hashable, Sendable {
    /// The time in milliseconds since 1970, UTC.
    package var time: Int64
    /// The distance east of the frame's origin in centimetres.
    package var x: Int64
    /// The distance north of the frame's origin in centimetres.
    package var y: Int64
    /// `FloorOrdinal.thousandths`.
    package var floor: Int32
    /// Whether the path between the previous sample and this one is unknown.
    package var isJump: Bool

    /// Creates a sample from its parts.
    package init(time: Int64, x: Int64, y: Int64, floor: Int32, isJump: Bool) {
      self.time = time
      self.x = x
      self.y = y
      self.floor = floor
      self.isJump = isJump
    }
  }

  /// The contents of a file.
  package struct Contents: Hashable, Sendable {
    /// The coordinate of the plane point (0, 0).
    package var origin: Coordinate
    /// The samples by person. A person without samples is not in the file.
    package var people: [(person: Int32, samples: [Sample])] {
      get { tracks.map { ($0.person, $0.samples) } }
      set { tracks = newValue.map { Track(person: $0.person, samples: $0.samples) } }
    }
    private var tracks: [Track]

    private struct Track: Hashable, Sendable {
      var person: Int32
      var samples: [Sample]
    }

    init(origin: Coordinate, people: [(person: Int32, samples: [Sample])]) {
      self.origin = origin
      tracks = people.map { Track(person: $0.person, samples: $0.samples) }
    }
  }

  /// Encodes segments; returns the bytes of a file and the number of samples in it.
  ///
  /// - Parameters:
  ///   - segments: the segments, sorted by person and time.
  ///   - origin: the coordinate of the plane point (0, 0).
  ///   - start: the start of the run.
  package static func encode(_ segments: [Segment], origin: Coordinate, start: Instant) -> (
    bytes: [UInt8], samples: Int
  ) {
    var bytes = magic
    bytes.reserveCapacity(segments.count * 7 + 64)
    append(origin.longitude.bitPattern, to: &bytes)
    append(origin.latitude.bitPattern, to: &bytes)
    append(UInt64(bitPattern: start.milliseconds), to: &bytes)
    var samples = 0
    var index = 0
    while index < segments.count {
      let person = segments[index].device
      var end = index
      while end < segments.count, segments[end].device == person { end += 1 }
      let list = self.samples(segments[index..<end])
      append(varint: UInt64(UInt32(bitPattern: person)), to: &bytes)
      append(varint: UInt64(list.count), to: &bytes)
      var before = Sample(time: start.milliseconds, x: 0, y: 0, floor: 0, isJump: true)
      for sample in list {
        let floorChanged = sample.floor != before.floor
        let flags: UInt64 = (floorChanged ? 1 : 0) | (sample.isJump ? 2 : 0)
        append(varint: zigzag(sample.time &- before.time) << 2 | flags, to: &bytes)
        append(varint: zigzag(sample.x &- before.x), to: &bytes)
        append(varint: zigzag(sample.y &- before.y), to: &bytes)
        if floorChanged { append(varint: zigzag(Int64(sample.floor) - Int64(before.floor)), to: &bytes) }
        before = sample
      }
      samples += list.count
      index = end
    }
    return (bytes, samples)
  }

  /// Returns the ends of one person's pieces; one sample where two pieces meet.
  package static func samples(_ segments: ArraySlice<Segment>) -> [Sample] {
    func centimetres(_ metres: Double) -> Int64 { Int64((min(max(metres, -1e9), 1e9) * 100).rounded()) }
    var samples: [Sample] = []
    samples.reserveCapacity(segments.count + 1)
    for segment in segments {
      let first = Sample(
        time: segment.start, x: centimetres(segment.x0), y: centimetres(segment.y0), floor: segment.floor, isJump: true)
      if let last = samples.last, last.time == first.time, last.x == first.x, last.y == first.y,
        last.floor == first.floor
      {
      } else {
        samples.append(first)
      }
      samples.append(
        Sample(
          time: segment.end, x: centimetres(segment.x1), y: centimetres(segment.y1), floor: segment.floor,
          isJump: false))
    }
    return samples
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - bytes: the bytes of the file.
  ///   - path: the path for error messages.
  /// - Throws: ``RunFolderError`` with the code `damaged` and the byte if the file ends too early or contains invalid
  ///   data.
  package static func decode(_ bytes: [UInt8], path: String = name) throws(RunFolderError) -> Contents {
    var reader = Reader(bytes: bytes, path: path)
    for byte in magic where try reader.byte() != byte {
      throw RunFolderError(
        .damaged, path: path, place: "byte 0", message: "is not a file of trajectories, or has a newer format")
    }
    let longitude = Double(bitPattern: try reader.word())
    let latitude = Double(bitPattern: try reader.word())
    let start = Int64(bitPattern: try reader.word())
    var people: [(person: Int32, samples: [Sample])] = []
    while reader.position < bytes.count {
      let person = Int32(truncatingIfNeeded: try reader.varint())
      let count = try reader.varint()
      // A sample takes at least three bytes.
      guard count <= UInt64(bytes.count - reader.position) else { throw reader.damaged() }
      var samples: [Sample] = []
      samples.reserveCapacity(Int(count))
      var before = Sample(time: start, x: 0, y: 0, floor: 0, isJump: true)
      for _ in 0..<count {
        let head = try reader.varint()
        before.time = before.time &+ unzigzag(head >> 2)
        before.x = before.x &+ unzigzag(try reader.varint())
        before.y = before.y &+ unzigzag(try reader.varint())
        if head & 1 != 0 {
          before.floor = Int32(truncatingIfNeeded: Int64(before.floor) &+ unzigzag(try reader.varint()))
        }
        before.isJump = head & 2 != 0
        samples.append(before)
      }
      people.append((person, samples))
    }
    return Contents(origin: Coordinate(longitude: longitude, latitude: latitude), people: people)
  }

  private static func zigzag(_ value: Int64) -> UInt64 { UInt64(bitPattern: value << 1 ^ value >> 63) }

  private static func unzigzag(_ value: UInt64) -> Int64 {
    Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  private static func append(varint value: UInt64, to bytes: inout [UInt8]) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  private static func append(_ word: UInt64, to bytes: inout [UInt8]) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
  }

  private struct Reader {
    let bytes: [UInt8]
    let path: String
    var position = 0

    func damaged() -> RunFolderError {
      RunFolderError(
        .damaged, path: path, place: "byte \(position)", message: "ends too early, or holds a value that cannot be")
    }

    mutating func byte() throws(RunFolderError) -> UInt8 {
      guard position < bytes.count else { throw damaged() }
      position += 1
      return bytes[position - 1]
    }

    mutating func word() throws(RunFolderError) -> UInt64 {
      var word: UInt64 = 0
      for shift in stride(from: UInt64(0), to: 64, by: 8) { word |= UInt64(try byte()) << shift }
      return word
    }

    mutating func varint() throws(RunFolderError) -> UInt64 {
      var value: UInt64 = 0
      for shift in stride(from: UInt64(0), to: 64, by: 7) {
        let byte = try byte()
        value |= UInt64(byte & 0x7F) << shift
        if byte < 0x80 { return value }
      }
      throw damaged()
    }
  }
}
