package import CordonMonitoring
package import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Keeps the tokens of one sign-in.
package protocol TokenVault: Sendable {
  /// Returns the kept tokens; `nil` without a sign-in.
  func load() throws(SignInError) -> TokenSet?
  /// Keeps tokens in place of the earlier ones. They are durable when it returns.
  func keep(_ set: TokenSet) throws(SignInError)
  /// Deletes the tokens.
  func forget() throws(SignInError)
}

/// Tokens in a file that a key of a `KeyStore` seals: the Keychain on Apple's systems, a file of keys on Linux.
package struct SealedTokenVault: TokenVault {
  private let path: String
  private let sealer: any Sealer
  private let place: [UInt8]

  /// - Parameters:
  ///   - path: the file; only its owner can read it.
  ///   - sealer: seals and opens it.
  ///   - issuer: the provider. Tokens of another one do not open.
  package init(path: String, sealer: any Sealer, issuer: URL) {
    self.path = path
    self.sealer = sealer
    place = Array("cordon.sign-in\n\(issuer.absoluteString)".utf8)
  }

  /// See ``TokenVault/load()``.
  package func load() throws(SignInError) -> TokenSet? {
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    do throws(SealingError) {
      return TokenSet(decoding: try sealer.open(Array(data), at: place))
    } catch {
      // The tokens of a lost key, or of another provider, are as good as none.
      if error.kind == .lostKey || error.kind == .damaged { return nil }
      throw .notKept(error.description)
    }
  }

  /// See ``TokenVault/keep(_:)``. A crash leaves the old or the new tokens.
  package func keep(_ set: TokenSet) throws(SignInError) {
    let sealed: [UInt8]
    do throws(SealingError) {
      sealed = try sealer.seal(set.encoded(), at: place)
    } catch {
      throw .notKept(error.description)
    }
    let fresh = path + ".new"
    unlink(fresh)
    let file = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure() }
    var done = 0
    while done < sealed.count {
      let count = sealed[done...].withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { break }
      done += count
    }
    let isWritten = done == sealed.count && fsync(file) == 0
    close(file)
    guard isWritten, rename(fresh, path) == 0 else { throw failure() }
  }

  /// See ``TokenVault/forget()``.
  package func forget() throws(SignInError) {
    guard unlink(path) == 0 || errno == ENOENT else { throw failure() }
  }

  private func failure() -> SignInError { .notKept("\(path): \(String(cString: strerror(errno)))") }
}

/// Tokens in memory, for tests and programs that do not keep a sign-in.
///
/// `@unchecked Sendable` holds because every access to the mutable fields happens with `lock` held.
package final class MemoryTokenVault: TokenVault, @unchecked Sendable {
  private let lock = NSLock()
  private var set: TokenSet?
  private var fault: SignInError?

  /// Makes a vault.
  package init(_ set: TokenSet? = nil) { self.set = set }

  /// Makes every later call fail; `nil` ends that.
  package func fail(_ error: SignInError?) { lock.withLock { fault = error } }

  /// See ``TokenVault/load()``.
  package func load() throws(SignInError) -> TokenSet? {
    try check()
    return lock.withLock { set }
  }

  /// See ``TokenVault/keep(_:)``.
  package func keep(_ set: TokenSet) throws(SignInError) {
    try check()
    lock.withLock { self.set = set }
  }

  /// See ``TokenVault/forget()``.
  package func forget() throws(SignInError) {
    try check()
    lock.withLock { set = nil }
  }

  private func check() throws(SignInError) {
    if let fault = lock.withLock({ fault }) { throw fault }
  }
}
