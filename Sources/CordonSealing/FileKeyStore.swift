public import CordonMonitoring
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Keys in a file that only its owner can read, for Linux systems without a keychain.
///
/// The file has one line for each key: its number and 64 hexadecimal digits. Store it on another disk than the store,
/// or exclude it from backups. Anyone with both files can read the contents.
public struct FileKeyStore: KeyStore {
  /// The path of the file.
  public let path: String

  /// Creates a key store. The file is created with mode 0600 when the first key is added.
  public init(path: String) { self.path = path }

  /// See `KeyStore.keys()`. Throws if other users can read the file, because its keys are then no longer secret.
  public func keys() throws(SealingError) -> [SealingKey] {
    let manager = FileManager.default
    guard manager.fileExists(atPath: path) else { return [] }
    let data: Data
    do {
      let mode = (try manager.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.uint16Value ?? 0
      guard mode & 0o077 == 0 else {
        throw SealingError(.failed, "\(path): others may read it; chmod 600, and renew the key")
      }
      data = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch let error as SealingError {
      throw error
    } catch {
      throw SealingError(.failed, "\(path): \(error)")
    }
    var keys: [SealingKey] = []
    for (index, line) in data.split(separator: UInt8(ascii: "\n")).enumerated() {
      guard let key = FileKeyStore.key(String(decoding: line, as: UTF8.self)) else {
        // The line is not quoted because it may contain most of a key.
        throw SealingError(.failed, "\(path):\(index + 1): not a number and 64 hexadecimal digits")
      }
      keys.append(key)
    }
    return keys.sorted { $0.number < $1.number }
  }

  /// See `KeyStore.add(_:)`.
  public func add(_ key: SealingKey) throws(SealingError) {
    var all = try keys().filter { $0.number != key.number }
    all.append(key)
    try save(all)
  }

  /// See `KeyStore.remove(_:)`.
  public func remove(_ number: UInt32) throws(SealingError) {
    let all = try keys()
    let rest = all.filter { $0.number != number }
    if rest.count < all.count { try save(rest) }
  }

  private func save(_ keys: [SealingKey]) throws(SealingError) {
    var text = ""
    for key in keys.sorted(by: { $0.number < $1.number }) {
      text += "\(key.number) "
      for byte in key.bytes { text += (byte < 16 ? "0" : "") + String(byte, radix: 16) }
      text += "\n"
    }
    // Writes a new file and renames it: a crash leaves the old or the new file, never a part of one.
    let fresh = path + ".new"
    try? FileManager.default.removeItem(atPath: fresh)
    let descriptor = open(fresh, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    guard descriptor >= 0 else { throw FileKeyStore.failure(fresh) }
    let isWritten = FileKeyStore.put(Array(text.utf8), descriptor) && fsync(descriptor) == 0
    close(descriptor)
    guard isWritten, rename(fresh, path) == 0 else { throw FileKeyStore.failure(path) }
    // The rename survives a power failure only after the folder is synchronised as well.
    let folder = open(URL(fileURLWithPath: path).deletingLastPathComponent().path, O_RDONLY)
    if folder >= 0 {
      fsync(folder)
      close(folder)
    }
  }

  private static func put(_ bytes: [UInt8], _ descriptor: Int32) -> Bool {
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count <= 0 { return false }
      done += count
    }
    return true
  }

  private static func failure(_ path: String) -> SealingError {
    SealingError(.failed, "\(path): \(String(cString: strerror(errno)))")
  }

  private static func key(_ line: String) -> SealingKey? {
    let parts = line.split(separator: " ")
    guard parts.count == 2, let number = UInt32(parts[0]), number > 0, parts[1].utf8.count == 64 else { return nil }
    var bytes: [UInt8] = []
    var high: UInt8?
    for digit in parts[1] {
      guard let value = digit.hexDigitValue.map(UInt8.init) else { return nil }
      if let first = high {
        bytes.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return SealingKey(number: number, bytes: bytes)
  }
}
