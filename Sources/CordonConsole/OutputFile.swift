internal import CordonSupport
internal import CordonWire
internal import Foundation

/// A file that a command writes.
///
/// A regular file appears under its name when it is whole, by renaming a temporary one beside it, and is replaced only when
/// asked for. A symbolic link stays, and the file it leads to is written. A device, a FIFO or a socket is opened and written through, and `-` is standard output. A name that ends in `.gz` is compressed.
package final class OutputFile {
  private enum Destination {
    /// A temporary file and its final path.
    case file(temporary: String, target: String)
    /// Something that is written through.
    case stream
  }

  private let path: String
  private let replaces: Bool
  private let destination: Destination
  private var descriptor: Int32
  private let gzip: GzipStream?
  private var buffer: [UInt8] = []
  private static let bufferSize = 1 << 18
  /// Bytes written so far, after compression.
  package private(set) var byteCount = 0

  /// Begins a file.
  /// - Parameters:
  ///   - path: where; `-` is standard output.
  ///   - replaces: whether an existing file is replaced.
  ///   - inputs: files that the command reads, which are never replaced.
  /// - Throws: ``OutputError``; the file is as it was.
  package init(path: String, replaces: Bool, inputs: [String] = []) throws(OutputError) {
    self.path = path
    self.replaces = replaces
    let status = try OutputFile.check(path: path, replaces: replaces, inputs: inputs)
    if path.lowercased().hasSuffix(".gz") {
      guard let stream = try? GzipStream() else {
        throw OutputError(.cannotWrite, file: path, message: "cannot be compressed")
      }
      gzip = stream
    } else {
      gzip = nil
    }
    if let number = OutputFile.descriptor(named: path) {
      descriptor = dup(number)
      destination = .stream
    } else if let status, status.st_mode & S_IFMT == S_IFSOCK {
      descriptor = OutputFile.connected(to: path)
      destination = .stream
    } else if let status, status.st_mode & S_IFMT != S_IFREG {
      descriptor = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC)
      destination = .stream
    } else {
      let target = OutputFile.resolved(path)
      let made = OutputFile.temporary(beside: target, mode: status.map { $0.st_mode & 0o7777 })
      descriptor = made.descriptor
      if descriptor >= 0 { UnfinishedFiles.add(made.path) }
      destination = .file(temporary: made.path, target: target)
    }
    guard descriptor >= 0 else { throw OutputError(file: OutputFile.name(path), number: errno) }
  }

  deinit { abandon() }

  /// Adds bytes.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    if bytes.count >= OutputFile.bufferSize {
      try flush()
      try put(bytes)
    } else {
      buffer.append(contentsOf: bytes)
      if buffer.count >= OutputFile.bufferSize { try flush() }
    }
  }

  /// Adds bytes.
  package func write(_ bytes: [UInt8]) throws(OutputError) {
    try bytes.withBytes { bytes throws(OutputError) in try write(bytes) }
  }

  /// Adds text.
  package func write(_ text: String) throws(OutputError) {
    buffer.append(contentsOf: text.utf8)
    if buffer.count >= OutputFile.bufferSize { try flush() }
  }

  /// Ends the file and gives it its name.
  package func finish() throws(OutputError) {
    do throws(OutputError) {
      try flush()
      try gzip?.finish { bytes throws(OutputError) in try store(bytes) }
      if case .file(_, let target) = destination, access(target, F_OK) == 0 {
        // The old contents must not be gone before the new ones are on the disk.
        guard replaces else { throw OutputError.exists(path) }
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw OutputError(file: path, number: errno) }
      }
      let number = descriptor
      descriptor = -1
      guard close(number) == 0 || errno == EINTR else { throw OutputError(file: OutputFile.name(path), number: errno) }
      guard case .file(let temporary, let target) = destination else { return }
      guard rename(temporary, target) != 0 else { return UnfinishedFiles.forget(temporary) }
      // A file that is mounted by itself cannot be renamed over, as in a container.
      guard errno == EBUSY, OutputFile.copy(temporary, into: target) else {
        throw OutputError(file: path, number: errno)
      }
      unlink(temporary)
      UnfinishedFiles.forget(temporary)
    } catch {
      abandon()
      throw error
    }
  }

  /// Writes a file whole or not at all.
  package static func write(
    _ bytes: [UInt8], to path: String, replaces: Bool, inputs: [String] = []
  ) throws(OutputError) -> Int {
    let file = try OutputFile(path: path, replaces: replaces, inputs: inputs)
    try file.write(bytes)
    try file.finish()
    return file.byteCount
  }

  /// Checks that a file may be written, before a command works for long.
  /// - Throws: ``OutputError`` when it is an input, a folder, or exists and is not to be replaced.
  package static func checkMayWrite(path: String, replaces: Bool, inputs: [String] = []) throws(OutputError) {
    _ = try check(path: path, replaces: replaces, inputs: inputs)
  }

  /// Checks a path and returns the status of the file there, following links; `nil` when there is none.
  private static func check(path: String, replaces: Bool, inputs: [String]) throws(OutputError) -> stat? {
    var status = stat()
    if let number = descriptor(named: path) {
      guard fstat(number, &status) == 0 else { return nil }
    } else {
      guard !path.isEmpty else { throw OutputError(.cannotWrite, file: "''", message: "a file needs a name") }
      guard stat(path, &status) == 0 else {
        guard errno == ENOENT else { throw OutputError(file: path, number: errno) }
        return nil
      }
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: throw OutputError(.cannotWrite, file: path, message: "is a folder")
    case S_IFREG:
      guard !inputs.compactMap({ FileIdentity($0) }).contains(FileIdentity(status)) else {
        throw OutputError(.isInput, file: path, message: "is what is read; give another name to write to")
      }
      guard replaces || descriptor(named: path) != nil else { throw OutputError.exists(path) }
    default: break
    }
    return status
  }

  private func flush() throws(OutputError) {
    guard !buffer.isEmpty else { return }
    let full = buffer
    buffer.removeAll(keepingCapacity: true)
    try full.withBytes { bytes throws(OutputError) in try put(bytes) }
  }

  private func put(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    if let gzip {
      try gzip.add(bytes) { bytes throws(OutputError) in try store(bytes) }
    } else {
      try store(bytes)
    }
  }

  private func store(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    try writeAll(bytes, to: descriptor, file: OutputFile.name(path))
    byteCount += bytes.count
  }

  private func abandon() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
    if case .file(let temporary, _) = destination {
      unlink(temporary)
      UnfinishedFiles.forget(temporary)
    }
  }
}

