internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// Closes connections that take too long to send a request, or send none: a client that drips its bytes holds a
/// connection for half a minute, and nothing else. Closes, too, after an answer that says so, even while the client
/// goes on sending: what nobody will read is not waited for.
final class RequestDeadline: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let idle: TimeAmount
  private let body: TimeAmount
  private var timer: Scheduled<Void>?
  private var isReceiving = false
  private var isAnswering = false
  /// The answer said that it is the last one.
  private var isLast = false
  /// The last answer is out, and the client still sends.
  private var isLingering = false
  private var lingered = 0
  /// How long, and for how many bytes, a client may go on after the last answer: time enough to read it.
  static let lingering = (time: TimeAmount.seconds(1), bytes: 1 << 20)

  /// - Parameters:
  ///   - idle: between an answer and the head of the next request.
  ///   - body: from the head to the end of a request.
  init(idle: TimeAmount, body: TimeAmount) {
    self.idle = idle
    self.body = body
  }

  private func start(_ amount: TimeAmount, _ context: ChannelHandlerContext) {
    timer?.cancel()
    let channel = context.channel
    timer = context.eventLoop.scheduleTask(in: amount) { channel.close(promise: nil) }
  }

  func handlerAdded(context: ChannelHandlerContext) {
    if context.channel.isActive { start(idle, context) }
  }

  func channelActive(context: ChannelHandlerContext) {
    start(idle, context)
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let part = unwrapInboundIn(data)
    if isLingering {
      if case .body(let bytes) = part { lingered += bytes.readableBytes }
      if case .end = part { return context.close(promise: nil) }
      if lingered > Self.lingering.bytes { context.close(promise: nil) }
      return
    }
    switch part {
    case .head:
      isReceiving = true
      isAnswering = true
      start(body, context)
    case .body: break
    case .end:
      isReceiving = false
      // The answer may take its time: events go on for hours.
      timer?.cancel()
      if !isAnswering { start(idle, context) }
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(let head): isLast = head.headerFields[.connection] == "close"
    case .body: break
    case .end where isLast:
      isAnswering = false
      context.writeAndFlush(data, promise: promise)
      finish(context)
      return
    case .end:
      isAnswering = false
      if !isReceiving { start(idle, context) }
    }
    context.write(data, promise: promise)
  }

  // To close at once while bytes of the client are unread would take the answer from it.
  private func finish(_ context: ChannelHandlerContext) {
    guard isReceiving else { return context.close(promise: nil) }
    isLingering = true
    context.close(mode: .output, promise: nil)
    start(Self.lingering.time, context)
    // Whoever waits for the body no longer asks for more.
    context.read()
  }
}
