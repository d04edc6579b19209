internal import CordonCore
internal import CordonSupport

/// A finished piece of work. Its attributes are chosen by the server, never taken from a request.
struct TraceSpan: Hashable, Sendable {
  /// The role of a span, with its number in OTLP.
  enum Kind: Int64, Hashable, Sendable {
    case `internal` = 1
    case server = 2
    case client = 3
  }

  /// An attribute.
  struct Attribute: Hashable, Sendable {
    var key: String
    var value: JSONValue

    init(_ key: String, _ text: String) {
      self.key = key
      value = ["stringValue": .string(text)]
    }

    init(_ key: String, _ number: Int) {
      self.key = key
      // 64-bit numbers are texts in JSON of protocol buffers.
      value = ["intValue": .string(String(number))]
    }
  }

  var context: TraceContext
  /// The identifier of the parent span; `nil` for the root of a trace.
  var parent: UInt64?
  var name: String
  var kind: Kind
  /// Nanoseconds since 1970.
  var start: UInt64
  var end: UInt64
  var attributes: [Attribute] = []
  var isError = false

  /// The span in OTLP's JSON encoding.
  var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init("traceId", .string(context.traceText)), .init("spanId", .string(context.spanText)),
    ]
    if let parent { members.append(.init("parentSpanId", .string(TraceContext.text(parent)))) }
    members += [
      .init("name", .string(name)), .init("kind", .integer(kind.rawValue)),
      .init("startTimeUnixNano", .string(String(start))), .init("endTimeUnixNano", .string(String(end))),
      .init("attributes", .array(attributes.map { ["key": .string($0.key), "value": $0.value] })),
    ]
    if isError { members.append(.init("status", ["code": 2])) }
    return .object(members)
  }

  /// Returns the body of an export request, `ExportTraceServiceRequest` of OTLP 1 in JSON.
  /// - Parameters:
  ///   - service: the name of the service.
  ///   - version: the version of the service.
  static func body(of spans: [TraceSpan], service: String, version: String) -> [UInt8] {
    let resource = [Attribute("service.name", service), Attribute("service.version", version)]
    let value: JSONValue = [
      "resourceSpans": [
        [
          "resource": ["attributes": .array(resource.map { ["key": .string($0.key), "value": $0.value] })],
          "scopeSpans": [
            [
              "scope": ["name": "cordon-server", "version": .string(version)],
              "spans": .array(spans.map(\.json)),
            ]
          ],
        ]
      ]
    ]
    return Array(value.text().utf8)
  }
}
