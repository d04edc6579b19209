package import CordonCore
import CordonSupport
import CordonWire

/// The encoder of capture files: one request received by a server on each line.
///
/// A capture is JSON Lines. Each line is an object with `received_ms` (milliseconds since 1970), `method`, `path` and
/// `body` (the unchanged JSON of the body; left out if there is no body). Headers are not captured because they contain
/// tokens.
///
/// ```json
/// {"received_ms": 1767254400000, "method": "POST", "path": "/v1/positions", "body": {"rows": []}}
/// ```
package enum TraceCapture {
  /// Returns one line with its line feed. Empty for a body that is neither JSON nor empty, because it cannot be
  /// replayed.
  package static func line(received: Instant, method: String, path: String, body: [UInt8]) -> [UInt8] {
    var members: [JSONValue.Member] = [
      .init("received_ms", .integer(received.milliseconds)), .init("method", .string(method)),
      .init("path", .string(path)),
    ]
    if !body.isEmpty {
      guard let parsed = try? JSONReader.value(of: body) else { return [] }
      members.append(.init("body", parsed))
    }
    return Array((JSONValue.object(members).text() + "\n").utf8)
  }
}
