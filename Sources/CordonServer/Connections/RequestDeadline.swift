internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypes

/// Closes connections that are idle or too slow to send a request. A client that drips bytes holds only a connection,
/// for half a minute. Also closes after a response that announces it, even while the client still sends.
final class RequestDeadline: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  /// Whether the client still waits.
  let presence = ClientPresence()
  private let idle: TimeAmount
  private let body: TimeAmount
  /// The current deadline of the connection.
  private var due: NIODeadline?
  /// A timer that fires no later than ``due``. It does not move with ``due``: an event loop searches all its timers to
  /// cancel one, which costs too much for every request of thousands of connections.
  private var timer: Scheduled<Void>?
  private var isReceiving = false
  private var isAnswering = false
  /// Whether a part of a head has arrived; its deadline also covers the rest of the request.
  private var isHeadComing = false
  /// Whether the response is the last one of the connection.
  private var isLast = false
  /// Whether the last response is sent while the client still sends.
  private var isLingering = false
  private var lingered = 0
  /// The maximum time and bytes for which a client may continue after the last response, so that it can read it.
  static let lingering = (time: TimeAmount.seconds(1), bytes: 1 << 20)

  /// - Parameters:
  ///   - idle: between an answer and the first byte of the next request.
  ///   - body: from the first byte to the end of a request.
  init(idle: TimeAmount, body: TimeAmount) {
    self.idle = idle
    self.body = body
  }

  private func start(_ amount: TimeAmount, _ context: ChannelHandlerContext) {
    let now = context.eventLoop.now
    due = now + amount
    guard timer == nil || amount < min(idle, body) else { return }
    timer?.cancel()
    wake(at: min(now + amount, now + min(idle, body)), context)
  }

  private func wake(at time: NIODeadline, _ context: ChannelHandlerContext) {
    let here = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    timer = context.eventLoop.scheduleTask(deadline: time) {
      let (handler, context) = here.value
      handler.look(context)
    }
  }

  private func look(_ context: ChannelHandlerContext) {
    let now = context.eventLoop.now
    if let due, due <= now {
      timer = nil
      return context.close(promise: nil)
    }
    let next = now + min(idle, body)
    wake(at: min(due ?? next, next), context)
  }

  func handlerAdded(context: ChannelHandlerContext) {
    if context.channel.isActive { start(idle, context) }
    // HTTP heads arrive complete; their first bytes are seen before decoding. Pipelines without a decoder have none.
    let pipeline = context.pipeline.syncOperations
    guard let decoder = try? pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self) else { return }
    let here = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let watch = FirstBytes {
      let (handler, context) = here.value
      handler.bytesCame(context)
    }
    try? pipeline.addHandler(watch, position: .before(decoder))
  }

  private func bytesCame(_ context: ChannelHandlerContext) {
    guard !isReceiving, !isAnswering, !isHeadComing, !isLingering else { return }
    isHeadComing = true
    start(body, context)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    timer?.cancel()
    timer = nil
  }

  func channelActive(context: ChannelHandlerContext) {
    start(idle, context)
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    timer = nil
    context.fireChannelInactive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed = event { presence.leave() }
    context.fireUserInboundEventTriggered(event)
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
      if !isHeadComing { start(body, context) }
      isHeadComing = false
    case .body: break
    case .end:
      isReceiving = false
      // Responses have no deadline here: event streams last for hours.
      due = nil
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
      // A client that does not read its response gets the same idle time as any other.
      start(idle, context)
      let written = promise ?? context.eventLoop.makePromise(of: Void.self)
      let here = NIOLoopBound((self, context), eventLoop: context.eventLoop)
      // Closing before all is written would truncate the response.
      written.futureResult.whenComplete { _ in
        let (handler, context) = here.value
        handler.finish(context)
      }
      context.writeAndFlush(data, promise: written)
      return
    case .end:
      isAnswering = false
      if !isReceiving { start(idle, context) }
    }
    context.write(data, promise: promise)
  }

  // Closing at once, with unread bytes of the client, would lose the response.
  private func finish(_ context: ChannelHandlerContext) {
    guard isReceiving else { return context.close(promise: nil) }
    isLingering = true
    context.close(mode: .output, promise: nil)
    start(Self.lingering.time, context)
    // The reader of the body no longer requests data.
    context.read()
  }
}

/// Calls back whenever bytes come, before they are read as HTTP.
private final class FirstBytes: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private let onBytes: () -> Void

  init(_ onBytes: @escaping () -> Void) { self.onBytes = onBytes }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    onBytes()
    context.fireChannelRead(data)
  }
}
