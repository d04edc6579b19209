internal import CordonIngest
internal import CordonWire
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// The fast path for batches of positions, the most frequent requests. Batches are read and validated on the event loop of
/// their connection and passed to the writer. The responses of a commit return to each loop together. All other requests
/// run as one task each, as do batches that take longer to read: large ones, compressed or not.
///
/// Responses keep the order of the requests. Requests behind a batch wait for its response; a batch behind another
/// request takes the path of that request.
final class PositionBatchHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private enum State {
    /// No request is in progress.
    case idle
    /// A batch is being received.
    case taking(HTTPRequest, begun: ContinuousClock.Instant)
    /// A batch is being committed.
    case waiting
    /// Requests on the general path: the number without a response, and whether one is still being received.
    case passing(unanswered: Int, isComing: Bool)
    /// The last response is sent.
    case over
  }

  private enum Held {
    case part(HTTPRequestPart)
    case event(Any)
    case error(any Error)
  }

  /// The maximum size of a body that is read on the event loop, in bytes: a millisecond or two.
  static let maximumBytes = 128 << 10
  /// The maximum compressed size that is decompressed on the event loop, in bytes.
  /// Bodies above ``maximumBytes`` when decompressed take the general path.
  static let maximumPackedBytes = 64 << 10

  private let responder: IngestResponder
  private var state = State.idle
  /// The received part of the current batch.
  private var body = ByteBuffer()
  private var peer: String?
  /// Parts received behind a batch that has no response yet.
  private var held: [Held] = []
  private var isReadHeld = false
  private var hasPassed = false
  private var isLast = false

  init(_ responder: IngestResponder) { self.responder = responder }

  private var isWaiting: Bool {
    if case .waiting = state { true } else { false }
  }

  private func isShort(_ head: HTTPRequest) -> Bool {
    let fields = head.headerFields
    guard head.method == .post, head.path == "/v1/positions", let text = fields[.contentLength],
      let length = Int(text), (0...min(Self.maximumBytes, responder.settings.ingest.maximumBytes)).contains(length)
    else { return false }
    guard fields[.expect] == nil else { return false }
    switch fields[.contentEncoding]?.lowercased() {
    case nil, "identity": break
    case "gzip": guard length <= Self.maximumPackedBytes else { return false }
    default: return false
    }
    switch fields[.connection]?.lowercased() {
    case nil, "keep-alive", "close": return true
    default: return false
    }
  }

  // MARK: Coming in

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let part = unwrapInboundIn(data)
    if isWaiting { held.append(.part(part)) } else { take(part, context) }
  }

  private func take(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
    switch (state, part) {
    case (.idle, .head(let head)) where isShort(head):
      state = .taking(head, begun: .now)
      if head.headerFields[.connection]?.lowercased() == "close" { isLast = true }
    case (.idle, .head):
      state = .passing(unanswered: 1, isComing: true)
      pass(part, context)
    case (.taking, .body(var bytes)):
      if body.readableBytes == 0 { body = bytes } else { body.writeBuffer(&bytes) }
    case (.taking(let head, let begun), .end):
      submit(head, begun, context)
    case (.passing(let unanswered, _), .head):
      state = .passing(unanswered: unanswered + 1, isComing: true)
      pass(part, context)
    case (.passing(let unanswered, _), .end):
      state = unanswered == 0 ? .idle : .passing(unanswered: unanswered, isComing: false)
      pass(part, context)
    case (.over, _): break
    default: pass(part, context)
    }
  }

  private func pass(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
    hasPassed = true
    context.fireChannelRead(wrapInboundOut(part))
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    guard hasPassed else { return }
    hasPassed = false
    context.fireChannelReadComplete()
  }

  // Reading pauses while a batch waits for its response, so that little is buffered.
  func read(context: ChannelHandlerContext) {
    if isWaiting, !held.isEmpty { isReadHeld = true } else { context.read() }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch state {
    case .waiting: held.append(.error(error))
    case .taking: breakOff(context)
    default: context.fireErrorCaught(error)
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch (state, event) {
    // The pending response will be the last one.
    case (.waiting, is ChannelShouldQuiesceEvent), (.taking, is ChannelShouldQuiesceEvent): isLast = true
    case (.waiting, _): held.append(.event(event))
    case (.taking, ChannelEvent.inputClosed): breakOff(context)
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  private func breakOff(_ context: ChannelHandlerContext) {
    isLast = true
    let answer = Problem(400, .cutShort, "the body did not come to its end").response
    write(answer, id: responder.requestID(nil), begun: .now, context)
  }

  // MARK: Going out

  private func submit(
    _ head: HTTPRequest, _ begun: ContinuousClock.Instant, _ context: ChannelHandlerContext
  ) {
    let fields = head.headerFields
    let isPacked = fields[.contentEncoding]?.lowercased() == "gzip"
    guard let bytes = isPacked ? unpacked() : Array(body.readableBytesView) else { return passWhole(head, context) }
    state = .waiting
    // Thousands of connections must not keep buffers for bodies already handled.
    body = ByteBuffer()
    let id = responder.requestID(fields[HTTPField.requestID])
    let sender = sender(of: fields, context)
    let span = responder.beginSpan(fields, socket: context.remoteAddress?.ipAddress ?? "")
    let here = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    responder.post(fields, bytes, peer: sender, id: id, span, on: context.eventLoop) { [responder] answer in
      responder.endSpan(span, method: "POST", path: "/v1/positions", status: answer.status)
      let (lane, context) = here.value
      lane.write(answer, id: id, begun: begun, context)
      lane.resume(context)
    }
  }

  /// Returns the received body decompressed; `nil` when it is large or not gzip.
  private func unpacked() -> [UInt8]? {
    // The last bytes state the decompressed length. If they are false, decompression stops at the limit.
    let length = body.getInteger(at: body.writerIndex - 4, endianness: .little, as: UInt32.self) ?? .max
    guard length <= Self.maximumBytes else { return nil }
    return try? Gzip.decompress(Array(body.readableBytesView), limit: Self.maximumBytes)
  }

  /// Sends a completely received request down the general path.
  private func passWhole(_ head: HTTPRequest, _ context: ChannelHandlerContext) {
    let bytes = body
    body = ByteBuffer()
    state = .passing(unanswered: 1, isComing: false)
    pass(.head(head), context)
    pass(.body(bytes), context)
    pass(.end(nil), context)
  }

  /// The address by which a request is counted; without a proxy it is the same for all requests of the connection.
  private func sender(of fields: HTTPFields, _ context: ChannelHandlerContext) -> String {
    let forwarded = fields[HTTPField.forwardedFor]
    if forwarded == nil, let peer { return peer }
    let sender = responder.peer(forwarded, socket: context.remoteAddress?.ipAddress ?? "")
    if forwarded == nil { peer = sender }
    return sender
  }

  private func write(
    _ answer: IngestResponse, id: String, begun: ContinuousClock.Instant, _ context: ChannelHandlerContext
  ) {
    guard context.channel.isActive else { return }
    var fields = IngestResponder.fields(of: answer)
    fields[.contentLength] = String(answer.body.count)
    fields[.date] = responder.date.text
    responder.finish(&fields, status: answer.status, id: id, begun: begun, method: "POST", path: "/v1/positions")
    if isLast { fields[.connection] = "close" }
    state = fields[.connection] == "close" ? .over : .idle
    context.write(
      wrapOutboundOut(.head(HTTPResponse(status: .init(code: answer.status), headerFields: fields))), promise: nil)
    if !answer.body.isEmpty {
      context.write(wrapOutboundOut(.body(context.channel.allocator.buffer(bytes: answer.body))), promise: nil)
    }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
  }

  private func resume(_ context: ChannelHandlerContext) {
    var waiting = held
    held.removeAll(keepingCapacity: true)
    var count = 0
    while count < waiting.count, !isWaiting {
      switch waiting[count] {
      case .part(let part): take(part, context)
      case .event(let event): userInboundEventTriggered(context: context, event: event)
      case .error(let error): errorCaught(context: context, error: error)
      }
      count += 1
    }
    waiting.removeFirst(count)
    held = waiting + held
    channelReadComplete(context: context)
    if isReadHeld, held.isEmpty {
      isReadHeld = false
      context.read()
    }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data), case .passing(let unanswered, let isComing) = state {
      let left = max(0, unanswered - 1)
      state = left == 0 && !isComing ? .idle : .passing(unanswered: left, isComing: isComing)
    }
    context.write(data, promise: promise)
  }
}
