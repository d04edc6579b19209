internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypes

/// Closes connections that take too long to send a request, or send none: a client that drips its bytes holds a
/// connection for half a minute, and nothing else. Closes, too, after an answer that says so, even while the client
/// goes on sending: what nobody will read is not waited for.
final class RequestDeadline: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  /// Whether the client still waits.
  let presence = ClientPresence()
  private let idle: TimeAmount
  private let body: TimeAmount
  /// When the connection is closed, as things stand.
  private var due: NIODeadline?
  /// Wakes up no later than ``due``. It is not moved with it: a loop looks through all of its timers to take one away,
  /// which is too dear to do for every request of thousands of connections.
  private var timer: Scheduled<Void>?
  private var isReceiving = false
  private var isAnswering = false
  /// A part of a head came; its deadline goes on for the rest of the request.
  private var isHeadComing = false
  /// The answer said that it is the last one.
  private var isLast = false
  /// The last answer is out, and the client still sends.
  private var isLingering = false
  private var lingered = 0
  /// How long, and for how many bytes, a client may go on after the last answer: time enough to read it.
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
    // Heads come here when they are whole; their first bytes are seen before they are read. Without a decoder there are none.
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
      // The answer may take its time: events go on for hours.
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
      // A client that does not read the answer is not waited for longer than any other.
      start(idle, context)
      let written = promise ?? context.eventLoop.makePromise(of: Void.self)
      let here = NIOLoopBound((self, context), eventLoop: context.eventLoop)
      // To close before all is written would cut the answer short.
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
