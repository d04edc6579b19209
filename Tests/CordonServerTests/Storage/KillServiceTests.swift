import CordonTestSupport
import Foundation
import Testing

/// A short slice of `make kill-service`: two servers on one database, all of them killed under load.
@Suite(
  "Killed services", .timeLimit(.minutes(10)),
  .enabled(if: PostgresServer.isAvailable && Program.has("python3"), "PostgreSQL or Python is not installed"))
struct KillServiceTests {
  @Test func killedServersAndDatabasesLoseNothingAndStoreNothingTwice() async throws {
    let end = try await Program.run(
      try #require(Program.path("python3")),
      [
        Places.package.path + "/scripts/kill-service", Program.server, "--kills", "3", "--database-kills", "1",
        "--stalls", "1", "--slowings", "1", "--cuts", "1", "--isolations", "1", "--seed", "5",
        // How fast a lease moves depends on the load of the machine.
        "--longest", "60",
      ])
    #expect(end.status == 0, "\(end)")
    #expect(end.output.contains("\"lost\": 0"), "\(end.output)")
    #expect(end.output.contains("\"twice\": 0"), "\(end.output)")
    let report = try #require(try JSONSerialization.jsonObject(with: Data(end.output.utf8)) as? [String: Any])
    // The lease moved when its holder was cut off, died and stood still.
    #expect((report["takeover"] as? [Any])?.count == 3, "\(end.output)")
    for name in ["acknowledged_rows", "contacts", "batches"] { #expect(report[name] as? Int ?? 0 > 0, "\(name)") }
  }
}
