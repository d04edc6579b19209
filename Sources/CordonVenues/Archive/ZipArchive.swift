/// The central directory of a zip file: its entries and their positions (APPNOTE.TXT 6.3, sections 4.3 to 4.5).
///
/// It supports stored and deflated entries, zip64 sizes and offsets, and entries with data descriptors. Sizes always
/// come from the central directory. Encrypted entries, links, multi-volume archives and other compression methods are
/// rejected.
struct ZipArchive {
  struct Entry: Sendable {
    var name: String
    /// The position of the name in the directory.
    var nameBytes: Range<Int>
    var method: UInt16
    var flags: UInt16
    var crc32: UInt32
    var compressedSize: Int
    var size: Int
    var headerOffset: Int
    /// Unix mode from the external attributes; 0 if the archive was written on another system.
    var mode: UInt32

    var isEncrypted: Bool { flags & 1 != 0 || flags & 0x40 != 0 }
    var isLink: Bool { mode & 0xF000 == 0xA000 }
    var isFolder: Bool { name.hasSuffix("/") || mode & 0xF000 == 0x4000 }
  }

  let bytes: [UInt8]
  let file: String
  private(set) var entries: [Entry] = []

  /// Checks whether bytes begin like a zip file.
  static func isZip(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 4, bytes[0] == 0x50, bytes[1] == 0x4B else { return false }
    return (bytes[2] == 3 && bytes[3] == 4) || (bytes[2] == 5 && bytes[3] == 6)
  }

  /// Reads the directory.
  /// - Throws: `VenueError` with the code `malformed-zip`, `limit-exceeded` or `unsupported-zip`.
  init(_ bytes: [UInt8], file: String, limits: VenueLimits) throws(VenueError) {
    self.bytes = bytes
    self.file = file
    let directory = try locateDirectory()
    guard directory.count <= limits.entries else {
      throw VenueError(
        code: "limit-exceeded", file: file, byteOffset: directory.offset,
        message: "the archive has \(directory.count) entries; at most \(limits.entries) are read")
    }
    var offset = directory.offset
    for _ in 0..<directory.count {
      let (entry, next) = try readEntry(at: offset)
      entries.append(entry)
      offset = next
    }
    // A reader that uses the size of the directory would see other files than one that uses their number, so both must
    // agree.
    guard directory.size.map({ offset - directory.offset == $0 }) ?? true else {
      throw malformed("the zip directory is not as long as it says", at: offset)
    }
  }

  private func locateDirectory() throws(VenueError) -> (offset: Int, count: Int, size: Int?) {
    // The end record has 22 bytes and a comment of at most 65 535 bytes.
    var end = bytes.count - 22
    let lowest = max(0, end - 65_535)
    while end >= lowest {
      if u32(end) == 0x0605_4B50, end + 22 + Int(u16(end + 20) ?? 0) <= bytes.count { break }
      end -= 1
    }
    guard end >= lowest, let disk = u16(end + 4), let count = u16(end + 10), let size = u32(end + 12),
      let offset = u32(end + 16)
    else {
      throw malformed("the zip file has no end record; it may be cut short", at: bytes.count)
    }
    if count != 0xFFFF, offset != 0xFFFF_FFFF {
      guard disk == 0 else { throw unsupported("the zip file is one of several volumes", at: end) }
      return (Int(offset), Int(count), Int(size))
    }
    guard end >= 20, u32(end - 20) == 0x0706_4B50, let record = u64(end - 20 + 8).flatMap({ Int(exactly: $0) }),
      u32(record) == 0x0606_4B50, let count64 = u64(record + 32).flatMap({ Int(exactly: $0) }),
      let offset64 = u64(record + 48).flatMap({ Int(exactly: $0) })
    else {
      // 65 535 entries without zip64 are legal.
      if offset != 0xFFFF_FFFF { return (Int(offset), Int(count), Int(size)) }
      throw malformed("the zip64 end record is missing", at: end)
    }
    return (offset64, count64, u64(record + 40).flatMap { Int(exactly: $0) })
  }

