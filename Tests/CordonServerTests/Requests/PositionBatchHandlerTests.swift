import CordonCore
import CordonIngest
import CordonWire
import Foundation
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import CordonServer
@testable import CordonServerCommand

/// Which requests the fast path handles.
@Suite("The fast path of batches", .timeLimit(.minutes(10)))
struct PositionBatchHandlerTests {
  /// The bytes of a request that the fast path passes on; empty when it handles the request itself.
  private func passed(_ body: [UInt8], encoding: String? = "gzip") async throws -> [HTTPRequestPart] {
    let desk = try await GroupCommitWriterTests.Desk()
    let responder = IngestResponder(
      writer: desk.writer, reader: Reader(store: try SQLitePositionStore(path: ":memory:")),
      preprocessor: desk.preprocessor,
      clock: { desk.now })
    let channel = EmbeddedChannel()
    try channel.pipeline.syncOperations.addHandler(PositionBatchHandler(responder))
    var fields: HTTPFields = [.contentLength: String(body.count)]
    fields[.contentEncoding] = encoding
    let head = HTTPRequest(
      method: .post, scheme: "http", authority: "x", path: "/v1/positions", headerFields: fields)
    for part in [HTTPRequestPart.head(head), .body(ByteBuffer(bytes: body)), .end(nil)] {
      try channel.writeInbound(part)
    }
    var parts: [HTTPRequestPart] = []
    while let part = try channel.readInbound(as: HTTPRequestPart.self) { parts.append(part) }
    return parts
  }

  @Test func smallCompressedBatchesTakeTheFastPath() async throws {
    let desk = try await GroupCommitWriterTests.Desk()
    for count in [1, 20, 300] {
      let body = try desk.body(0, count)
      #expect(try await passed(Gzip.compress(body)).isEmpty, "\(count) rows")
      #expect(try await passed(body, encoding: nil).isEmpty)
    }
    // A body that is large when unpacked, has a wrong length, or is not gzip is passed on unchanged.
    let large = Gzip.compress(try desk.body(0, 3_000))
    var liar = large
    liar.replaceSubrange(liar.count - 4..<liar.count, with: [1, 0, 0, 0])
    for body in [large, liar, Array("no gzip at all".utf8), [], [0x1f, 0x8b]] {
      let parts = try await passed(body)
      guard parts.count == 3, case .head(let head) = parts[0], case .body(let bytes) = parts[1] else {
        Issue.record("\(parts)")
        continue
      }
      #expect(head.headerFields[.contentEncoding] == "gzip" && Array(bytes.readableBytesView) == body)
    }
    #expect(try await passed(large, encoding: "br").count == 3)
  }

  /// Both paths give the same answers as for plain bodies.
  @Test func compressedBatchesAreAnswered() async throws {
    try await LiveServer.with { server in
      let fields = ["authorization": "Bearer \(try await server.token("phone-1"))", "content-encoding": "gzip"]
      let client = LoopbackClient(port: server.port)
      func post(_ body: [UInt8]) async throws -> LoopbackClient.Answer {
        try await client.send("POST", "/v1/positions", body, headers: fields)
      }
      let rows = try server.rows("phone-1", 2_000)
      for (range, status) in [(0..<1, RowStatus.stored), (0..<1, .known), (1..<21, .stored), (21..<2_000, .stored)] {
        let answer = try await post(Gzip.compress(PositionBatch.encode(Array(rows[range]))))
        #expect(answer.status == 207)
        let statuses = try PositionAnswers.decode(Array(answer.body)).map(\.status)
        #expect(statuses == Array(repeating: status, count: range.count))
      }
      // Two gzip members are one body.
      let body = PositionBatch.encode(Array(rows[0..<3]))
      let members = Gzip.compress(Array(body[..<40])) + Gzip.compress(Array(body[40...]))
      #expect(try await post(members).status == 207)
      for (bytes, status, word) in [
        (Array("no gzip".utf8), 400, "bad-gzip"), (Array(Gzip.compress(body).dropLast(9)), 400, "bad-gzip"),
        (Gzip.compress([UInt8](repeating: 32, count: 9 << 20)), 413, "body-too-large"),
        (Gzip.compress(Array("nothing".utf8)), 400, "bad-json"),
      ] {
        let answer = try await post(bytes)
        #expect(answer.status == status)
        #expect(String(decoding: answer.body, as: UTF8.self).contains("\"\(word)\""))
      }
    }
  }
}
