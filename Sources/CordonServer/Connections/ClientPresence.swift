internal import NIOConcurrencyHelpers
internal import NIOCore

/// Whether a client still waits for its response: a client that closes its side of the connection is gone.
final class ClientPresence: Sendable {
  private let state = NIOLockedValueBox(false)

  var isGone: Bool { state.withLockedValue { $0 } }

  func leave() { state.withLockedValue { $0 = true } }

  /// Returns a check of whether the client of a connection is gone.
  static func check(of channel: any Channel) async -> @Sendable () -> Bool {
    let found = try? await channel.eventLoop.submit {
      try channel.pipeline.syncOperations.handler(type: RequestDeadline.self).presence
    }.get()
    return { !channel.isActive || found?.isGone ?? false }
  }
}
