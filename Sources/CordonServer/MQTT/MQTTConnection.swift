internal import CordonCore
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOPosix

/// A connection to a broker.
struct MQTTConnection: Sendable {
  typealias Publish = @Sendable (MQTTMessage) async throws -> Void

  let broker: OutboundAddress
  let tls: OutboundTLS
  var group = MultiThreadedEventLoopGroup.singleton

  /// A monotonic time.
  private static var now: TimeSpan {
    .milliseconds(Int64(clamping: NIODeadline.now().uptimeNanoseconds / 1_000_000))
  }

  /// Connects, and exchanges messages until the connection breaks, a closure throws, or the task is cancelled.
  /// - Parameters:
  ///   - take: handles a message; messages are handled one after the other. One of quality 1 is acknowledged when it returns.
  ///   - work: publishes messages, from the moment when the broker is ready.
  func run(
    _ configuration: MQTTSession.Configuration,
    take: @escaping @Sendable (_ message: MQTTMessage, _ isCut: Bool) async throws -> Void,
    work: @escaping @Sendable (_ publish: @escaping Publish) async throws -> Void
  ) async throws {
    let channel = try await connect()
    try await channel.executeThenClose { inbound, outbound in
      let session = NIOLockedValueBox(MQTTSession(configuration, now: Self.now))
      let send: @Sendable (MQTTPacket) async throws -> Void = { packet in
        try await outbound.write(ByteBuffer(bytes: packet.encoded))
        session.withLockedValue { $0.noteSent(now: Self.now) }
      }
      let (becomesReady, ready) = AsyncStream.makeStream(of: Void.self)
      try await send(session.withLockedValue { $0.opening })
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          var decoder = MQTTDecoder()
          for try await buffer in inbound {
            decoder.feed(buffer.readableBytesView)
            while let packet = try decoder.next() {
              for action in try session.withLockedValue({ try $0.receive(packet, now: Self.now) }) {
                switch action {
                case .send(let packet): try await send(packet)
                case .ready: ready.finish()
                case .deliver(let message, let number, let isCut):
                  try await take(message, isCut)
                  if message.quality > 0 { try await send(.publishAcknowledgement(number: number)) }
                }
              }
            }
          }
          throw MQTTFault("the broker closed the connection")
        }
        group.addTask {
          while true {
            try await Task.sleep(for: .seconds(1))
            if let packet = try session.withLockedValue({ try $0.tick(now: Self.now) }) { try await send(packet) }
          }
        }
        group.addTask {
          for await _ in becomesReady {}
          try Task.checkCancellation()
          try await work { try await send(.publish($0, number: 0, isRepeated: false, isCut: false)) }
        }
        defer { group.cancelAll() }
        try await group.next()
      }
    }
  }

  private func connect() async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
    let (tls, broker) = (tls, broker)
    return try await ClientBootstrap(group: group).connectTimeout(.seconds(15))
      .connect(host: broker.host, port: broker.port) { channel in
        channel.eventLoop.makeCompletedFuture {
          if broker.usesTLS {
            let handler = try tls.handler(host: broker.host, isAddress: broker.isHostAnAddress)
            try channel.pipeline.syncOperations.addHandler(handler)
          }
          return try NIOAsyncChannel(wrappingChannelSynchronously: channel)
        }
      }
  }
}
