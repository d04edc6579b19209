package import CordonContacts
internal import Foundation

/// The binary workload files of the contact benchmarks: records of 32 bytes, little-endian: device and floor
/// as 32-bit integers, milliseconds as a 64-bit integer, x and y as doubles, in metres.
package enum WorkloadFile {
  /// Why a file could not be read.
  package enum Failure: Error, Hashable, Sendable {
    /// The file cannot be opened or read; the system's words.
    case unreadable(path: String, reason: String)
    /// The length is not a multiple of the record's.
    case truncated(path: String, bytes: Int)
  }

  /// Reads all records of a file. Whole floor numbers become thousandths.
  package static func read(path: String) throws(Failure) -> [TrackPoint] {
    guard let file = fopen(path, "rb") else {
      throw .unreadable(path: path, reason: String(cString: strerror(errno)))
    }
    defer { fclose(file) }
    guard fseek(file, 0, SEEK_END) == 0 else {
      throw .unreadable(path: path, reason: String(cString: strerror(errno)))
    }
    let bytes = ftell(file)
    rewind(file)
    let size = 32
    guard bytes >= 0, bytes % size == 0 else { throw .truncated(path: path, bytes: bytes) }
    let count = bytes / size
    var read = 0
    let points = [TrackPoint](unsafeUninitializedCapacity: count) { buffer, initialized in
      LargePages.ask(for: UnsafeMutableRawBufferPointer(buffer))
      read = fread(buffer.baseAddress, size, count, file)
      for k in 0..<read { buffer[k] = decoded(buffer[k]) }
      initialized = read
    }
    guard read == count else { throw .unreadable(path: path, reason: "the file ends early") }
    return points
  }

  /// Calls `body` with each record of a file, without holding them all.
  /// - Throws: ``Failure``, and what `body` throws.
  package static func forEach(path: String, _ body: (TrackPoint) throws -> Void) throws {
    guard let file = fopen(path, "rb") else {
      throw Failure.unreadable(path: path, reason: String(cString: strerror(errno)))
    }
    defer { fclose(file) }
    let capacity = 1 << 14
    let size = MemoryLayout<TrackPoint>.stride
    let buffer = UnsafeMutablePointer<TrackPoint>.allocate(capacity: capacity)
    defer { buffer.deallocate() }
    var bytes = 0
    while true {
      let read = fread(buffer, 1, capacity * size, file)
      bytes += read
      guard read % size == 0 else { throw Failure.truncated(path: path, bytes: bytes) }
      if read == 0 { return }
      for k in 0..<(read / size) { try body(decoded(buffer[k])) }
    }
  }

  /// A record as it is in memory: whole floor numbers as thousandths.
  @inline(__always)
  static func decoded(_ record: TrackPoint) -> TrackPoint {
    TrackPoint(
      device: Int32(littleEndian: record.device),
      floor: Int32(clamping: Int64(Int32(littleEndian: record.floor)) * 1_000),
      time: Int64(littleEndian: record.time),
      x: Double(bitPattern: UInt64(littleEndian: record.x.bitPattern)),
      y: Double(bitPattern: UInt64(littleEndian: record.y.bitPattern)))
  }
}
