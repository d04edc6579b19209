#if os(Linux)
  package import Foundation
  import Glibc

  /// A port of loopback to which a browser on this machine returns after a sign-in (RFC 8252, section 7.3).
  package final class LoopbackRedirect: Sendable {
    private let listener: Int32
    private let redirect: URL

    /// Listens on the port of an address such as `http://127.0.0.1:8766/signed-in`.
    /// - Throws: an error when the address is not of loopback, or the port is in use.
    package init(_ redirect: URL) throws(TrackerError) {
      guard redirect.scheme == "http", let host = redirect.host, ["127.0.0.1", "localhost"].contains(host),
        let port = redirect.port.flatMap(UInt16.init(exactly:))
      else { throw TrackerError("bad-redirect", "redirect is not http://127.0.0.1:PORT/PATH") }
      self.redirect = redirect
      listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      var reuse: Int32 = 1
      setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      let isOpen = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
      }
      guard isOpen, listen(listener, 4) == 0 else {
        let reason = String(cString: strerror(errno))
        throw TrackerError("bad-redirect", "port \(port) cannot be used: \(reason)")
      }
    }

    deinit { close(listener) }

    /// Waits for the browser, and returns the address to which it was sent.
    ///
    /// Any page can send a browser to this port, and any program of the machine can connect to it. Requests for another path, or
    /// with another `state`, are answered with 404 and end nothing.
    /// - Parameters:
    ///   - page: the page of the provider, whose `state` the answer repeats.
    ///   - seconds: the longest wait.
    package func wait(for page: URL, seconds: Int = 600) async throws -> URL {
      let state = LoopbackRedirect.state(of: page)
      return try await withCheckedThrowingContinuation { continuation in
        let thread = Thread { [self] in
          do throws(TrackerError) {
            continuation.resume(returning: try serve(state, seconds))
          } catch {
            continuation.resume(throwing: error)
          }
        }
        thread.name = "redirect"
        thread.start()
      }
    }

    private static func state(of url: URL) -> String? {
      URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems?.first { $0.name == "state" }?.value
    }

    private func serve(_ state: String?, _ seconds: Int) throws(TrackerError) -> URL {
      let end = time(nil) + seconds
      while true {
        var ready = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        let left = end - time(nil)
        guard left > 0 else { throw TrackerError("timeout", "the browser did not return in time") }
        if poll(&ready, 1, Int32(clamping: left * 1_000)) <= 0 { continue }
        let client = accept(listener, nil, nil)
        if client < 0 { continue }
        defer { close(client) }
        if let url = answer(client, state) { return url }
      }
    }

    private func answer(_ client: Int32, _ state: String?) -> URL? {
      var limit = timeval(tv_sec: 5, tv_usec: 0)
      setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 4_096)
      // A client that sends a little at a time does not keep the browser out.
      let end = time(nil) + 5
      while bytes.count < 16_384, !bytes.contains(0x0a), time(nil) <= end {
        let count = recv(client, &buffer, buffer.count, 0)
        if count <= 0 { break }
        bytes += buffer[0..<count]
      }
      let words = bytes.prefix { $0 != 0x0d && $0 != 0x0a }.split(separator: 0x20)
      var url: URL?
      if words.count == 3, words[0].elementsEqual("GET".utf8) {
        let target = String(decoding: words[1], as: UTF8.self)
        url = URL(string: target, relativeTo: redirect)?.absoluteURL
        if url?.path != redirect.path || url?.host != redirect.host || url?.port != redirect.port { url = nil }
        if let found = url, LoopbackRedirect.state(of: found) != state { url = nil }
      }
      let text = url == nil ? "Not found.\n" : "You can close this page.\n"
      let head =
        "HTTP/1.1 \(url == nil ? "404 Not Found" : "200 OK")\r\nContent-Type: text/plain; charset=utf-8\r\n"
        + "Content-Length: \(text.utf8.count)\r\nConnection: close\r\n\r\n"
      let answer = Array((head + text).utf8)
      _ = send(client, answer, answer.count, Int32(MSG_NOSIGNAL))
      return url
    }
  }
#endif
