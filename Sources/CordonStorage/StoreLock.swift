import CordonCore
import CordonMonitoring
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A lock that keeps a store's file to one owner: one `SQLiteStore` of one process.
///
/// It is a kernel lock (`flock`) on a file beside the store with the suffix `.lock`. The lock ends with the process, so
/// nothing must be cleaned up after a crash. The lock file contains only the number of the process that has the lock.
/// It remains when the store is closed.
///
/// A symbolic link to the store shares the lock of the store. A hard link would have another lock, and SQLite itself
/// damages a file that is opened under two names. A file with several names is therefore an error.
final class StoreLock {
  private let descriptor: Int32
  private let file: FileIdentity?

  /// The identity of a file, independent of its name.
  private struct FileIdentity: Hashable {
    var device: UInt64
    var number: UInt64

    init(_ status: stat) {
      device = UInt64(truncatingIfNeeded: status.st_dev)
      number = UInt64(truncatingIfNeeded: status.st_ino)
    }
  }

  /// The files that this process has open as stores. A renamed file has another lock file but the same identity.
  ///
  /// Each file is kept open, so that the system cannot give its number to another file. Closing a file ends SQLite's
  /// locks on it in this process. That is harmless here: it happens with `lock` held, after the store's connection was
  /// closed and before another store can be registered.
  ///
  /// `@unchecked Sendable` holds because `files` is accessed only with `lock` held.
  private final class OpenFiles: @unchecked Sendable {
    private let lock = NSLock()
    private var files: [FileIdentity: Int32] = [:]

    func insert(_ file: FileIdentity, path: String) -> Bool {
      lock.withLock {
        guard files[file] == nil else { return false }
        files[file] = open(path, O_RDONLY | O_CLOEXEC)
        return true
      }
    }

    func remove(_ file: FileIdentity) {
      lock.withLock {
        guard let descriptor = files.removeValue(forKey: file), descriptor >= 0 else { return }
        close(descriptor)
      }
    }
  }

  private static let openFiles = OpenFiles()

  /// Locks an existing file.
  ///
  /// - Throws: `StoreError.Kind.inUse` if another owner has the lock, or if the file has hard links.
  init(_ path: String) throws(StoreError) {
    let path = StoreLock.resolve(path)
    let lock = path + ".lock"
    descriptor = open(lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      file = nil
      throw StoreFile.failure(lock)
    }
    let registered: FileIdentity
    do throws(StoreError) {
      registered = try StoreLock.register(path)
    } catch {
      file = nil
      throw error
    }
    do throws(StoreError) {
      try StoreLock.take(descriptor, path)
    } catch {
      file = nil
      StoreLock.openFiles.remove(registered)
      throw error
    }
    file = registered
    note(getpid())
  }

  deinit {
    guard descriptor >= 0 else { return }
    if let file {
      note(nil)
      StoreLock.openFiles.remove(file)
    }
    close(descriptor)
  }

  private static func take(_ descriptor: Int32, _ path: String) throws(StoreError) {
    var attempts = 0
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      // A new child process has the descriptors of this process until it runs its program.
      if errno == EWOULDBLOCK, attempts < 20 {
        attempts += 1
        usleep(10_000)
        continue
      }
      guard errno == EWOULDBLOCK else {
        throw StoreError(
          .failed, "\(path): cannot be locked: \(String(cString: strerror(errno))); keep the store on a local disk")
      }
      throw inUse(path, by: owner(descriptor))
    }
  }

  private static func register(_ path: String) throws(StoreError) -> FileIdentity {
    var status = stat()
    guard stat(path, &status) == 0 else { throw StoreFile.failure(path) }
    guard status.st_nlink <= 1 else {
      throw StoreError(
        .inUse,
        "\(path): the file has \(status.st_nlink) names (hard links), and may be open under another; remove all names but one"
      )
    }
    let file = FileIdentity(status)
    guard openFiles.insert(file, path: path) else { throw inUse(path, by: getpid()) }
    return file
  }

  private static func inUse(_ path: String, by process: Int32?) -> StoreError {
    let owner =
      switch process {
      case getpid(): "by this process; use one monitor for each file and share it"
      case let process?: "by process \(process); end that process, or ask it"
      case nil: "by another process; end that process, or ask it"
      }
    return StoreError(.inUse, "\(path): the store is in use \(owner)")
  }

  /// Returns the process number that the owner wrote to the lock file.
  private static func owner(_ descriptor: Int32) -> Int32? {
    var text = [UInt8](repeating: 0, count: 16)
    let count = pread(descriptor, &text, text.count, 0)
    guard count > 0 else { return nil }
    return Int32(String(decoding: text.prefix(count).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
  }

  /// Writes the process number for the error messages of other processes. A full disk is not an error here.
  private func note(_ process: Int32?) {
    _ = ftruncate(descriptor, 0)
    guard let process else { return }
    var text = Array("\(process)\n".utf8)
    _ = pwrite(descriptor, &text, text.count, 0)
  }

  /// Returns the path without symbolic links.
  private static func resolve(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
