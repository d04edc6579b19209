#if canImport(Glibc)
  import Glibc

  /// Ports of this machine.
  package enum Loopback {
    package struct Failure: Error {}

    /// A socket that listens on a port.
    /// - Parameter port: the port; 0 for any free one.
    package static func listen(port: UInt16 = 0) throws -> (socket: Int32, port: UInt16) {
      let handle = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      var isReused: Int32 = 1
      setsockopt(handle, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
      var (address, length) = address(port: port)
      let isBound = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(handle, $0, length) == 0 && Glibc.listen(handle, 16) == 0 && getsockname(handle, $0, &length) == 0
        }
      }
      guard isBound else { throw Failure() }
      return (handle, UInt16(bigEndian: address.sin_port))
    }

    /// A port on which nobody listens at the moment.
    package static func freePort() throws -> UInt16 {
      let (handle, port) = try listen()
      close(handle)
      return port
    }

    /// A connection.
    package static func connect(_ port: UInt16) throws -> Int32 {
      let handle = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      var (address, length) = address(port: port)
      let isConnected = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(handle, $0, length) == 0 }
      }
      guard isConnected else {
        close(handle)
        throw Failure()
      }
      return handle
    }

    private static func address(port: UInt16) -> (sockaddr_in, socklen_t) {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      address.sin_port = port.bigEndian
      return (address, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
#endif
