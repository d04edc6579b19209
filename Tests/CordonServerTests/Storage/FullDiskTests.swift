import CordonCore
import CordonTestSupport
import CordonWire
import Foundation
import Testing

/// A server on a small disk that is really full: a file system in memory that only the server's process sees.
@Suite("A full disk") struct FullDiskTests {
  private static let mounting = ["unshare", "--map-root-user", "--mount"]

  /// Whether this machine lets a process mount a file system of its own.
  private static let canMount: Bool = {
    guard let bash = Program.path("bash"), let unshare = Program.path("unshare"), Program.has("mount") else {
      return false
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: unshare)
    process.arguments = mounting.dropFirst() + [bash, "-c", "mount -t tmpfs -o size=1m tmpfs /tmp"]
    (process.standardOutput, process.standardError) = (Pipe(), Pipe())
    guard (try? process.start()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  /// Rows are refused, and every person can withdraw and be erased, however much they recorded.
  @Test(.enabled(if: canMount), arguments: [3, 8])
  func erasuresAndWithdrawalsContinueOnAFullDisk(_ megabytes: Int) async throws {
    let bash = try #require(Program.path("bash"))
    let unshare = try #require(Program.path("unshare"))
    // Arguments: the server, "serve", "--data", the folder.
    let script = """
      cp -a "$3" "$3.kept" && mount -t tmpfs -o size=\(megabytes)m tmpfs "$3" && cp -a "$3.kept/." "$3" && exec "$0" "$@"
      """
    try await LiveServer.with(prefix: [unshare] + Self.mounting.dropFirst() + [bash, "-c", script]) { server in
      var secrets: [String: String] = [:]
      var bearers: [String: [String: String]] = [:]
      for name in ["a", "b", "c", "d"] {
        (secrets[name], bearers[name]) = try await server.device(name)
      }
      let now = Int64(Date().timeIntervalSince1970 * 1_000)
      func post(_ name: String, _ part: Int, _ count: Int = 3_000) async throws -> Int {
        let id = try #require(DeviceID(name))
        let rows = try server.rows(name, 1)
        let batch = (0..<count).map { index in
          var row = rows[0]
          row.time = Instant(milliseconds: now - Int64(1_000 * (part * count + index)))
          row.id = FixID(device: id, time: row.time, coordinate: row.coordinate, accuracy: 5, floor: FloorOrdinal(0))
          return row
        }
        return try await server.send(
          "POST", "/v1/positions", String(decoding: PositionBatch.encode(batch), as: UTF8.self), bearers[name] ?? [:]
        ).status
      }
      var status = 207
      for part in 0..<13 * 3 where status == 207 { status = try await post(["a", "b", "c"][part % 3], part / 3) }
      try #require(status == 503, "the disk is full")
      let ready = try await server.send("GET", "/readyz")
      #expect(ready.status == 503)
      #expect(String(decoding: ready.body, as: UTF8.self) == "not ready: disk\n")
      let withdrawal = try await server.send(
        "PUT", "/v1/devices/d/consent", #"{"version": "1", "purposes": [], "time": 6}"#, bearers["d"] ?? [:])
      #expect(withdrawal.status == 204)
      for name in ["b", "a", "c"] {
        let answer = try await server.send(
          "DELETE", "/v1/devices/\(name)", #"{"secret": "\#(secrets[name] ?? "")"}"#)
        #expect(answer.status == 200, "\(name): \(String(decoding: answer.body, as: UTF8.self))")
        let receipt = try JSONSerialization.jsonObject(with: answer.body) as? [String: Any]
        #expect(receipt?["locations"] as? Int ?? 0 >= 3_000)
      }
    }
  }
}
