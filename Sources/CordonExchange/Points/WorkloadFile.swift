public import CordonContacts
internal import Foundation

/// The binary workload files of the contact benchmarks: records of 32 bytes, little-endian: device and floor
/// as 32-bit integers, milliseconds as a 64-bit integer, x and y as doubles, in metres.
public enum WorkloadFile {
  /// Why a file could not be read.
  public enum Failure: Error, Hashable, Sendable {
    /// The file cannot be opened or read; the system's words.
    case unreadable(path: String, reason: String)
    /// The length is not a multiple of the record's.
    case truncated(path: String, bytes: Int)
  }

  /// Reads all records of a file. Whole floor numbers become thousandths.
  public static func read(path: String) throws(Failure) -> [TrackPoint] {
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
      read = fread(buffer.baseAddress, size, count, file)
      for k in 0..<read {
        let point = buffer[k]
        buffer[k] = TrackPoint(
          device: Int32(littleEndian: point.device),
          floor: Int32(clamping: Int64(Int32(littleEndian: point.floor)) * 1_000),
          time: Int64(littleEndian: point.time), x: point.x, y: point.y)
      }
      initialized = read
    }
    guard read == count else { throw .unreadable(path: path, reason: "the file ends early") }
    return points
  }
}