extension OutputError {
  fileprivate static func exists(_ path: String) -> OutputError {
    OutputError(.exists, file: path, message: "exists already; use --force to replace it")
  }
}

// MARK: - Paths

extension OutputFile {
  private static func name(_ path: String) -> String { path == "-" ? StandardOutput.name : path }

  /// The number of an open file that a path stands for: its own position must be kept, and it cannot be renamed over.
  private static func descriptor(named path: String) -> Int32? {
    switch path {
    case "-", "/dev/stdout": return STDOUT_FILENO
    case "/dev/stderr": return STDERR_FILENO
    default:
      for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
        return Int32(path.dropFirst(folder.count))
      }
      return nil
    }
  }

  /// Returns the path that links lead to; it need not exist.
  package static func resolved(_ path: String) -> String {
    var path = path
    // As many as Linux follows.
    for _ in 0..<40 {
      var target = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
      let count = readlink(path, &target, target.count - 1)
      guard count > 0 else { break }
      let link = String(decoding: target.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
      path = link.hasPrefix("/") ? link : folder(of: path) + link
    }
    return path
  }

  /// The folder of a path with its last slash; empty for the working folder.
  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }

  /// Makes a temporary file of a name that nobody has; the number is negative when it cannot be made.
  private static func temporary(beside target: String, mode: mode_t?) -> (descriptor: Int32, path: String) {
    let folder = folder(of: target)
    // Names have at most 255 bytes.
    let name = String(decoding: target.dropFirst(folder.count).utf8.prefix(200), as: UTF8.self)
    var path = ""
    for attempt in 0..<100 {
      path = "\(folder).\(name).\(getpid())\(attempt == 0 ? "" : ".\(attempt)").partial"
      let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
      if descriptor >= 0 {
        if let mode { _ = fchmod(descriptor, mode) }
        return (descriptor, path)
      }
      guard errno == EEXIST else { break }
    }
    return (-1, path)
  }

  private static func connected(to path: String) -> Int32 {
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard path.utf8.count < room else {
      errno = ENAMETOOLONG
      return -1
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let number = socket(AF_UNIX, kind, 0)
    guard number >= 0 else { return -1 }
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    guard isConnected else {
      let reason = errno
      close(number)
      errno = reason
      return -1
    }
    return number
  }

  /// Copies a file into another one that stays where it is; `errno` says why when it fails.
  private static func copy(_ source: String, into target: String) -> Bool {
    let input = open(source, O_RDONLY | O_CLOEXEC)
    let output = open(target, O_WRONLY | O_TRUNC | O_CLOEXEC)
    defer {
      if input >= 0 { close(input) }
      if output >= 0 { close(output) }
    }
    guard input >= 0, output >= 0 else { return false }
    var piece = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = read(input, &piece, piece.count)
      guard count != 0 else { return true }
      guard count > 0 else { return false }
      let isWritten = piece.withUnsafeBytes { bytes in
        (try? writeAll(UnsafeRawBufferPointer(rebasing: bytes[..<count]), to: output, file: target)) != nil
      }
      guard isWritten else { return false }
    }
  }
}
