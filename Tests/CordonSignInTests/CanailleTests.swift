import Cordon
import CordonCore
import CordonSignIn
import CordonTestSupport
import Foundation
import Testing

/// Sign-in at a provider of others: canaille of PyPI, which `scripts/setup --tests` installs.
@Suite("Sign-in at canaille", .serialized)
struct CanailleTests {
  static let python = Places.file(".build/health/bin/python").path
  static var isAvailable: Bool {
    FileManager.default.isExecutableFile(atPath: Places.file(".build/health/bin/canaille").path)
  }

  @Test(.enabled(if: isAvailable, "scripts/setup --tests installs canaille"), .timeLimit(.minutes(2)))
  func aPersonSignsInAndTheTokenIsRenewed() async throws {
    let port = try Loopback.freePort()
    let redirect = "http://127.0.0.1:8766/signed-in"
    let script = Places.file("Tests/CordonSignInTests/provider.py").path
    let child = try Child(CanailleTests.python, [script, String(port), redirect])
    let output = LineReader(child.output)
    #expect(try output.next() == "ready")
    let issuer = try #require(URL(string: "http://127.0.0.1:\(port)"))
    let vault = MemoryTokenVault()
    let configuration = SignInMachine.Configuration(
      issuer: issuer, client: "cordon-test", redirect: URL(string: redirect), scopes: ["openid", "profile"])
    let session = SignInSession(configuration, vault: vault)
    let input = FileHandle(fileDescriptor: child.input, closeOnDealloc: false)
    try await session.signIn(browser: { page in
      try input.write(contentsOf: Data((page.absoluteString + "\n").utf8))
      let back = try output.next()
      return try #require(URL(string: back), "\(back)")
    })
    let first = try #require(try vault.load())
    #expect(first.refresh != nil && first.identity != nil && first.expires != nil)
    await session.refused(first.access)
    let renewed = try await session.token().get()
    #expect(renewed != first.access)
    #expect(try vault.load()?.access == renewed)
    try await session.signOut()
    #expect(try vault.load() == nil)
    child.destroy()
  }
}

/// Lines of a pipe.
///
/// `@unchecked Sendable` holds because every access to the mutable field happens with `lock` held.
final class LineReader: @unchecked Sendable {
  private let handle: FileHandle
  private let lock = NSLock()
  private var rest = Data()

  init(_ descriptor: Int32) { handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false) }

  /// Returns the next line.
  func next() throws -> String {
    try lock.withLock {
      while true {
        if let end = rest.firstIndex(of: 0x0a) {
          let line = String(decoding: rest[rest.startIndex..<end], as: UTF8.self)
          rest = rest[rest.index(after: end)...]
          return line
        }
        let more = handle.availableData
        try #require(!more.isEmpty, "the provider ended")
        rest += more
      }
    }
  }
}

/// A value that several threads change.
///
/// `@unchecked Sendable` holds because every access to the mutable field happens with `lock` held.
final class Locked<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var content: Value

  init(_ value: Value) { content = value }

  var value: Value { lock.withLock { content } }
  func change(_ body: (inout Value) -> Void) { lock.withLock { body(&content) } }
}
