import CordonCore
import CordonIngest
import CordonTestSupport
import CordonTesting
import CordonWire
import Dispatch
import Foundation
import HTTPTypes
import NIOEmbedded
import Testing

@testable import CordonServer

/// The queue in front of the store.
@Suite("The group commit writer", .timeLimit(.minutes(10)))
struct GroupCommitWriterTests {
  /// A writer over a store in memory, with a device that may post. The writer reads the clock once for each
  /// transaction, and blocks there while ``isHeld`` is set.
  struct Desk: Sendable {
    let venue = SmallVenue()
    let now = Instant.testStart
    let gate = DispatchSemaphore(value: 0)
    let isHeld = Held()
    let arrivals: AsyncStream<Void>
    let preprocessor: RequestPreprocessor
    let writer: GroupCommitWriter
    var bearer = IngestRequest.Header("authorization", "")

    init(maximumRows: Int = 100_000) async throws {
      let keys = ServerKeys(
        tokens: [TokenKey(id: "k", secret: [UInt8](repeating: 1, count: 32))],
        tombstone: [UInt8](repeating: 2, count: 32))
      preprocessor = RequestPreprocessor(
        settings: IngestSettings(), catalog: VenueCatalog([ServedVenue(gate: venue)]), signer: HMACSigner(), keys: keys,
        operators: [Operator(id: "op", role: .admin, key: "key")])
      let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
      self.arrivals = arrivals
      writer = GroupCommitWriter(
        ingest: Ingest(preprocessor: preprocessor, store: try SQLitePositionStore(path: ":memory:"), random: .secure()),
        maximumRows: maximumRows,
        clock: { [isHeld, gate, now] in
          if isHeld.value {
            arrival.yield()
            gate.wait()
          }
          return now
        }, onEvents: { _ in })
      let basic = IngestRequest.Header("authorization", "Basic " + Data("op:key".utf8).base64EncodedString())
      let code = try await perform("POST", "/v1/operator/invite-codes", #"{"venue": "small-venue"}"#, basic)
      let secret = try await perform("POST", "/v1/devices/a/activate", #"{"code": "\#(code)"}"#, basic)
      let token = try await perform("POST", "/v1/devices/a/token", #"{"secret": "\#(secret)"}"#, basic)
      bearer = IngestRequest.Header("authorization", "Bearer \(token)")
      _ = try await perform(
        "PUT", "/v1/devices/a/consent", #"{"version": "1", "purposes": ["record", "share"], "time": 5}"#, bearer)
    }

    private func perform(
      _ method: String, _ path: String, _ body: String, _ header: IngestRequest.Header
    ) async throws -> String {
      let request = IngestRequest(method, path, headers: [header], body: Array(body.utf8))
      guard case .answer(let answer)? = await writer.perform(preprocessor.prepare(request, now: now)) else { return "" }
      let object = try? JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
      return ["code", "secret", "token"].compactMap { object?[$0] as? String }.first ?? ""
    }

    func batch(_ first: Int, _ count: Int) throws -> RequestPreprocessor.Prepared {
      preprocessor.prepare(
        IngestRequest("POST", "/v1/positions", headers: [bearer], body: try body(first, count)), now: now)
    }

    func body(_ first: Int, _ count: Int) throws -> [UInt8] {
      let device = try #require(DeviceID("a"))
      let rows = (first..<first + count).map { k in
        let place = venue.place(east: 0, north: 0)
        let time = now - .seconds(Int64(k))
        return Location(
          id: FixID(device: device, time: time, coordinate: place, accuracy: 5, floor: nil), device: device,
          venue: venue.venue, coordinate: place, accuracy: 5, floor: nil, time: time)
      }
      return PositionBatch.encode(rows)
    }
  }

  /// While the disk is slow, the queue is bounded: further batches are refused at once, and accepted ones are
  /// answered.
  @Test func requestsBeyondTheQueueLimitAreRefused() async throws {
    let desk = try await Desk(maximumRows: 25)
    let writer = desk.writer
    let (ten, twenty, six) = (try desk.batch(0, 10), try desk.batch(10, 20), try desk.batch(30, 6))
    desk.isHeld.value = true
    async let first = writer.perform(ten)
    for await _ in desk.arrivals { break }
    // The first transaction is being written; twenty more rows may wait, and six beyond them are refused at once.
    let second = Task { await writer.perform(twenty) }
    try await wait { writer.waitingRows >= 20 }
    let isDone = Held()
    let third = Task {
      let outcome = await writer.perform(six)
      isDone.value = true
      return outcome
    }
    try await wait { isDone.value || writer.waitingRows != 20 }
    desk.isHeld.value = false
    desk.gate.signal()
    #expect(await third.value == nil, "it was refused while the others waited")
    for outcome in [await first, await second.value] {
      guard case .answer(let answer)? = outcome else {
        Issue.record("no answer")
        continue
      }
      #expect(answer.status == 207)
    }
    // Waiting requests are answered before the figures change.
    try await wait { writer.metrics.stored >= 30 }
    #expect(writer.metrics.stored == 30)
    #expect(writer.waitingRows == 0)
  }

  /// A phone whose batch finds no room receives a refusal with a time to wait.
  @Test func refusedRequestsGetARetryTime() async throws {
    let desk = try await Desk(maximumRows: 25)
    let (ten, twenty) = (try desk.batch(0, 10), try desk.batch(10, 20))
    let responder = IngestResponder(
      writer: desk.writer, reader: Reader(store: try SQLitePositionStore(path: ":memory:")),
      preprocessor: desk.preprocessor,
      clock: { desk.now })
    desk.isHeld.value = true
    async let first = desk.writer.perform(ten)
    for await _ in desk.arrivals { break }
    let second = Task { await desk.writer.perform(twenty) }
    try await wait { desk.writer.waitingRows >= 20 }
    let loop = EmbeddedEventLoop()
    let answers = Answers()
    var fields = HTTPFields()
    fields[.authorization] = desk.bearer.value
    responder.post(fields, try desk.body(30, 6), peer: "", id: "x", nil, on: loop) { answers.list.append($0) }
    loop.run()
    #expect(answers.list.map(\.status) == [429])
    #expect(answers.list.first?.header("retry-after") == "2")
    #expect(answers.list.first?.header("content-type") == "application/problem+json")
    #expect(responder.counters.pressure == 1)
    desk.isHeld.value = false
    desk.gate.signal()
    _ = await (first, second.value)
  }

  /// `@unchecked Sendable` holds because the loop that fills it runs on the thread of the test.
  private final class Answers: @unchecked Sendable {
    var list: [IngestResponse] = []
  }

  /// Waiting batches share one transaction. After many arrived at once the writer expects as many again, but a single
  /// later batch does not wait for them.
  @Test func waitingRequestsShareATransactionAndEveryWaitEnds() async throws {
    let desk = try await Desk()
    let writer = desk.writer
    let before = writer.metrics.commits
    let batches = try (0..<12).map { try desk.batch($0, 1) }
    desk.isHeld.value = true
    async let first = writer.perform(batches[0])
    for await _ in desk.arrivals { break }
    let others = Task {
      await withTaskGroup(of: Bool.self) { group in
        for batch in batches[1...10] { group.addTask { await writer.perform(batch) != nil } }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
    }
    try await wait { writer.waitingRows >= 10 }
    desk.isHeld.value = false
    desk.gate.signal()
    #expect(await first != nil)
    #expect(await others.value == 10)
    #expect(await writer.perform(batches[11]) != nil)
    try await wait { writer.metrics.stored >= 12 }
    #expect(writer.metrics.commits - before == 3)
  }

  /// `@unchecked Sendable` holds because every access to `isHeld` happens with `lock` held.
  final class Held: @unchecked Sendable {
    private let lock = NSLock()
    private var isHeld = false
    var value: Bool {
      get { lock.withLock { isHeld } }
      set { lock.withLock { isHeld = newValue } }
    }
  }
}
