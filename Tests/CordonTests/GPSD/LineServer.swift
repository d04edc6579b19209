import Dispatch
import Foundation
import Glibc

/// A TCP server on loopback that says the same to everyone who comes, and hangs up or not: a gpsd of a few lines.
///
/// `@unchecked Sendable` holds because what changes is touched under `lock` only.
final class LineServer: @unchecked Sendable {
  let port: UInt16
  private let listener: Int32
  private let lock = NSLock()
  private var scripts: [[String]]
  private var heardFirst: [String] = []
  private var open: [Int32] = []

  /// - Parameter scripts: what each connection is told before it is closed; the last connection stays open.
  init(_ scripts: [[String]]) throws {
    self.scripts = scripts
    (listener, port) = try LineServer.listen()
    let thread = Thread { [weak self, listener] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0, let self else { return }
        self.serve(client)
      }
    }
    thread.start()
  }

  deinit {
    for client in open { close(client) }
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  /// What the clients said first, in their order.
  var questions: [String] { lock.withLock { heardFirst } }

  private func serve(_ client: Int32) {
    var buffer = [UInt8](repeating: 0, count: 1_024)
    let count = max(0, recv(client, &buffer, buffer.count, 0))
    let question = String(decoding: buffer[0..<count], as: UTF8.self)
    let (lines, isLast) = lock.withLock { () -> ([String], Bool) in
      heardFirst.append(question)
      let lines = scripts.isEmpty ? [] : scripts.removeFirst()
      return (lines, scripts.isEmpty)
    }
    let bytes = Array(lines.map { $0 + "\r\n" }.joined().utf8)
    // In two pieces, so that a line arrives in halves.
    let middle = bytes.count / 2
    for piece in [bytes[..<middle], bytes[middle...]] where !piece.isEmpty {
      _ = piece.withUnsafeBytes { send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }
    if isLast { lock.withLock { open.append(client) } } else { close(client) }
  }

  struct Failure: Error {}

  /// A port of loopback that is free, and a socket that listens on it.
  static func listen() throws -> (socket: Int32, port: UInt16) {
    let handle = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(handle, $0, length) == 0 && Glibc.listen(handle, 16) == 0 && getsockname(handle, $0, &length) == 0
      }
    }
    guard isBound else { throw Failure() }
    return (handle, UInt16(bigEndian: address.sin_port))
  }
}
