import CordonCore
import CordonGeometry
import CordonTestSupport
import CordonTesting
import Dispatch
import Foundation
import NIOConcurrencyHelpers
import Testing

@testable import CordonIngest
@testable import CordonServer

/// The order and the limits of queries.
@Suite("The order of queries", .timeLimit(.minutes(10)))
struct ReaderTests {
  private static let now = Instant.testStart

  /// A store with a number of devices that sent 4 000 positions each.
  private static func store(_ devices: Int = 6) throws -> MemoryPositionStore {
    let (store, fence) = (MemoryPositionStore(), SmallVenue())
    let venue = try store.number(of: fence.venue, origin: fence.geofence.center)
    let place = fence.place(east: 0, north: 0)
    for device in 1...Int64(devices) {
      _ = try store.insert(
        (0..<4_000).map { k in
          NewPosition(
            id: FixID(high: UInt64((Self.now - .seconds(Int64(4_000 - k))).milliseconds) << 16, low: UInt64(device)),
            longitude: RowGate.scaled(place.longitude), latitude: RowGate.scaled(place.latitude), accuracy: 5_000,
            floor: 0, stillUntil: nil, space: nil, venueHash: "")
        }, device: device, venue: venue)
    }
    return store
  }

  private func long(_ name: String) -> Query {
    let span = (Self.now - .hours(2)).milliseconds...Self.now.milliseconds
    return Query(
      .occupancy(
        OccupancyQuery(
          venue: ServedVenue(gate: SmallVenue()), span: span, bin: .seconds(300), bySpace: false,
          settings: IngestSettings())), by: .operator(name), settings: IngestSettings())
  }

  private func short(_ name: String) -> Query {
    Query(.invites(venue: SmallVenue().venue), by: .operator(name), settings: IngestSettings())
  }

  private func ofAPerson() throws -> Query {
    var device = StoredDevice(
      id: try #require(DeviceID("me")), kind: .secret, venue: SmallVenue().venue, type: "", created: Self.now)
    device.number = 1
    return Query(
      .access(AccessQuery(device: device, after: nil, limit: 10)), by: .person(1), settings: IngestSettings())
  }

  /// Blocks a lane: the check whether the client is gone waits until it is released.
  private final class Held: Sendable {
    let asked = AsyncStream.makeStream(of: Void.self)
    private let gate = DispatchSemaphore(value: 0)
    private let isOpen = NIOLockedValueBox(false)
    private let count = NIOLockedValueBox(0)
    var steps: Int { count.withLockedValue { $0 } }

    var check: @Sendable () -> Bool {
      { [self] in
        count.withLockedValue { $0 += 1 }
        if isOpen.withLockedValue({ $0 }) { return false }
        asked.continuation.yield()
        gate.wait()
        return false
      }
    }

    func open() {
      isOpen.withLockedValue { $0 = true }
      gate.signal()
    }
  }

  @Test func personalRequestsDoNotWaitForOperators() async throws {
    let reader = Reader(persons: try Self.store(), operators: try Self.store())
    let held = Held()
    async let answer = reader.answer(long("op-a"), isGone: held.check)
    for await _ in held.asked.stream { break }
    // While the operator's query runs, which continues only after this one.
    #expect(await reader.answer(try ofAPerson()).status == 200)
    held.open()
    #expect(await answer.status == 200)
  }

  @Test func operatorsTakeTurns() async throws {
    let reader = Reader(persons: try Self.store(1), operators: try Self.store())
    let held = Held()
    let stepsBefore = NIOLockedValueBox(0)
    async let first = reader.answer(long("op-a"), isGone: held.check)
    for await _ in held.asked.stream { break }
    async let second = reader.answer(short("op-b")) {
      stepsBefore.withLockedValue { $0 = held.steps }
      return false
    }
    try await wait { reader.waitingOperators >= 2 }
    held.open()
    #expect(await first.status == 200)
    #expect(await second.status == 200)
    // The short query began after one step of the long one, which had more to do.
    #expect(stepsBefore.withLockedValue { $0 } == 1)
    #expect(held.steps > 2)
  }

  @Test func requestsOfOneOperatorQueue() async throws {
    let reader = Reader(persons: try Self.store(1), operators: try Self.store(1))
    let held = Held()
    async let first = reader.answer(long("op-a"), isGone: held.check)
    for await _ in held.asked.stream { break }
    await withTaskGroup(of: Int.self) { group in
      for _ in 0..<20 { group.addTask { await reader.answer(self.short("op-a")).status } }
      // Queries beyond the queue's limit are refused while the lane is blocked.
      var refused = 0
      for await status in group {
        if status == 429 { refused += 1 }
        if refused == 20 - (ReadingLane.maximumPerAsker - 1) { held.open() }
      }
      #expect(refused == 20 - (ReadingLane.maximumPerAsker - 1))
    }
    #expect(await first.status == 200)
    #expect(Reader.tooMany.response.header("retry-after") != nil)
  }

  @Test func workEndsWhenTheClientIsGone() async throws {
    let reader = Reader(persons: try Self.store(1), operators: try Self.store(20))
    let asked = NIOLockedValueBox(0)
    let answer = await reader.answer(long("op-a")) {
      asked.withLockedValue {
        $0 += 1
        return $0 > 2
      }
    }
    #expect(answer.status == 503)
    #expect(asked.withLockedValue { $0 } == 3, "nothing is done after that")
    try await wait { reader.waitingOperators <= 0 }
  }

  @Test func aQueryHasATimeLimit() async throws {
    let reader = Reader(persons: try Self.store(1), operators: try Self.store(1), limit: .zero)
    let answer = await reader.answer(long("op-a"))
    #expect(answer.status == 503)
    #expect(String(decoding: answer.body, as: UTF8.self).contains("query-time"))
  }

  /// A running statement is interrupted, and the connection stays usable.
  @Test func aStatementIsInterrupted() throws {
    let store = try SQLitePositionStore(path: ":memory:")
    let sql = """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000000) SELECT count(*) FROM n
      """
    store.setInterruption { true }
    #expect(throws: StoreFault.self) { try store.connection.int(sql) }
    do { _ = try store.connection.int(sql) } catch { #expect(error.kind == .interrupted) }
    store.setInterruption(nil)
    #expect(try store.positionCount() == 0)
  }
}
