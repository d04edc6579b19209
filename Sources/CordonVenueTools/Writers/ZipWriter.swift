import CZlib
package import CordonVenues

/// Creates zip files whose bytes depend only on their contents: times are fixed, and the entries keep their order.
package enum ZipWriter {
  /// Returns a zip file of files, in the given order.
  ///
  /// Each entry is deflated, or stored if that is shorter. Zip64 is not used: entries and the file must stay below 4
  /// GiB, with fewer than 65 535 entries.
  ///
  /// - Throws: `VenueError` with the code `limit-exceeded` beyond these limits, or `zip` if zlib fails.
  package static func zip(_ files: [VenueFile]) throws(VenueError) -> [UInt8] {
    guard files.count < 0xFFFF else {
      throw VenueError(code: "limit-exceeded", file: "zip", message: "\(files.count) files do not fit into a zip file")
    }
    var bytes: [UInt8] = []
    var directory: [UInt8] = []
    for file in files {
      let name = Array(file.name.utf8)
      let deflated = try deflate(file)
      let isDeflated = deflated.count < file.bytes.count
      let data = isDeflated ? deflated : file.bytes
      guard bytes.count + data.count < 0xFFFF_0000, file.bytes.count < 0xFFFF_0000, name.count < 0xFFFF else {
        throw VenueError(code: "limit-exceeded", file: file.name, message: "too large for a zip file")
      }
      var header: [UInt8] = []
      // Version 2.0, names in UTF-8, 1 January 1980.
      header.append(word: 20)
      header.append(word: 0x0800)
      header.append(word: isDeflated ? 8 : 0)
      header.append(word: 0)
      header.append(word: 0x21)
      header.append(long: UInt32(truncatingIfNeeded: checksum(file.bytes)))
      header.append(long: UInt32(data.count))
      header.append(long: UInt32(file.bytes.count))
      header.append(word: UInt16(name.count))
      header.append(word: 0)
      directory.append(long: 0x0201_4b50)
      directory.append(word: 20)
      directory += header
      // No comment, first disk, no attributes.
      directory += [UInt8](repeating: 0, count: 10)
      directory.append(long: UInt32(bytes.count))
      directory += name
      bytes.append(long: 0x0403_4b50)
      bytes += header
      bytes += name
      bytes += data
    }
    let start = bytes.count
    bytes += directory
    bytes.append(long: 0x0605_4b50)
    bytes.append(long: 0)
    bytes.append(word: UInt16(files.count))
    bytes.append(word: UInt16(files.count))
    bytes.append(long: UInt32(directory.count))
    bytes.append(long: UInt32(start))
    bytes.append(word: 0)
    return bytes
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt {
    bytes.withUnsafeBufferPointer { UInt(crc32_z(0, $0.baseAddress, $0.count)) }
  }

  /// Compresses with raw deflate at level 9, so that small bundles stay small.
  private static func deflate(_ file: VenueFile) throws(VenueError) -> [UInt8] {
    var stream = z_stream()
    // Z_OK on success. Negative window bits: no zlib header.
    guard
      deflateInit2_(
        &stream, 9, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { throw VenueError(code: "zip", file: file.name, message: "zlib does not start") }
    defer { deflateEnd(&stream) }
    var input = file.bytes
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(input.count))) + 16)
    let produced: Int? = input.withUnsafeMutableBufferPointer { source in
      output.withUnsafeMutableBufferPointer { target in
        stream.next_in = source.baseAddress
        stream.avail_in = UInt32(source.count)
        stream.next_out = target.baseAddress
        stream.avail_out = UInt32(target.count)
        // Z_STREAM_END after everything is written, for which deflateBound allows.
        return CZlib.deflate(&stream, Z_FINISH) == Z_STREAM_END ? target.count - Int(stream.avail_out) : nil
      }
    }
    guard let produced else { throw VenueError(code: "zip", file: file.name, message: "zlib fails to compress") }
    return Array(output[..<produced])
  }
}

extension [UInt8] {
  fileprivate mutating func append(word value: UInt16) {
    append(UInt8(truncatingIfNeeded: value))
    append(UInt8(truncatingIfNeeded: value >> 8))
  }

  fileprivate mutating func append(long value: UInt32) {
    for shift in stride(from: UInt32(0), to: 32, by: 8) { append(UInt8(truncatingIfNeeded: value >> shift)) }
  }
}
