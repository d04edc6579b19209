import CordonTestSupport
import Dispatch
import Foundation
import Glibc

/// A TCP server on loopback that sends scripted lines and then closes the connection or not: a minimal gpsd.
///
/// `@unchecked Sendable` holds because every access to the mutable fields happens with `lock` held.
final class LineServer: @unchecked Sendable {
  let port: UInt16
  private let listener: Int32
  private let lock = NSLock()
  private var scripts: [[String]]
  private var heardFirst: [String] = []
  private var open: [Int32] = []

  /// - Parameter scripts: the lines for each connection before it is closed; the last connection stays open.
  init(_ scripts: [[String]]) throws {
    self.scripts = scripts
    (listener, port) = try Loopback.listen()
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

  /// The first lines of the clients, in order of connection.
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
    // In two pieces, so that a line arrives in parts.
    let middle = bytes.count / 2
    for piece in [bytes[..<middle], bytes[middle...]] where !piece.isEmpty {
      _ = piece.withUnsafeBytes { send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }
    if isLast { lock.withLock { open.append(client) } } else { close(client) }
  }
}
