#if os(Linux)
  import CordonCore
  public import CordonMonitoring
  import Dispatch
  import Foundation
  import Glibc

  /// Fixes from a gpsd daemon, over its JSON protocol on TCP.
  ///
  /// gpsd cannot watch regions and costs no battery worth saving, so this provider delivers every fix all the time, and
  /// the monitor decides. A connection that ends is made again, with growing waits of up to a minute.
  public final class GPSDProvider: LocationProvider {
    private let host: String
    private let port: UInt16
    private let endsWithConnection: Bool

    /// - Parameters:
    ///   - host: a name or an address.
    ///   - endsWithConnection: whether ``events()`` ends when gpsd hangs up, instead of connecting again.
    public init(host: String = "localhost", port: UInt16 = 2947, endsWithConnection: Bool = false) {
      self.host = host
      self.port = port
      self.endsWithConnection = endsWithConnection
    }

    /// See ``LocationProvider/obey(_:)``; there is nothing to obey.
    public func obey(_ command: Command) {}

    /// See ``LocationProvider/events()``.
    public func events() -> AsyncStream<Event.Kind> {
      let (stream, continuation) = AsyncStream.makeStream(of: Event.Kind.self, bufferingPolicy: .bufferingNewest(1_000))
      let reader = Reader(host: host, port: port, isOnce: endsWithConnection, continuation: continuation)
      let thread = Thread { reader.run() }
      thread.name = "gpsd"
      thread.start()
      continuation.onTermination = { _ in reader.stop() }
      return stream
    }

    /// Reads lines on a thread of its own; only `isStopped` is shared, under its lock.
    private final class Reader: Sendable {
      private let host: String
      private let port: UInt16
      private let isOnce: Bool
      private let continuation: AsyncStream<Event.Kind>.Continuation
      private let stopped = DispatchSemaphore(value: 0)

      init(host: String, port: UInt16, isOnce: Bool, continuation: AsyncStream<Event.Kind>.Continuation) {
        self.host = host
        self.port = port
        self.isOnce = isOnce
        self.continuation = continuation
      }

      func stop() { stopped.signal() }

      /// Whether reading is to end; waits for so long to be told.
      private func isStopped(within seconds: Int) -> Bool {
        let isStopped = stopped.wait(timeout: .now() + .seconds(seconds)) == .success
        // The next question has the same answer.
        if isStopped { stopped.signal() }
        return isStopped
      }

      func run() {
        var wait = 1
        while true {
          if let socket = GPSDProvider.connect(host, port) {
            wait = 1
            read(socket)
            close(socket)
          }
          if isOnce || isStopped(within: wait) { break }
          wait = min(wait * 2, 60)
        }
        continuation.finish()
      }

      private func read(_ socket: Int32) {
        let watch = Array(#"?WATCH={"enable":true,"json":true};"#.utf8) + [0x0A]
        guard send(socket, watch, watch.count, Int32(MSG_NOSIGNAL)) == watch.count else { return }
        var pending: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 8_192)
        while !isStopped(within: 0) {
          let count = recv(socket, &buffer, buffer.count, 0)
          if count < 0, errno == EAGAIN || errno == EINTR { continue }
          if count <= 0 { return }
          pending.append(contentsOf: buffer[0..<count])
          while let end = pending.firstIndex(of: 0x0A) {
            // A line that cannot be read is one fix less; gpsd adds new classes now and then.
            if let fix = try? GPSDReport.fix(line: Array(pending[0..<end])) { continuation.yield(.fix(fix)) }
            pending.removeFirst(end + 1)
          }
          // gpsd's lines have at most some thousand bytes.
          if pending.count > 1 << 20 { return }
        }
      }
    }

    /// A connected socket whose reads end after a second, so that a stop is noticed.
    private static func connect(_ host: String, _ port: UInt16) -> Int32? {
      var hints = addrinfo()
      hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
      var list: UnsafeMutablePointer<addrinfo>?
      guard getaddrinfo(host, String(port), &hints, &list) == 0 else { return nil }
      defer { freeaddrinfo(list) }
      var next = list
      while let info = next?.pointee {
        let handle = socket(info.ai_family, info.ai_socktype, info.ai_protocol)
        if handle >= 0 {
          var timeout = timeval(tv_sec: 1, tv_usec: 0)
          setsockopt(handle, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
          if Glibc.connect(handle, info.ai_addr, info.ai_addrlen) == 0 { return handle }
          close(handle)
        }
        next = info.ai_next
      }
      return nil
    }
  }
#endif
