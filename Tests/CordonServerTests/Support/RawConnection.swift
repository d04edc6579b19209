import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A connection that sends raw bytes. It blocks its own threads, never one of the pool.
final class RawConnection: Sendable {
  private let descriptor: Int32
  /// The received text, piece by piece, until the other end closes.
  let pieces: AsyncStream<String>

  init(port: Int) throws {
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    let descriptor = socket(AF_INET, kind, 0)
    self.descriptor = descriptor
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    pieces = stream
    guard isConnected else {
      close(descriptor)
      throw Program.Failure("no connection to port \(port)")
    }
    Thread.detachNewThread {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count <= 0 { break }
        continuation.yield(String(decoding: buffer[0..<count], as: UTF8.self))
      }
      continuation.finish()
    }
  }

  // Only wakes the reader; the descriptor is released when the process ends, so that no thread uses another's socket.
  deinit { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Sends as much as the other end accepts, on its own thread, and then closes its direction if `thenEnd` is set.
  func send(_ parts: [String], thenEnd: Bool = false) {
    let descriptor = descriptor
    Thread.detachNewThread {
      for part in parts {
        let bytes = Array(part.utf8)
        var sent = 0
        while sent < bytes.count {
          let count = bytes[sent...].withUnsafeBytes {
            #if canImport(Darwin)
              Darwin.send(descriptor, $0.baseAddress, $0.count, 0)
            #else
              Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            #endif
          }
          if count <= 0 { return }
          sent += count
        }
      }
      if thenEnd { _ = shutdown(descriptor, Int32(SHUT_WR)) }
    }
  }

  /// Reads until a word arrives, or the other end closes.
  func text(until word: String) async -> String {
    var text = ""
    for await piece in pieces {
      text += piece
      if text.contains(word) { break }
    }
    return text
  }

  /// Reads until the other end closes.
  func rest() async -> String { await pieces.reduce(into: "") { $0 += $1 } }
}
