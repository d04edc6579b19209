import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import CordonServer

/// The deadlines of a connection, with a clock that the test advances.
@Suite("Deadlines")
struct DeadlineTests {
  private let head = HTTPRequestPart.head(HTTPRequest(method: .post, scheme: "http", authority: "x", path: "/"))
  private let drop = HTTPRequestPart.body(ByteBuffer(string: " "))

  private func channel() throws -> EmbeddedChannel {
    let channel = EmbeddedChannel()
    try channel.pipeline.syncOperations.addHandlers([
      HalfClosing(), RequestDeadline(idle: .seconds(10), body: .seconds(3)),
    ])
    try channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    return channel
  }

  /// An embedded channel cannot close one direction only.
  private final class HalfClosing: ChannelOutboundHandler {
    typealias OutboundIn = HTTPResponsePart

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
      if case .all = mode { return context.close(promise: promise) }
      promise?.succeed()
    }
  }

  private func answer(_ channel: EmbeddedChannel, _ fields: HTTPFields = [:]) throws {
    try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok, headerFields: fields)))
    try channel.writeOutbound(HTTPResponsePart.end(nil))
  }

  @Test func aSlowClientIsDisconnected() throws {
    let channel = try channel()
    try channel.writeInbound(head)
    for _ in 0..<29 {
      channel.embeddedEventLoop.advanceTime(by: .milliseconds(100))
      try channel.writeInbound(drop)
    }
    #expect(channel.isActive)
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(100))
    #expect(!channel.isActive, "drops do not move the deadline")
  }

  @Test func anIdleClientIsDisconnected() throws {
    let channel = try channel()
    channel.embeddedEventLoop.advanceTime(by: .seconds(9))
    #expect(channel.isActive)
    try channel.writeInbound(head)
    try channel.writeInbound(HTTPRequestPart.end(nil))
    // The answer has no deadline.
    channel.embeddedEventLoop.advanceTime(by: .hours(5))
    #expect(channel.isActive)
    try answer(channel)
    channel.embeddedEventLoop.advanceTime(by: .seconds(9))
    #expect(channel.isActive)
    channel.embeddedEventLoop.advanceTime(by: .seconds(1))
    #expect(!channel.isActive)
  }

  @Test func theLastAnswerClosesTheConnectionWhileTheClientSends() throws {
    let channel = try channel()
    try channel.writeInbound(head)
    try channel.writeInbound(drop)
    try answer(channel, [.connection: "close"])
    #expect(channel.isActive, "the client may read the answer first")
    channel.embeddedEventLoop.advanceTime(by: .seconds(1))
    #expect(!channel.isActive)
    let flooded = try self.channel()
    try flooded.writeInbound(head)
    try answer(flooded, [.connection: "close"])
    var pieces = 0
    while flooded.isActive, pieces < 100 {
      try flooded.writeInbound(HTTPRequestPart.body(ByteBuffer(repeating: 32, count: 65_536)))
      pieces += 1
    }
    #expect(pieces < 20, "what nobody reads is not taken for ever")
    let done = try self.channel()
    try done.writeInbound(head)
    try done.writeInbound(HTTPRequestPart.end(nil))
    try answer(done, [.connection: "close"])
    #expect(!done.isActive)
  }
}
