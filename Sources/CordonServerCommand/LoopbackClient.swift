import Cordon
import CordonCommandLine
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Sends requests to a server on this machine, each on a connection and a thread of its own, so that nobody's place in the
/// pool is held while an answer is on its way.
struct LoopbackClient: Sendable {
  /// An answer.
  struct Answer: Sendable {
    var status: Int
    /// Names in lower case.
    var headers: [String: String]
    var body: Data
  }

  let port: Int

  func send(
    _ method: String, _ path: String, _ body: [UInt8] = [], headers: [String: String] = [:]
  ) async throws -> Answer {
    var fields = headers.map { "\($0.key): \($0.value)\r\n" }.sorted().joined()
    fields += "host: 127.0.0.1\r\nconnection: close\r\ncontent-length: \(body.count)\r\n"
    let request = Array("\(method) \(path) HTTP/1.1\r\n\(fields)\r\n".utf8) + body
    let port = port
    return try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { try Self.exchange(request, port: port) })
      }
    }
  }

  /// Whether a connection is accepted.
  var isAccepted: Bool {
    guard let descriptor = try? Self.connected(port: port) else { return false }
    close(descriptor)
    return true
  }

  /// Returns the socket of a new connection, which waits at most a minute for each part.
  private static func connected(port: Int) throws -> Int32 {
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    let descriptor = socket(AF_INET, kind, 0)
    var limit = timeval(tv_sec: 60, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(truncatingIfNeeded: port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else {
      close(descriptor)
      throw CommandError("no connection to 127.0.0.1:\(port)")
    }
    return descriptor
  }

  private static func exchange(_ request: [UInt8], port: Int) throws -> Answer {
    #if canImport(Darwin)
      let flags = Int32(0)
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    let descriptor = try connected(port: port)
    defer { close(descriptor) }
    var sent = 0
    while sent < request.count {
      let count = request[sent...].withUnsafeBytes {
        sendto(descriptor, $0.baseAddress, $0.count, flags, nil, 0)
      }
      // An answer may come before the request has gone.
      if count <= 0 { break }
      sent += count
    }
    var answer = Data()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count <= 0 { break }
      answer.append(contentsOf: buffer[0..<count])
    }
    return try read(answer)
  }

  private static func read(_ bytes: Data) throws -> Answer {
    guard let end = bytes.range(of: Data("\r\n\r\n".utf8)) else { throw CommandError("no answer") }
    let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ")
    guard words.count >= 2, let status = Int(words[1]) else { throw CommandError("no answer of HTTP") }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    }
    let body = Data(bytes[end.upperBound...])
    if let text = headers["content-length"], let length = Int(text), length > body.count {
      throw CommandError("an answer that is cut short")
    }
    return Answer(status: status, headers: headers, body: body)
  }
}

extension LoopbackClient: HTTPTransport {
  /// Sends a message of a device. The scheme, the host and the port of its address are those of this client.
  func send(_ message: HTTPRequest) async -> HTTPResponse {
    let parts = URLComponents(url: message.url, resolvingAgainstBaseURL: true)
    let query = parts?.percentEncodedQuery.map { "?\($0)" } ?? ""
    do {
      let answer = try await send(
        message.method, (parts?.percentEncodedPath ?? "/") + query, message.body, headers: message.headers)
      return HTTPResponse(status: answer.status, headers: answer.headers, body: Array(answer.body))
    } catch {
      return .none(because: "\(error)")
    }
  }
}
