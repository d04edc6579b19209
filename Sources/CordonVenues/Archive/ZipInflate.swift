import CZlib

/// Unpacks one entry of a zip file within limits.
enum ZipInflate {
  /// Returns the bytes of an entry.
  ///
  /// The declared size is used only as an upper bound. An entry with a different size or checksum is rejected.
  static func unpack(
    _ entry: ZipArchive.Entry, of archive: ZipArchive, limits: VenueLimits
  ) throws(VenueError) -> [UInt8] {
    let payload = try archive.payload(of: entry)
    func refuse(_ code: String, _ message: String) -> VenueError {
      VenueError(code: code, file: entry.name, byteOffset: nil, message: message)
    }
    guard entry.size >= 0, entry.size <= limits.bytesPerFile else {
      throw refuse("limit-exceeded", "declares \(entry.size) bytes; at most \(limits.bytesPerFile) are read")
    }
    if entry.size > 1 << 20, entry.size / max(1, payload.count) > limits.compressionRatio {
      throw refuse("limit-exceeded", "is packed more than \(limits.compressionRatio) times: a bomb")
    }
    let bytes: [UInt8]
    switch entry.method {
    case 0: bytes = Array(payload)
    case 8:
      guard let unpacked = inflate(payload, size: entry.size) else {
        throw refuse("malformed-zip", "does not unpack to the size that the archive declares")
      }
      bytes = unpacked
    default: throw refuse("unsupported-zip", "uses compression method \(entry.method)")
    }
    guard bytes.count == entry.size else {
      throw refuse("malformed-zip", "does not unpack to the size that the archive declares")
    }
    guard checksum(bytes) == entry.crc32 else { throw refuse("malformed-zip", "does not match its checksum") }
    return bytes
  }

  // Never writes more than the declared size, so an undeclared bomb ends here.
  private static func inflate(_ payload: ArraySlice<UInt8>, size: Int) -> [UInt8]? {
    var isComplete = false
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { output, count in
      count = payload.withUnsafeBufferPointer { input -> Int in
        var stream = z_stream()
        guard let first = input.baseAddress,
          inflateInit2_(&stream, -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return 0 }
        defer { inflateEnd(&stream) }
        // zlib counts with 32 bits; the limits keep both sizes far below that.
        stream.next_in = UnsafeMutablePointer(mutating: first)
        stream.avail_in = UInt32(clamping: input.count)
        var spare: UInt8 = 0
        return withUnsafeMutablePointer(to: &spare) { spare -> Int in
          stream.next_out = output.baseAddress ?? spare
          stream.avail_out = UInt32(clamping: output.count)
          var status = CZlib.inflate(&stream, Z_FINISH)
          if status == Z_BUF_ERROR, stream.avail_out == 0 {
            // The end marker after an exactly filled buffer may still be unread; one spare byte shows whether more data
            // follows.
            stream.next_out = spare
            stream.avail_out = 1
            status = CZlib.inflate(&stream, Z_FINISH)
            if stream.avail_out == 0 { return 0 }
          }
          isComplete = status == Z_STREAM_END
          return Int(min(stream.total_out, UInt(size)))
        }
      }
    }
    return isComplete ? bytes : nil
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    bytes.withUnsafeBufferPointer { buffer in
      UInt32(truncatingIfNeeded: crc32_z(0, buffer.baseAddress, buffer.count))
    }
  }
}
