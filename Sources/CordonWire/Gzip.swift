import CZlib

/// The gzip encoding of bodies (RFC 1952).
package enum Gzip {
  /// The bytes, compressed. The same bytes give the same result with the same zlib.
  /// - Parameters:
  ///   - level: 1 (fast) ... 9 (small).
  ///   - bytes: the bytes to work on.
  package static func compress(_ bytes: [UInt8], level: Int = 6) -> [UInt8] {
    var stream = z_stream()
    let size = Int32(MemoryLayout<z_stream>.size)
    // 16 more than the bits of the window asks for a gzip header instead of zlib's. A window beyond the text finds nothing
    // more, and to clear it takes longer than to compress a phone's batch.
    let bits = bytes.count > 1 << 14 ? 15 : max(10, Int.bitWidth - bytes.count.leadingZeroBitCount)
    guard
      deflateInit2_(
        &stream, Int32(min(max(level, 1), 9)), Z_DEFLATED, Int32(bits + 16), bits == 15 ? 8 : 7, Z_DEFAULT_STRATEGY,
        ZLIB_VERSION, size) == Z_OK
    else { return [] }
    defer { deflateEnd(&stream) }
    var input = bytes
    let bound = Int(deflateBound(&stream, UInt(bytes.count)))
    return input.withUnsafeMutableBufferPointer { source in
      [UInt8](unsafeUninitializedCapacity: bound) { target, count in
        stream.next_in = source.baseAddress
        stream.avail_in = UInt32(truncatingIfNeeded: source.count)
        stream.next_out = target.baseAddress
        stream.avail_out = UInt32(truncatingIfNeeded: target.count)
        _ = deflate(&stream, Z_FINISH)
        count = Int(stream.total_out)
      }
    }
  }

  /// The bytes before compression. Several members, one behind the other, are one text (RFC 1952, section 2.2).
  /// - Parameters:
  ///   - limit: the most bytes to make; a body that grows beyond it is refused before it does.
  ///   - bytes: the bytes to work on.
  package static func decompress(_ bytes: [UInt8], limit: Int) throws(WireError) -> [UInt8] {
    var stream = z_stream()
    guard inflateInit2_(&stream, 31, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw WireError(offset: 0, "gzip is not available")
    }
    defer { inflateEnd(&stream) }
    var input = bytes
    var output: [UInt8] = []
    // Text packs about eight to one; what is packed closer takes some turns more.
    var chunk = [UInt8](repeating: 0, count: min(64 << 10, max(1 << 10, bytes.count * 8)))
    let (code, offset): (Int32, Int) = input.withUnsafeMutableBufferPointer { source in
      stream.next_in = source.baseAddress
      stream.avail_in = UInt32(truncatingIfNeeded: source.count)
      var code = Z_OK
      while code == Z_OK, output.count <= limit {
        chunk.withUnsafeMutableBufferPointer { target in
          stream.next_out = target.baseAddress
          stream.avail_out = UInt32(target.count)
          code = inflate(&stream, Z_NO_FLUSH)
          output.append(contentsOf: target[0..<target.count - Int(stream.avail_out)])
        }
        if code == Z_STREAM_END, isMember(stream) { code = inflateReset(&stream) }
      }
      return (code, source.count - Int(stream.avail_in))
    }
    if output.count > limit { throw WireError(.tooLong, offset: offset, "more than \(limit) bytes when unpacked") }
    guard code == Z_STREAM_END else { throw WireError(offset: offset, "not gzip, or cut short") }
    guard stream.avail_in == 0 else { throw WireError(offset: offset, "bytes after the end of gzip") }
    return output
  }
}

/// Whether the rest of the input begins as a member does.
private func isMember(_ stream: z_stream) -> Bool {
  guard stream.avail_in >= 2, let next = stream.next_in else { return false }
  return next[0] == 0x1f && next[1] == 0x8b
}

/// Compresses a stream of bytes, piece by piece, into one gzip member.
package final class GzipStream {
  // On the heap: zlib keeps the address of its state.
  private let stream: UnsafeMutablePointer<z_stream>
  private var chunk = [UInt8](repeating: 0, count: 64 << 10)

  /// - Parameter level: 1 (fast) ... 9 (small).
  package init(level: Int = 6) throws(WireError) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let size = Int32(MemoryLayout<z_stream>.size)
    guard
      deflateInit2_(
        stream, Int32(min(max(level, 1), 9)), Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size) == Z_OK
    else {
      stream.deallocate()
      throw WireError(offset: 0, "gzip is not available")
    }
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  /// Compresses bytes; hands over what is ready.
  package func add<E: Error>(
    _ bytes: UnsafeRawBufferPointer, to output: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) {
    try run(bytes, Z_NO_FLUSH, output)
  }

  /// Hands over the rest; nothing may be added after it.
  package func finish<E: Error>(to output: (UnsafeRawBufferPointer) throws(E) -> Void) throws(E) {
    try run(UnsafeRawBufferPointer(start: nil, count: 0), Z_FINISH, output)
  }

  private func run<E: Error>(
    _ bytes: UnsafeRawBufferPointer, _ flush: Int32, _ output: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) {
    // `deflate` reads from where it points and writes nothing there.
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
    stream.pointee.avail_in = UInt32(truncatingIfNeeded: bytes.count)
    var isOver = false
    while !isOver {
      let count = chunk.withUnsafeMutableBufferPointer { target in
        stream.pointee.next_out = target.baseAddress
        stream.pointee.avail_out = UInt32(target.count)
        isOver = deflate(stream, flush) == Z_STREAM_END
        return target.count - Int(stream.pointee.avail_out)
      }
      if flush == Z_NO_FLUSH, stream.pointee.avail_out > 0 { isOver = true }
      if count > 0 {
        let piece = chunk.prefix(count)
        let result: Result<Void, E> = piece.withUnsafeBytes { bytes in
          do throws(E) {
            try output(bytes)
            return .success(())
          } catch {
            return .failure(error)
          }
        }
        try result.get()
      }
    }
  }
}
