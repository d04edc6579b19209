#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Access to files and folders, within limits.
package enum FileAccess {
  /// The kind of an item.
  package enum Kind { case file, folder, link, other }

  /// Returns the kind of the item at a path; `nil` if there is none.
  package static func kind(of path: String, followingLinks: Bool) -> Kind? {
    var status = stat()
    guard (followingLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    case S_IFLNK: return .link
    default: return .other
    }
  }

  /// Returns all bytes of a file.
  /// - Throws: `VenueError` with the code `not-found`, `unreadable` or `limit-exceeded`.
  package static func read(_ path: String, atMost limit: Int) throws(VenueError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      let code = errno == ENOENT ? "not-found" : "unreadable"
      throw VenueError(code: code, file: path, message: String(cString: strerror(errno)))
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw VenueError(code: "unreadable", file: path, message: String(cString: strerror(errno)))
    }
    guard status.st_size <= limit else {
      throw VenueError(
        code: "limit-exceeded", file: path, message: "has \(status.st_size) bytes; at most \(limit) are read")
    }
    // A pipe reports a size of 0, and a file may grow during the read.
    var bytes: [UInt8] = []
    var capacity = max(Int(status.st_size) + 1, 4096)
    while true {
      let room = capacity - bytes.count
      let chunk = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
        repeat {
          count = posixRead(descriptor, buffer.baseAddress, room)
        } while count < 0 && errno == EINTR
        if count < 0 { count = 0 }
      }
      if chunk.isEmpty { return bytes }
      if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
      guard bytes.count <= limit else {
        throw VenueError(code: "limit-exceeded", file: path, message: "more than \(limit) bytes")
      }
      if bytes.count == capacity { capacity *= 2 }
      if chunk.count == status.st_size { return bytes }
    }
  }

  /// Returns the relative paths of all items below a folder, including links and special files, sorted by their bytes.
  static func list(_ folder: String, atMost limit: Int) throws(VenueError) -> [(path: String, kind: Kind)] {
    var found: [(path: String, kind: Kind)] = []
    var pending = [""]
    while let prefix = pending.popLast() {
      guard let handle = opendir(prefix.isEmpty ? folder : folder + "/" + prefix) else {
        throw VenueError(code: "unreadable", file: folder + "/" + prefix, message: String(cString: strerror(errno)))
      }
      defer { closedir(handle) }
      while let record = readdir(handle) {
        let name = withUnsafePointer(to: &record.pointee.d_name) { pointer in
          pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name == "." || name == ".." { continue }
        let path = prefix.isEmpty ? name : prefix + "/" + name
        guard let kind = kind(of: folder + "/" + path, followingLinks: false) else { continue }
        found.append((path, kind))
        guard found.count <= limit else {
          throw VenueError(
            code: "limit-exceeded", file: folder, message: "the folder has more than \(limit) entries")
        }
        if kind == .folder { pending.append(path) }
      }
    }
    return found.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }
}

// `read` is also a method here.
private func posixRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, buffer, count)
}
