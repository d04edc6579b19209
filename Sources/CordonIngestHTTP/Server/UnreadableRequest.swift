internal import CordonIngest
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// Gives a body to the answer to what is no HTTP.
///
/// Nothing of such a request reaches a responder: behind the answers that are owed for what came before it, Hummingbird writes
/// an empty 400 and closes. No answer of our own is an empty 400, so that one is known by what it is, and is given the words
/// that every other refusal has.
final class UnreadableRequest: ChannelOutboundHandler, RemovableChannelHandler {
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  static let problem = Problem(
    400, "no-http", "this is no HTTP that can be read, or its head has more than 16 KiB")

  private let responder: IngestResponder

  init(_ responder: IngestResponder) { self.responder = responder }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard case .head(let head) = unwrapOutboundIn(data), head.status == .badRequest,
      head.headerFields[.contentLength] == "0"
    else { return context.write(data, promise: promise) }
    let answer = Self.problem.response
    var fields = IngestResponder.fields(of: answer)
    fields[.contentLength] = String(answer.body.count)
    fields[.date] = responder.date.text
    responder.finish(
      &fields, status: answer.status, id: responder.requestID(nil), begun: .now, method: "", path: "")
    fields[.connection] = "close"
    context.write(wrapOutboundOut(.head(HTTPResponse(status: .badRequest, headerFields: fields))), promise: promise)
    context.write(wrapOutboundOut(.body(context.channel.allocator.buffer(bytes: answer.body))), promise: nil)
  }
}