  private func readEntry(at offset: Int) throws(VenueError) -> (Entry, next: Int) {
    guard u32(offset) == 0x0201_4B50, let madeBy = u16(offset + 4), let flags = u16(offset + 8),
      let method = u16(offset + 10), let crc = u32(offset + 16), let packed = u32(offset + 20),
      let size = u32(offset + 24), let nameLength = u16(offset + 28), let extraLength = u16(offset + 30),
      let commentLength = u16(offset + 32), let external = u32(offset + 38), let header = u32(offset + 42)
    else { throw malformed("the zip directory is damaged", at: offset) }
    let nameStart = offset + 46
    let extraStart = nameStart + Int(nameLength)
    let next = extraStart + Int(extraLength) + Int(commentLength)
    guard next <= bytes.count else { throw malformed("the zip directory is cut short", at: offset) }
    var sizes = [Int(size), Int(packed), Int(header)]
    if size == 0xFFFF_FFFF || packed == 0xFFFF_FFFF || header == 0xFFFF_FFFF {
      // The extra field contains the wide values of saturated fields only, in this order.
      var position = extraStart
      let extraEnd = extraStart + Int(extraLength)
      while position + 4 <= extraEnd, let tag = u16(position), let length = u16(position + 2) {
        if tag == 1 {
          var field = position + 4
          for index in sizes.indices where sizes[index] == 0xFFFF_FFFF {
            guard field + 8 <= min(position + 4 + Int(length), extraEnd), let wide = u64(field),
              let value = Int(exactly: wide)
            else { throw malformed("the zip64 sizes are damaged", at: position) }
            sizes[index] = value
            field += 8
          }
        }
        position += 4 + Int(length)
      }
    }
    let entry = Entry(
      name: ZipArchive.decodeName(bytes[nameStart..<extraStart], isUTF8: flags & 0x800 != 0),
      nameBytes: nameStart..<extraStart, method: method,
      flags: flags, crc32: crc, compressedSize: sizes[1], size: sizes[0], headerOffset: sizes[2],
      mode: madeBy >> 8 == 3 || madeBy >> 8 == 19 ? external >> 16 : 0)
    return (entry, next)
  }

  /// Returns the compressed bytes of an entry.
  ///
  /// The local header contains its own length. A name that differs from the directory's is an attempt to show different
  /// archives to different readers, and it is rejected.
  func payload(of entry: Entry) throws(VenueError) -> ArraySlice<UInt8> {
    let header = entry.headerOffset
    guard header >= 0, u32(header) == 0x0403_4B50, let nameLength = u16(header + 26),
      let extraLength = u16(header + 28)
    else { throw malformed("the entry \(entry.name) has no local header", at: max(0, header)) }
    let start = header + 30 + Int(nameLength) + Int(extraLength)
    guard Int(nameLength) == entry.nameBytes.count, header + 30 + Int(nameLength) <= bytes.count,
      bytes[entry.nameBytes].elementsEqual(bytes[header + 30..<header + 30 + Int(nameLength)])
    else { throw malformed("the entry \(entry.name) has another name in its local header", at: header) }
    guard start <= bytes.count, entry.compressedSize >= 0, entry.compressedSize <= bytes.count - start else {
      throw malformed("the entry \(entry.name) is cut short", at: min(start, bytes.count))
    }
    return bytes[start..<start + entry.compressedSize]
  }

  // Names are UTF-8 if the flag is set, and mostly also if it is not. Other names are in code page 437, of which only
  // ASCII is kept.
  private static func decodeName(_ bytes: ArraySlice<UInt8>, isUTF8: Bool) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    return isUTF8
      ? String(decoding: bytes, as: UTF8.self) : String(bytes.map { $0 < 0x80 ? Character(Unicode.Scalar($0)) : "_" })
  }

  private func u16(_ offset: Int) -> UInt16? {
    guard offset >= 0, offset <= bytes.count - 2 else { return nil }
    return UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8
  }

  private func u32(_ offset: Int) -> UInt32? {
    guard let low = u16(offset), offset <= bytes.count - 4, let high = u16(offset + 2) else { return nil }
    return UInt32(low) | UInt32(high) << 16
  }

  private func u64(_ offset: Int) -> UInt64? {
    guard let low = u32(offset), offset <= bytes.count - 8, let high = u32(offset + 4) else { return nil }
    return UInt64(low) | UInt64(high) << 32
  }

  private func malformed(_ message: String, at offset: Int) -> VenueError {
    VenueError(code: "malformed-zip", file: file, byteOffset: offset, message: message)
  }

  private func unsupported(_ message: String, at offset: Int) -> VenueError {
    VenueError(code: "unsupported-zip", file: file, byteOffset: offset, message: message)
  }
}
