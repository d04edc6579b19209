import CordonForms
import CordonSharing
import NIOConcurrencyHelpers
import NIOCore

/// Runs a session on a connection, with limits of time.
struct ShareConversation: Sendable {
  /// Shows the code of this device, and returns the one that the person types.
  let ask: @Sendable (ShareCode) async -> String
  /// Stores received records whole.
  let store: @Sendable (FormRecords) throws -> ShareResult.Counts
  /// Whether the codes were shown. A connection that fails earlier had no chance with a person.
  let hasShownCode = NIOLockedValueBox(false)

  /// The time from a connection to the codes, for a device that is silent.
  private static let beginning = TimeAmount.seconds(30)
  /// The time for the persons to type the codes, and for the records.
  private static let whole = TimeAmount.minutes(15)

  /// Exchanges messages until the sharing is complete.
  /// - Parameter session: makes the session for the public key of the other device.
  /// - Throws: ``ShareError``, or an error of the connection.
  func run(
    _ connection: ShareLink.Connection, session make: @Sendable (_ peer: [UInt8]) -> ShareSession
  ) async throws -> ShareResult.Counts {
    let (channel, hasShownCode) = (connection.channel, hasShownCode)
    return try await connection.bytes().executeThenClose { inbound, outbound in
      let limits = [
        channel.eventLoop.scheduleTask(in: Self.beginning) {
          if !hasShownCode.withLockedValue({ $0 }) { channel.close(promise: nil) }
        }, channel.eventLoop.scheduleTask(in: Self.whole) { channel.close(promise: nil) },
      ]
      defer { for limit in limits { limit.cancel() } }
      try await channel.setOption(ChannelOptions.autoRead, value: true).get()
      var session = make(try await connection.peer.get())
      do {
        if let counts = try await perform(session.start(), &session, outbound) { return counts }
        for try await buffer in inbound {
          let outputs = try session.receive(Array(buffer.readableBytesView))
          if let counts = try await perform(outputs, &session, outbound) { return counts }
        }
        try session.end()
        throw ShareError(.truncated, "the connection ended early")
      } catch let error as ShareError {
        try? await outbound.write(ByteBuffer(bytes: ShareSession.refusal))
        throw error
      }
    }
  }

  /// Performs outputs in order. Returns the numbers when the sharing is complete.
  ///
  /// While the person types, nothing is read: the other device waits for both codes anyway.
  private func perform(
    _ outputs: [ShareSession.Output], _ session: inout ShareSession,
    _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
  ) async throws -> ShareResult.Counts? {
    var rest = outputs[...]
    while let output = rest.popFirst() {
      switch output {
      case .send(let bytes): try await outbound.write(ByteBuffer(bytes: bytes))
      case .show(let code):
        hasShownCode.withLockedValue { $0 = true }
        let typed = await ask(code)
        rest += try session.enter(typed)
      case .received(let records):
        let counts = try store(records)
        rest += try session.acknowledge(counts)
      case .finished(let counts): return counts
      }
    }
    return nil
  }
}
