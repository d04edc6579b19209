import Cordon
import CordonCore
import CordonMonitoring
import CordonWire
import Foundation

/// The destination of a replay's rows.
protocol ReplaySink: AnyObject {
  /// Sends a request and returns the response.
  func send(_ request: SinkRequest, _ now: Instant) throws -> SinkResponse
  /// Rows that were acknowledged, by device and time.
  var received: [Location] { get }
}

/// A sink in this process, which can also keep batches for a file.
final class LocalSink: ReplaySink {
  private let sink = InProcessSink()
  /// Bodies of batches, one a line.
  private(set) var lines = ""
  private let keepsLines: Bool

  init(keepsLines: Bool) { self.keepsLines = keepsLines }

  func send(_ request: SinkRequest, _ now: Instant) -> SinkResponse {
    if keepsLines, case .positions(let rows, _) = request.body {
      lines += String(decoding: PositionBatch.encode(rows), as: UTF8.self) + "\n"
    }
    return sink.handle(request, now: now)
  }

  var received: [Location] { sink.locations }
}

/// A running server.
final class ServerSink: ReplaySink {
  let link: ServerLink
  private var rows: [FixID: Location] = [:]

  init(url: URL) { link = ServerLink(url: url) }

  func send(_ request: SinkRequest, _ now: Instant) throws -> SinkResponse {
    guard let (response, _) = link.carry(request) else { return SinkResponse(number: request.number, status: 0) }
    if case .positions(let sent, _) = request.body, case .rows(let answers) = response.body {
      let kept = Set(answers.filter(\.status.isKept).map(\.id))
      for row in sent where kept.contains(row.id) { rows[row.id] = row }
    }
    return response
  }

  var received: [Location] { rows.values.sorted { ($0.device, $0.id) < ($1.device, $1.id) } }
}
