import CordonTestSupport
import Foundation
import NIOConcurrencyHelpers
import Testing

@testable import CordonServer

/// Contexts, spans, sampling and the export format.
@Suite("Traces")
struct TracerTests {
  private static let header = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

  @Test func headersAreReadAsSpecified() throws {
    let context = try #require(TraceContext(parsing: Self.header))
    #expect(context.traceText == "0af7651916cd43dd8448eb211c80319c" && context.spanText == "b7ad6b7169203331")
    #expect(context.isSampled && context.header == Self.header)
    #expect(TraceContext(parsing: Self.header.dropLast(2) + "00")?.isSampled == false)
    #expect(TraceContext(parsing: "cc" + Self.header.dropFirst(2) + "-more")?.isSampled == true)
  }

  @Test(arguments: [
    "", "00", "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-x",
    "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-1",
    "00-00000000000000000000000000000000-b7ad6b7169203331-01",
    "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
    "00-0af7651916cd43dd8448eb211c80319-b7ad6b7169203331-01", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b716920333-01",
    "00_0af7651916cd43dd8448eb211c80319c_b7ad6b7169203331_01",
    "0x-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
  ])
  func otherHeadersAreIgnored(text: String) { #expect(TraceContext(parsing: text) == nil) }

  /// A tracer whose time advances by a millisecond, and whose identifiers count up.
  private func tracer(_ change: (inout TraceSettings) -> Void = { _ in }) -> Tracer {
    var settings = TraceSettings()
    change(&settings)
    let (time, number) = (NIOLockedValueBox(UInt64(1_000_000_000)), NIOLockedValueBox(UInt64(0)))
    return Tracer(
      settings,
      clock: {
        time.withLockedValue { time in
          time += 1_000_000
          return time
        }
      },
      random: {
        number.withLockedValue { number in
          number += 1
          return number
        }
      })
  }

  @Test func spansFormATrace() throws {
    let tracer = tracer()
    let request = try #require(tracer.begin())
    let store = tracer.begin(in: request)
    tracer.end(store, "store")
    tracer.end(
      request, "POST /v1/positions", .server,
      [.init("http.route", "/v1/positions"), .init("http.response.status_code", 503)],
      isError: true)
    let (spans, dropped) = tracer.take(10)
    #expect(dropped == 0 && spans.count == 2)
    #expect(
      String(decoding: TraceSpan.body(of: spans, service: "s", version: "1"), as: UTF8.self) == """
        {"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"s"}},\
        {"key":"service.version","value":{"stringValue":"1"}}]},"scopeSpans":[{"scope":{"name":"cordon-server",\
        "version":"1"},"spans":[\
        {"traceId":"00000000000000020000000000000001","spanId":"0000000000000004","parentSpanId":"0000000000000003",\
        "name":"store","kind":1,"startTimeUnixNano":"1002000000","endTimeUnixNano":"1003000000","attributes":[]},\
        {"traceId":"00000000000000020000000000000001","spanId":"0000000000000003","name":"POST /v1/positions","kind":2,\
        "startTimeUnixNano":"1001000000","endTimeUnixNano":"1004000000","attributes":[\
        {"key":"http.route","value":{"stringValue":"/v1/positions"}},\
        {"key":"http.response.status_code","value":{"intValue":"503"}}],"status":{"code":2}}]}]}]}
        """)
    #expect(tracer.take(10).spans.isEmpty)
  }

  /// Only a trusted proxy continues a trace: a header of a phone could make its requests recognisable.
  @Test func onlyTrustedHeadersAreContinued() throws {
    let context = try #require(TraceContext(parsing: Self.header))
    let trusted = try #require(tracer().begin(header: Self.header, isTrusted: true))
    #expect(trusted.context.trace == context.trace && trusted.parent == context.span)
    #expect(trusted.context.span != context.span)
    let other = try #require(tracer().begin(header: Self.header, isTrusted: false))
    #expect(other.context.trace != context.trace && other.parent == nil)
    let open = tracer { $0.continuesClients = true }
    #expect(open.begin(header: Self.header, isTrusted: false)?.parent == context.span)
    // The decision of the parent counts.
    let unsampled = Self.header.dropLast(2) + "00"
    #expect(tracer().begin(header: String(unsampled), isTrusted: true) == nil)
    #expect(tracer().begin(header: "nonsense", isTrusted: true)?.parent == nil)
  }

  @Test func aShareOfNewTracesIsRecorded() {
    let none = tracer { $0.ratio = 0 }
    #expect(none.begin() == nil)
    var settings = TraceSettings()
    settings.ratio = 0.25
    let state = NIOLockedValueBox(UInt64(7))
    let quarter = Tracer(
      settings, clock: { 0 },
      random: {
        state.withLockedValue { state in
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          return state ^ state >> 29
        }
      })
    let count = (0..<4_000).count { _ in quarter.begin() != nil }
    #expect((800...1_200).contains(count), "\(count)")
  }

  @Test func memoryIsBounded() throws {
    let tracer = tracer()
    for _ in 0..<Tracer.capacity + 10 { tracer.end(try #require(tracer.begin()), "x") }
    let first = tracer.take(Tracer.capacity + 10)
    #expect(first.spans.count == Tracer.capacity && first.dropped == 10)
    #expect(tracer.take(1).dropped == 0)
  }

  @Test func headerFieldsAreReadStrictly() {
    let field = TraceSettings.Field("x-api-key:  secret: 1")
    #expect(field?.name == "x-api-key" && field?.value == "secret: 1")
    for text in ["", "x", ": y", "x:", "x y: z", "x: \u{7}", "x:\r\ny: z"] { #expect(TraceSettings.Field(text) == nil) }
  }

  @Test func outgoingRequestsPassTheirTraceOn() async throws {
    let receiver = try HTTPReceiver()
    let tracer = tracer()
    let client = TracedClient(
      client: NIOOutboundClient(tls: OutboundTLS(authorities: nil)), tracer: tracer, name: "webhook")
    let address = try OutboundAddress("http://127.0.0.1:\(receiver.port)/secret-path")
    _ = try await client.send(OutboundRequest(address: address, fields: [], body: []))
    let header = try #require(await receiver.next()?.headers["traceparent"])
    let span = try #require(tracer.take(10).spans.first)
    #expect(TraceContext(parsing: header) == span.context && span.kind == .client && !span.isError)
    let text = String(decoding: TraceSpan.body(of: [span], service: "s", version: "1"), as: UTF8.self)
    #expect(!text.contains("secret-path"))
  }
}
