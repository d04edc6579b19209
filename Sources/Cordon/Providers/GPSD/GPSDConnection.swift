#if os(Linux)
  import CordonCore
  import Dispatch
  import Glibc

  /// The reason why connecting to gpsd failed.
  package struct GPSDFailure: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
  }

  /// A connection to a gpsd daemon that reports in JSON.
  package final class GPSDConnection {
    package enum Next {
      case line([UInt8])
      case silence
      case end
    }

    private let socket: Int32
    private var pending: [UInt8] = []
    /// The number of bytes of `pending` that were returned.
    private var consumed = 0
    private var buffer = [UInt8](repeating: 0, count: 8_192)

    /// Connects, and requests reports.
    package init(to address: GPSDProvider.Address) throws(GPSDFailure) {
      socket = try GPSDConnection.connect(address)
      let watch = Array("?WATCH={\"enable\":true,\"json\":true};\n".utf8)
      guard send(socket, watch, watch.count, Int32(MSG_NOSIGNAL)) == watch.count else {
        let reason = String(cString: strerror(errno))
        close(socket)
        throw GPSDFailure("gpsd at \(address): \(reason)")
      }
    }

    deinit { close(socket) }

    /// Waits for the next line for at most `milliseconds`.
    package func next(within milliseconds: Int32) -> Next {
      while true {
        if let end = pending[consumed...].firstIndex(of: 0x0A) {
          let line = Array(pending[consumed..<end])
          consumed = end + 1
          return .line(line)
        }
        pending.removeFirst(consumed)
        consumed = 0
        // gpsd's lines have at most some thousand bytes; a sender of this much is not gpsd.
        if pending.count > 1 << 20 { return .end }
        var question = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        let count = poll(&question, 1, milliseconds)
        if count < 0, errno == EINTR { continue }
        if count == 0 { return .silence }
        if count < 0 { return .end }
        let received = recv(socket, &buffer, buffer.count, 0)
        if received < 0, errno == EINTR || errno == EAGAIN { continue }
        if received <= 0 { return .end }
        pending.append(contentsOf: buffer[0..<received])
      }
    }

    private static func connect(_ address: GPSDProvider.Address) throws(GPSDFailure) -> Int32 {
      var hints = addrinfo()
      hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
      var list: UnsafeMutablePointer<addrinfo>?
      let code = getaddrinfo(address.host, String(address.port), &hints, &list)
      guard code == 0 else {
        throw GPSDFailure("the host of gpsd, \(address.host), is not known: \(String(cString: gai_strerror(code)))")
      }
      defer { freeaddrinfo(list) }
      var reason = "no address"
      var next = list
      while let info = next?.pointee {
        next = info.ai_next
        let handle = Glibc.socket(
          info.ai_family, info.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), info.ai_protocol)
        guard handle >= 0 else { continue }
        // On Linux the limit for sending also limits an attempt to connect.
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(handle, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        if Glibc.connect(handle, info.ai_addr, info.ai_addrlen) == 0 { return handle }
        reason = errno == EINPROGRESS ? "no answer" : String(cString: strerror(errno))
        close(handle)
      }
      throw GPSDFailure("no gpsd at \(address): \(reason)")
    }
  }

  /// Requests a reading thread to stop.
  ///
  /// A semaphore that every successful wait signals again: after the first request, every question returns `true`.
  final class GPSDStop: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func request() { semaphore.signal() }

    var isRequested: Bool { waits(until: .now()) }

    /// Waits; returns `true` early when a stop is requested.
    func waits(for span: TimeSpan) -> Bool { waits(until: .now() + .milliseconds(Int(span.milliseconds))) }

    private func waits(until time: DispatchTime) -> Bool {
      guard semaphore.wait(timeout: time) == .success else { return false }
      semaphore.signal()
      return true
    }
  }
#endif
