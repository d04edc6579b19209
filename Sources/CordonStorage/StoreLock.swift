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

/// Keeps a store's file to one owner: one `SQLiteStore` of one process.
///
/// The lock is the kernel's (`flock`), on a file beside the store whose name ends in `.lock`. It ends with the process, however
/// that ends, so nothing has to be cleaned up after a crash. The lock file holds the number of the process that has the lock,
/// and nothing else; it stays when the store is closed.
///
/// A symbolic link to the store has the lock of the store. A hard link would have another, and SQLite itself damages a file that is
/// opened under two names, so a file with several names is refused.
final class StoreLock {
  private let descriptor: Int32
  private let file: FileIdentity?

  /// Which file it is, whatever its name.
  private struct FileIdentity: Hashable {
    var device: UInt64
    var number: UInt64

    init(_ status: stat) {
      device = UInt64(truncatingIfNeeded: status.st_dev)
      number = UInt64(truncatingIfNeeded: status.st_ino)
    }
  }

  /// The files that this process has open as stores: a file that was renamed has another lock file, but is the same.
  ///
  /// Each is kept open, so that the system cannot give its number to another file. Closing a file ends the locks that SQLite
  /// has on it in this process; that is harmless because it happens under `lock`, after the store's connection was closed
  /// and before another store can be registered.
  ///
  /// `@unchecked Sendable` holds because `files` is accessed under `lock` only.
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

  /// Takes the lock of a file that exists.
  /// - Throws: `StoreError.Kind.inUse` when another owner has it.
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
    #if CORDON_BUGS
      if DeliberateBug.lastWriterWins.isActive { return }
    #endif
    var attempts = 0
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      // A child process that was just started has this process's descriptors until it runs its program.
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
    #if CORDON_BUGS
      if DeliberateBug.lastWriterWins.isActive { return file }
    #endif
    guard openFiles.insert(file, path: path) else { throw inUse(path, by: getpid()) }
    return file
  }

  private static func inUse(_ path: String, by process: Int32?) -> StoreError {
    let owner =
      switch process {
      case getpid(): "by this process; keep one monitor a file and share it"
      case let process?: "by process \(process); end that process, or ask it"
      case nil: "by another process; end that process, or ask it"
      }
    return StoreError(.inUse, "\(path): the store is in use \(owner)")
  }

  /// The number that the owner wrote into the lock file.
  private static func owner(_ descriptor: Int32) -> Int32? {
    var text = [UInt8](repeating: 0, count: 16)
    let count = pread(descriptor, &text, text.count, 0)
    guard count > 0 else { return nil }
    return Int32(String(decoding: text.prefix(count).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
  }

  /// Writes the process number for error messages of others. A full disk is no reason to fail.
  private func note(_ process: Int32?) {
    _ = ftruncate(descriptor, 0)
    guard let process else { return }
    var text = Array("\(process)\n".utf8)
    _ = pwrite(descriptor, &text, text.count, 0)
  }

  /// The path without symbolic links.
  private static func resolve(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
