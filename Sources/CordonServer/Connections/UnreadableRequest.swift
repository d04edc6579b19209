internal import CordonIngest
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// Adds a body to the response to malformed HTTP.
///
/// A malformed request never reaches a responder. Hummingbird writes an empty 400 after the responses still owed to earlier
/// requests, and closes. The server itself never sends an empty 400.
/// This handler therefore recognizes it and adds the usual error body.
final class UnreadableRequest: ChannelOutboundHandler, RemovableChannelHandler {
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  static let problem = Problem(
    400, .noHTTP, "the request is not HTTP, or its head has more than 16 KiB")

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
