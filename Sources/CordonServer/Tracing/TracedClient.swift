/// A client whose requests are spans, and pass their trace on.
struct TracedClient: OutboundClient {
  let client: any OutboundClient
  let tracer: Tracer
  /// The name of the spans.
  let name: String

  func send(_ request: OutboundRequest) async throws(OutboundFault) -> OutboundAnswer {
    guard let open = tracer.begin() else { return try await client.send(request) }
    var traced = request
    traced.fields.append(.init(name: "traceparent", value: open.context.header))
    var attributes: [TraceSpan.Attribute] = [
      .init("http.request.method", "POST"), .init("server.address", request.address.host),
      .init("server.port", request.address.port),
    ]
    do throws(OutboundFault) {
      let answer = try await client.send(traced)
      attributes.append(.init("http.response.status_code", answer.status))
      tracer.end(open, name, .client, attributes, isError: answer.status >= 400)
      return answer
    } catch {
      attributes.append(.init("error.type", "no-answer"))
      tracer.end(open, name, .client, attributes, isError: true)
      throw error
    }
  }
}
