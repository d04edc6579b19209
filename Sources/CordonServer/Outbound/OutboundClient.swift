internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// A POST request to another server.
struct OutboundRequest: Hashable, Sendable {
  /// A header field.
  struct Field: Hashable, Sendable {
    var name: String
    var value: String
  }

  /// The receiver.
  var address: OutboundAddress
  /// Header fields besides `host`, `content-length` and `user-agent`.
  var fields: [Field]
  /// The body.
  var body: [UInt8]
}

/// The answer to a request, whose body is read and dropped.
struct OutboundAnswer: Hashable, Sendable {
  /// The status.
  var status: Int
  /// The wait that the receiver asks for, in seconds.
  var retryAfter: Int?

  /// Whether the receiver has taken the message.
  var isSuccess: Bool { (200..<300).contains(status) }
}

/// The reason why there is no answer. It contains no part of the message.
struct OutboundFault: Error, Hashable, Sendable, CustomStringConvertible {
  var description: String
}

/// Sends requests to other servers.
protocol OutboundClient: Sendable {
  /// Sends a request and waits for the answer; a redirect is an answer, and is not followed.
  func send(_ request: OutboundRequest) async throws(OutboundFault) -> OutboundAnswer
}

/// Sends each request on a connection of its own, with limits of time and size.
struct NIOOutboundClient: OutboundClient {
  private let tls: OutboundTLS
  private let group: MultiThreadedEventLoopGroup
  private let limit: TimeAmount
  /// The maximum size of an answer, in bytes.
  static let maximumAnswer = 64 << 10

  /// - Parameters:
  ///   - tls: the trust of connections.
  ///   - limit: the maximum time of a request with its connection.
  init(tls: OutboundTLS, limit: TimeAmount = .seconds(15), group: MultiThreadedEventLoopGroup = .singleton) {
    self.tls = tls
    self.limit = limit
    self.group = group
  }

  func send(_ request: OutboundRequest) async throws(OutboundFault) -> OutboundAnswer {
    let loop = group.next()
    let answer = loop.makePromise(of: OutboundAnswer.self)
    let deadline = loop.scheduleTask(in: limit) { answer.fail(OutboundFault(description: "no answer in time")) }
    let (tls, address) = (tls, request.address)
    let connection = ClientBootstrap(group: loop).connectTimeout(limit)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          if address.usesTLS {
            try pipeline.addHandler(try tls.handler(host: address.host, isAddress: address.isHostAnAddress))
          }
          try pipeline.addHTTPClientHandlers()
          try pipeline.addHandler(OutboundExchange(request, answer))
        }
      }
      .connect(host: address.host, port: address.port)
    connection.whenFailure { answer.fail($0) }
    // The limit of time closes the connection too.
    answer.futureResult.whenComplete { _ in
      deadline.cancel()
      connection.whenSuccess { $0.close(promise: nil) }
    }
    do {
      return try await withTaskCancellationHandler {
        try await answer.futureResult.get()
      } onCancel: {
        answer.fail(OutboundFault(description: "the server stops"))
      }
    } catch let fault as OutboundFault {
      throw fault
    } catch is ChannelError {
      throw OutboundFault(description: "no connection")
    } catch is NIOConnectionError {
      throw OutboundFault(description: "no connection")
    } catch {
      // Errors of TLS name the reason of the library; nothing of the message is in them.
      throw OutboundFault(description: "\(error)".split(whereSeparator: \.isNewline).joined(separator: " "))
    }
  }
}

/// One request and its answer on a connection.
private final class OutboundExchange: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias OutboundOut = HTTPClientRequestPart

  private let request: OutboundRequest
  private let promise: EventLoopPromise<OutboundAnswer>
  private var answer: OutboundAnswer?
  private var size = 0

  init(_ request: OutboundRequest, _ promise: EventLoopPromise<OutboundAnswer>) {
    self.request = request
    self.promise = promise
  }

  func channelActive(context: ChannelHandlerContext) {
    var fields = HTTPHeaders()
    fields.add(name: "host", value: request.address.authority)
    fields.add(name: "user-agent", value: "cordon-server")
    fields.add(name: "connection", value: "close")
    fields.add(name: "content-length", value: String(request.body.count))
    for field in request.fields { fields.add(name: field.name, value: field.value) }
    let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: request.address.target, headers: fields)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if !request.body.isEmpty {
      context.write(
        wrapOutboundOut(.body(.byteBuffer(context.channel.allocator.buffer(bytes: request.body)))), promise: nil)
    }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      let wait = head.headers.first(name: "retry-after").flatMap { Int($0) }
      answer = OutboundAnswer(status: Int(head.status.code), retryAfter: wait.map { min(max($0, 0), 3_600) })
    case .body(let bytes):
      size += bytes.readableBytes
      if size > NIOOutboundClient.maximumAnswer { finish() }
    case .end: finish()
    }
  }

  /// The status decides; a body that is too long or cut short does not change it.
  private func finish() {
    if let answer { promise.succeed(answer) } else { promise.fail(OutboundFault(description: "no answer")) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if answer != nil { finish() } else { promise.fail(error) }
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    finish()
    context.fireChannelInactive()
  }
}
