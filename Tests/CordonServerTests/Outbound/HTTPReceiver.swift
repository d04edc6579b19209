import CordonTestSupport
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A receiver of requests on a port of loopback, one request a connection, on threads of its own.
final class HTTPReceiver: Sendable {
  struct Request: Sendable {
    var line: String
    /// Names in lower case.
    var headers: [String: String]
    var body: [UInt8]
  }

  let port: UInt16
  /// The requests as they arrive.
  let requests: AsyncStream<Request>
  private let listener: Int32

  /// - Parameters:
  ///   - port: the port; 0 for any free one.
  ///   - answer: the answer to a request, with its number from 0 on, without `connection` and `content-length`.
  init(port: UInt16 = 0, answer: @escaping @Sendable (Int, Request) -> String = { _, _ in "204 No Content\r\n\r\n" })
    throws
  {
    (listener, self.port) = try Loopback.listen(port: port)
    let (stream, continuation) = AsyncStream.makeStream(of: Request.self)
    requests = stream
    Thread.detachNewThread { [listener] in
      var number = 0
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { break }
        if let request = Self.read(client) {
          let bytes = Array("HTTP/1.1 \(answer(number, request))".utf8)
          _ = bytes.withUnsafeBytes { send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
          number += 1
          continuation.yield(request)
        }
        close(client)
      }
      continuation.finish()
    }
  }

  deinit { stop() }

  /// Refuses connections from now on.
  func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

  /// Waits for the next request; `nil` after ``stop()``.
  func next() async -> Request? { await requests.first { _ in true } }

  private static func read(_ client: Int32) -> Request? {
    var data = Data()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    func more() -> Bool {
      let count = recv(client, &buffer, buffer.count, 0)
      guard count > 0 else { return false }
      data.append(contentsOf: buffer[..<count])
      return true
    }
    var end = data.range(of: Data("\r\n\r\n".utf8))
    while end == nil {
      guard more() else { return nil }
      end = data.range(of: Data("\r\n\r\n".utf8))
    }
    guard let end else { return nil }
    let lines = String(decoding: data[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    }
    let length = headers["content-length"].flatMap { Int($0) } ?? 0
    while data.count - end.upperBound < length { guard more() else { return nil } }
    return Request(line: lines[0], headers: headers, body: Array(data[end.upperBound...].prefix(length)))
  }
}
