import CordonTestSupport
import Foundation
import Testing

/// `make api` with few examples: an independent program tests the real server by its description alone.
@Suite("The server and an independent client of its description", .timeLimit(.minutes(10)))
struct APICheckTests {
  private static let tool = ProcessInfo.processInfo.environment["SCHEMATHESIS"] ?? Program.path("schemathesis")

  @Test(.enabled(if: Program.has("python3") && tool != nil, "schemathesis is not there (pip install schemathesis)"))
  func answersMatchTheDescription() async throws {
    let root = Places.package
    let end = try await Program.run(
      try #require(Program.path("python3")),
      [root.path + "/scripts/check-api", Program.server, "--examples", "2", "--seed", "1"])
    #expect(end.status == 0, "\(end.output)\n\(end.errors)")
    // It must also have reached the successful answers.
    for address in [
      "GET /v1/devices/{device}/data", "POST /v1/operator/contacts", "POST /v1/operator/exposures",
      "GET /v1/operator/occupancy", "DELETE /v1/devices/{device}",
    ] {
      let line = end.output.split(separator: "\n").first { $0.hasPrefix("  \(address) ") }
      #expect(line?.contains(" 200: ") == true, "\(address): \(line ?? "")")
    }
  }
}
