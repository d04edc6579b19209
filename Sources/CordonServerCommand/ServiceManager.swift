import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The service manager that started this process: systemd with `Type=notify`, or another one with its protocol.
///
/// A message is one datagram of `NAME=value` lines to the Unix socket that the variable `NOTIFY_SOCKET` names (sd_notify(3)).
/// A socket that cannot be reached is ignored, because the service works without it.
struct ServiceManager: Sendable {
  /// The states of a service.
  enum State: String, Sendable {
    /// The service answers requests.
    case ready = "READY=1\nSTATUS=Ready"
    /// The service finishes the requests in progress, and ends.
    case stopping = "STOPPING=1\nSTATUS=Stopping"
  }

  /// A path, or "@" and the name of an abstract socket.
  private let socketName: String

  /// The manager that an environment names; `nil` without one.
  init?(environment: [String: String]) {
    guard let name = environment["NOTIFY_SOCKET"], name.hasPrefix("/") || name.hasPrefix("@"), name.utf8.count > 1
    else { return nil }
    socketName = name
  }

  /// Reports a state.
  /// - Returns: whether the manager received it.
  @discardableResult
  func report(_ state: State) -> Bool {
    #if canImport(Glibc)
      let (kind, flags) = (Int32(SOCK_DGRAM.rawValue), Int32(MSG_NOSIGNAL))
    #elseif canImport(Darwin)
      let (kind, flags) = (SOCK_DGRAM, Int32(0))
    #else
      let (kind, flags) = (SOCK_DGRAM, Int32(MSG_NOSIGNAL))
    #endif
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var name = Array(socketName.utf8)
    guard name.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
    // The length of an abstract name counts; a path ends with a zero byte.
    let isAbstract = name[0] == UInt8(ascii: "@")
    if isAbstract { name[0] = 0 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    let offset = MemoryLayout<sockaddr_un>.size - MemoryLayout.size(ofValue: address.sun_path)
    let length = socklen_t(offset + name.count + (isAbstract ? 0 : 1))
    let descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let message = Array(state.rawValue.utf8)
    let sent = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(descriptor, message, message.count, flags, $0, length)
      }
    }
    return sent == message.count
  }

  /// Waits until the server begins to stop, which cancels the task, and reports that.
  func reportStop() async {
    while !Task.isCancelled { try? await Task.sleep(for: .seconds(3_600)) }
    report(.stopping)
  }
}
