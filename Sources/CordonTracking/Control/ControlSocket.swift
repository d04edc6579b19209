#if os(Linux)
  import Dispatch
  import Foundation
  import Glibc

  /// A socket beside the store through which other processes of the same owner talk to a running tracker.
  ///
  /// Each connection carries one line in and one line out. Other users cannot open the socket.
  package final class ControlSocket: Sendable {
    private let listener: Int32
    private let path: String

    /// Returns the path of the socket of a store.
    package static func path(ofStore store: String) -> String { store + ".sock" }

    /// Sends the answer to a line.
    package typealias Reply = @Sendable (String) -> Void

    /// Listens on a socket. The caller must have the lock of the store, because an existing socket is removed as a
    /// leftover.
    ///
    /// - Parameters:
    ///   - store: the path of the store.
    ///   - answer: called on the socket's own thread with each line. It must call the reply once, on any thread. The
    ///     socket itself does not wait for a task.
    package init(store: String, answer: @escaping @Sendable (String, @escaping Reply) -> Void) throws(TrackerError) {
      path = ControlSocket.path(ofStore: store)
      unlink(path)
      listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      let isOpen = ControlSocket.with(path) { address, length in
        // The mode is set before anybody can connect.
        bind(listener, address, length) == 0 && chmod(path, 0o600) == 0 && listen(listener, 8) == 0
      }
      guard isOpen else {
        let reason = String(cString: strerror(errno))
        close(listener)
        throw TrackerError("no-control", "the control socket cannot be made: \(reason)", file: path)
      }
      let handle = listener
      let thread = Thread { ControlSocket.serve(handle, answer) }
      thread.name = "control"
      thread.start()
    }

    /// Stops listening.
    package func stop() {
      shutdown(listener, Int32(SHUT_RDWR))
      unlink(path)
    }

    private static func serve(_ listener: Int32, _ answer: @Sendable (String, @escaping Reply) -> Void) {
      while true {
        let client = accept(listener, nil, nil)
        if client < 0 {
          if errno == EINTR || errno == ECONNABORTED { continue }
          close(listener)
          return
        }
        setTimeouts(client, 30)
        if let line = readLine(client) {
          let done = DispatchSemaphore(value: 0)
          answer(line) { text in
            _ = write(text + "\n", to: client)
            done.signal()
          }
          done.wait()
        }
        close(client)
      }
    }

    /// Sends a line to the tracker that has a store open, and returns the answer. Returns `nil` if there is none, or if
    /// it does not answer in time.
    ///
    /// - Parameters:
    ///   - store: the path of the store.
    ///   - line: the line to send.
    ///   - seconds: the maximum time of each operation on the socket, in seconds.
    package static func ask(store: String, _ line: String, within seconds: Int = 30) -> String? {
      let path = path(ofStore: store)
      let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      guard client >= 0 else { return nil }
      defer { close(client) }
      setTimeouts(client, seconds)
      guard with(path, { Glibc.connect(client, $0, $1) == 0 }), write(line + "\n", to: client) else { return nil }
      return readLine(client)
    }

    private static func setTimeouts(_ client: Int32, _ seconds: Int) {
      var limit = timeval(tv_sec: seconds, tv_usec: 0)
      setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
      setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    private static func readLine(_ client: Int32) -> String? {
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 4_096)
      while bytes.count < 1 << 20 {
        let count = recv(client, &buffer, buffer.count, 0)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return nil }
        bytes.append(contentsOf: buffer[0..<count])
        if let end = bytes.firstIndex(of: 0x0A) { return String(decoding: bytes[..<end], as: UTF8.self) }
      }
      return nil
    }

    private static func write(_ text: String, to client: Int32) -> Bool {
      let bytes = Array(text.utf8)
      var done = 0
      while done < bytes.count {
        let count = bytes[done...].withUnsafeBytes { send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        if count < 0, errno == EINTR { continue }
        if count <= 0 { return false }
        done += count
      }
      return true
    }

    /// Calls `body` with the address of a path; returns `false` if the path is too long for a socket.
    private static func with(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Bool) -> Bool {
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      let bytes = Array(path.utf8)
      let capacity = MemoryLayout.size(ofValue: address.sun_path)
      guard bytes.count < capacity else {
        errno = ENAMETOOLONG
        return false
      }
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
      let length = socklen_t(MemoryLayout<sockaddr_un>.size)
      return withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
      }
    }
  }
#endif
