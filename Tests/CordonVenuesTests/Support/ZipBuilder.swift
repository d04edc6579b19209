import CZlib

/// Writes zip files for tests: correct ones, and ones that are wrong in a chosen way.
struct ZipBuilder {
  struct Entry {
    var name: String
    var bytes: [UInt8]
    var isDeflated = false
    var flags: UInt16 = 0
    var mode: UInt32 = 0
    var method: UInt16?
    var crc: UInt32?
    var declaredSize: Int?
    /// Sizes and offset in a zip64 extra field.
    var isWide = false
    /// Sizes after the data, zeros in the local header.
    var hasDescriptor = false
  }

  var entries: [Entry] = []
  var comment: [UInt8] = []
  var hasWideEnd = false

  mutating func add(_ name: String, _ text: String, deflated: Bool = false) {
    entries.append(Entry(name: name, bytes: Array(text.utf8), isDeflated: deflated))
  }

  /// A zip of texts by name, in name order.
  static func zip(_ files: [String: String], deflated: Bool = false) -> [UInt8] {
    var builder = ZipBuilder()
    for (name, text) in files.sorted(by: { $0.key < $1.key }) { builder.add(name, text, deflated: deflated) }
    return builder.bytes()
  }

  func bytes() -> [UInt8] {
    var out: [UInt8] = []
    var directory: [UInt8] = []
    for entry in entries {
      let packed = entry.isDeflated ? ZipBuilder.deflate(entry.bytes) : entry.bytes
      let crc = entry.crc ?? ZipBuilder.crc(entry.bytes)
      let size = entry.declaredSize ?? entry.bytes.count
      let method = entry.method ?? (entry.isDeflated ? 8 : 0)
      let flags = entry.flags | (entry.hasDescriptor ? 8 : 0)
      let offset = out.count
      let name = Array(entry.name.utf8)
      out += le32(0x0403_4B50) + le16(20) + le16(flags) + le16(method) + le32(0)
      out += entry.hasDescriptor ? le32(0) + le32(0) + le32(0) : le32(crc) + le32(packed.count) + le32(size)
      out += le16(UInt16(name.count)) + le16(0) + name + packed
      if entry.hasDescriptor { out += le32(0x0807_4B50) + le32(crc) + le32(packed.count) + le32(size) }
      let extra = entry.isWide ? le16(1) + le16(24) + le64(size) + le64(packed.count) + le64(offset) : []
      directory += le32(0x0201_4B50) + le16(3 << 8 | 20) + le16(20) + le16(flags) + le16(method) + le32(0)
      directory += le32(crc) + (entry.isWide ? le32(0xFFFF_FFFF) + le32(0xFFFF_FFFF) : le32(packed.count) + le32(size))
      directory += le16(UInt16(name.count)) + le16(UInt16(extra.count)) + le16(0) + le16(0) + le16(0)
      directory += le32(UInt32(entry.mode) << 16) + le32(entry.isWide ? 0xFFFF_FFFF : UInt32(offset)) + name + extra
    }
    let start = out.count
    out += directory
    if hasWideEnd {
      let record = out.count
      out += le32(0x0606_4B50) + le64(44) + le16(45) + le16(45) + le32(0) + le32(0)
      out += le64(entries.count) + le64(entries.count) + le64(directory.count) + le64(start)
      out += le32(0x0706_4B50) + le32(0) + le64(record) + le32(1)
    }
    let count = hasWideEnd ? 0xFFFF : UInt16(min(entries.count, 0xFFFF))
    out += le32(0x0605_4B50) + le16(0) + le16(0) + le16(count) + le16(count)
    out +=
      le32(directory.count) + le32(hasWideEnd ? 0xFFFF_FFFF : UInt32(start)) + le16(UInt16(comment.count)) + comment
    return out
  }

  static func crc(_ bytes: [UInt8]) -> UInt32 {
    UInt32(truncatingIfNeeded: bytes.withUnsafeBufferPointer { crc32_z(0, $0.baseAddress, $0.count) })
  }

  static func deflate(_ bytes: [UInt8]) -> [UInt8] {
    var stream = z_stream()
    _ = deflateInit2_(
      &stream, 9, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    defer { deflateEnd(&stream) }
    var input = bytes
    var output = [UInt8](repeating: 0, count: bytes.count + bytes.count / 100 + 64)
    let count = input.withUnsafeMutableBufferPointer { source in
      output.withUnsafeMutableBufferPointer { target -> Int in
        stream.next_in = source.baseAddress
        stream.avail_in = UInt32(source.count)
        stream.next_out = target.baseAddress
        stream.avail_out = UInt32(target.count)
        _ = CZlib.deflate(&stream, Z_FINISH)
        return Int(stream.total_out)
      }
    }
    return Array(output[..<count])
  }

  private func le16(_ value: UInt16) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }
  private func le32(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * UInt32($0)) & 255) } }
  private func le32(_ value: Int) -> [UInt8] { le32(UInt32(truncatingIfNeeded: value)) }
  private func le64(_ value: Int) -> [UInt8] { (0..<8).map { UInt8(UInt64(value) >> (8 * UInt64($0)) & 255) } }
}
