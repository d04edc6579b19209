import CordonTestSupport
import Foundation
import Testing

/// A short slice of `make kill`: the real server, killed under load, loses no row that it acknowledged.
@Suite("Killed servers", .timeLimit(.minutes(10)))
struct KillTests {
  @Test(.enabled(if: Program.has("python3")))
  func aKilledServerLosesNothingAndStoresNothingTwice() async throws {
    let root = Places.package
    let end = try await Program.run(
      try #require(Program.path("python3")),
      [root.path + "/scripts/kill-server", Program.server, "--kills", "3", "--seed", "5"])
    #expect(end.status == 0, "\(end)")
    #expect(end.output.contains("\"lost\": 0"), "\(end.output)")
    #expect(end.output.contains("\"twice\": 0"), "\(end.output)")
    // The run must have acknowledged rows.
    let report = try #require(try JSONSerialization.jsonObject(with: Data(end.output.utf8)) as? [String: Any])
    for name in ["acknowledged_rows", "contacts", "batches"] { #expect(report[name] as? Int ?? 0 > 0, "\(name)") }
    #expect(report["kills"] as? Int == 3)
  }
}
