import Cordon
import CordonCore
import CordonFHIR
import CordonMonitoring
import CordonTestSupport
import Foundation
import Testing

/// A JupyterHealth Exchange that runs. `CORDON_EXCHANGE` names it: base, token, patient and device, with spaces between them.
@Suite("A running JupyterHealth Exchange", .serialized)
struct LiveExchangeTests {
  static let words = (ProcessInfo.processInfo.environment["CORDON_EXCHANGE"] ?? "").split(separator: " ").map(
    String.init)
  static var isAvailable: Bool { words.count == 4 }

  @Test(.enabled(if: isAvailable, "CORDON_EXCHANGE names a JupyterHealth Exchange"))
  func theContractIsThatOfTheRecords() async throws {
    let words = LiveExchangeTests.words
    let base = try #require(URL(string: words[0]))
    let target = try FHIRTarget(patient: words[2], device: words[3], dataType: .geoposition)
    let transport = URLSessionTransport(timeout: 30)
    let client = try ConsentClient(base: base, target: target, transport: transport) { words[1] }
    let endpoint = SinkEndpoint(FHIRFormat(target), url: base, token: words[1])
    // Rows of now: the platform keeps those of earlier runs.
    let shift =
      Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)) - Instant(milliseconds: 1_767_254_400_000)
    let rows = try Samples.locations(3, restsFor: .minutes(2)).map { row in
      var row = row
      row.time = row.time + shift
      row.stillUntil = row.stillUntil.map { $0 + shift }
      row.id = FixID(
        device: row.device, time: row.time, coordinate: row.coordinate, accuracy: row.accuracy, floor: row.floor)
      return row
    }
    let request = try Samples.request(rows)
    func statuses() async -> [RowStatus]? {
      let response = await endpoint.deliver(request, over: transport)
      guard case .rows(let answers) = response.body else { return nil }
      return answers.map(\.status)
    }
    #expect(try await !client.decide(false, .geoposition).isGranted(.geoposition))
    #expect(await statuses() == [.retry, .retry, .retry])
    #expect(try await client.decide(true, .geoposition).isGranted(.geoposition))
    #expect(await statuses() == [.stored, .stored, .stored])
    // Copies of both positions of each row.
    #expect(await statuses() == [.stored, .stored, .stored])
    let stranger = SinkEndpoint(
      FHIRFormat(try FHIRTarget(patient: "1", device: words[3], dataType: .geoposition)), url: base, token: words[1])
    let refused = await stranger.deliver(request, over: transport)
    #expect(refused.body == .rows(rows.map { RowAnswer(id: $0.id, status: .retry) }), "\(refused)")
    let outside = SinkEndpoint(FHIRFormat(target), url: base, token: "wrong")
    #expect(await outside.deliver(request, over: transport).status == 401)
  }
}
