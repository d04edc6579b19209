import CordonTestSupport
import Foundation
import Testing

/// `cordon-server check` beside a server that runs, and on files that are not sound.
@Suite("cordon-server check", .timeLimit(.minutes(5)))
struct CheckCommandTests {
  @Test func aRunningServerIsSound() async throws {
    try await LiveServer.with { server in
      let config = server.folder + "/settings"
      let text = "data = \(server.folder)/data\nvenues = \(server.folder)/venues\nport = \(server.port)\n"
      try Data(text.utf8).write(to: URL(fileURLWithPath: config))
      let end = try await Program.run(Program.server, ["check", "--config", config])
      #expect(end.status == 0, "\(end.output)\(end.errors)")
      #expect(end.output.contains("server: The server on port \(server.port) is ready."), "\(end.output)")
      #expect(end.output.hasSuffix("No failures.\n"))
      // The server was not disturbed, and has made nothing new that it cannot open.
      #expect(try await server.send("GET", "/readyz").status == 200)
    }
  }

  @Test func faultsGiveStatusOneAndRemedies() async throws {
    let scratch = try TemporaryFolder()
    let config = scratch.path("settings")
    try Data("port = 1\nprot = 2\n".utf8).write(to: URL(fileURLWithPath: config))
    let arguments = ["--data", scratch.path("data"), "--venues", scratch.path("venues")]
    let end = try await Program.run(Program.server, ["check", "--json", "--config", config] + arguments)
    #expect(end.status == 1, "\(end)")
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(end.output.utf8)) as? [String: Any], "\(end.output)")
    #expect(report["schema"] as? String == "cordon.server-check/1")
    let findings = try #require(report["findings"] as? [[String: Any]])
    // Another program may use the default port.
    let failures = findings.filter { $0["level"] as? String == "failure" && $0["subject"] as? String != "server" }
    #expect(
      failures.compactMap { $0["code"] as? String } == ["bad-setting", "no-folder", "no-folder"], "\(end.output)")
    #expect((report["failures"] as? Int ?? 0) >= 3)
    #expect(failures.allSatisfy { ($0["remedy"] as? String)?.isEmpty == false })
    #expect(
      (failures[0]["sentence"] as? String)?.contains("settings:2") == true || end.output.contains("did you mean 'port'")
    )
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path) == ["settings"])
    // Without the arguments, the file that cannot be read is the only fault: it may name the folders.
    let alone = try await Program.run(Program.server, ["check", "--config", config])
    #expect(alone.status == 1 && !alone.output.contains("is named"), "\(alone)")
  }
}
