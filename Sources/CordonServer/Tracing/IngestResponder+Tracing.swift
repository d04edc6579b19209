internal import CordonIngest
internal import HTTPTypes

/// Spans of requests. Their names are routes with placeholders: no part of a path, a query, a header or a body is recorded.
extension IngestResponder {
  /// Begins the span of a request; `nil` when it is not recorded.
  /// - Parameter socket: the other end of the connection.
  func beginSpan(_ fields: HTTPFields, socket: @autoclosure () -> String) -> Tracer.Open? {
    guard let tracer else { return nil }
    let header = fields[HTTPField.traceparent]
    return tracer.begin(header: header, isTrusted: header != nil && senders.isTrusted(socket()))
  }

  /// Begins a span within that of a request.
  func beginSpan(in span: Tracer.Open?) -> Tracer.Open? { span.flatMap { span in tracer?.begin(in: span) } }

  /// Ends a span within that of a request.
  func endSpan(_ span: Tracer.Open?, name: String) {
    guard let span else { return }
    tracer?.end(span, name)
  }

  /// Ends the span of a request.
  func endSpan(_ span: Tracer.Open?, method: String, path: String, status: Int) {
    guard let span, let tracer else { return }
    let method = Self.methods.contains(method) ? method : "_OTHER"
    let route = BuiltInRoute(rawValue: path)?.rawValue ?? Endpoint.route(method, path).map { Self.path(of: $0) }
    var attributes: [TraceSpan.Attribute] = [.init("http.request.method", method)]
    if let route { attributes.append(.init("http.route", route)) }
    attributes.append(.init("http.response.status_code", status))
    tracer.end(
      span, route.map { "\(method) \($0)" } ?? method, .server, attributes, isError: status >= 500)
  }

  private static let methods: Set<String> = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"]

  private static func path(of route: String) -> String { String(route.drop { $0 != "/" }) }
}
