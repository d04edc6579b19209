internal import NIOCore
internal import NIOHTTPTypes

/// Closes connections that take too long to send a request, or send none: a client that drips its bytes holds a
/// connection for half a minute, and nothing else.
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
    switch unwrapInboundIn(data) {
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
    if case .end = unwrapOutboundIn(data) {
      isAnswering = false
      if !isReceiving { start(idle, context) }
    }
    context.write(data, promise: promise)
  }
}
