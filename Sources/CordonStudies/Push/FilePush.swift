internal import CordonSupport
internal import Foundation

/// Appends messages to a file, a line of JSON each: for tests, and for programs that send them by another way.
package struct FilePush: PushPort {
  private let path: String

  /// Creates an adapter. The file is made when it is not there, readable by its owner.
  package init(path: String) { self.path = path }

  /// Appends a message in one write.
  package func send(_ message: PushMessage) async -> PushResult {
    let line: JSONValue = [
      "key": .string(message.key), "service": .string(message.service), "token": .string(message.token),
      "language": .string(message.language), "permissions": .array(message.permissions.map { .string($0.rawValue) }),
    ]
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return .failed }
    defer { close(descriptor) }
    let bytes = Array((line.text() + "\n").utf8)
    return write(descriptor, bytes, bytes.count) == bytes.count ? .sent : .failed
  }
}
