internal import Foundation

/// The bytes of a file or of standard input, in order.
final class ArrowSource {
  private let descriptor: Int32
  /// How many bytes were read.
  private(set) var position = 0

  /// Opens a file; `-` is standard input.
  init(path: String) throws(PointFileError) {
    descriptor = path == "-" ? dup(0) : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw PointFileError(.unreadable, String(cString: strerror(errno))) }
  }

  deinit { close(descriptor) }

  /// Reads so many bytes, or fewer at the end.
  /// - Returns: how many were read.
  func read(into memory: UnsafeMutableRawPointer, count: Int) throws(PointFileError) -> Int {
    var done = 0
    while done < count {
      let step = Foundation.read(descriptor, memory + done, min(count - done, 1 << 30))
      if step == 0 { break }
      if step < 0 {
        if errno == EINTR { continue }
        throw PointFileError(.unreadable, String(cString: strerror(errno)))
      }
      done += step
    }
    position += done
    return done
  }

  /// Whether a regular file begins as Arrow IPC does, in the form of files or of streams. Pipes are not read: they give
  /// their first bytes only once.
  static func isArrow(path: String) -> Bool {
    var status = stat()
    guard path != "-", stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
    guard let file = try? ArrowSource(path: path) else { return false }
    var head: (UInt64) = 0
    let count = withUnsafeMutableBytes(of: &head) { bytes in
      bytes.baseAddress.flatMap { try? file.read(into: $0, count: 8) } ?? 0
    }
    guard count == 8 else { return false }
    return head == ArrowStreamReader.fileMark || UInt32(truncatingIfNeeded: UInt64(littleEndian: head)) == .max
  }
}

/// Memory that grows with the bytes that are really there: a damaged length alone allocates little.
final class ArrowMemory {
  private(set) var base: UnsafeMutableRawPointer
  private var room = 1 << 16

  init() { base = .allocate(byteCount: room, alignment: 64) }

  deinit { base.deallocate() }

  /// Reads so many bytes.
  /// - Throws: ``PointFileError`` when there are fewer.
  func fill(from source: ArrowSource, count: Int) throws(PointFileError) {
    var done = 0
    while done < count {
      let step = min(count - done, max(done, 1 << 24))
      reserve(done + step, keeping: done)
      guard try source.read(into: base + done, count: step) == step else {
        throw PointFileError(.truncated, "the data end early", place: "byte \(source.position)")
      }
      done += step
    }
  }

  private func reserve(_ count: Int, keeping done: Int) {
    guard count > room else { return }
    room = max(count, room * 2)
    let moved = UnsafeMutableRawPointer.allocate(byteCount: room, alignment: 64)
    moved.copyMemory(from: base, byteCount: done)
    base.deallocate()
    base = moved
  }
}
