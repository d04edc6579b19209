import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonServer
import Foundation

/// The command `cordon-server health`.
struct HealthCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "health",
    abstract: "Check that the server on this machine is ready.",
    discussion: """
      Sends GET /readyz to 127.0.0.1 at the port of the settings. Containers and probes use it, since it needs no other \
      program. A server that speaks TLS itself is only checked for an open port. Exit status 1 when it is not ready.
      """)

  @Option(help: ArgumentHelp("A file of settings, `name = value` lines.", valueName: "file"))
  var config: String?

  @Option(help: "The port of the server. (default: that of the settings)")
  var port: Int?

  func run() async throws {
    let settings = try SettingsFile.read(file: config, environment: ProcessInfo.processInfo.environment)
    let port = port ?? settings.server.port
    guard (1...65_535).contains(port) else { throw ValidationError("--port must be from 1 to 65535") }
    let client = LoopbackClient(port: port)
    if settings.certificate != nil {
      guard client.isAccepted else {
        throw CommandError("no connection to 127.0.0.1:\(port)", code: "not-ready", status: .findings)
      }
      try StandardOutput.write(lines: "accepts connections\n")
      return
    }
    let answer: LoopbackClient.Answer
    do {
      answer = try await client.send("GET", "/readyz")
    } catch let error as CommandError {
      throw CommandError(error.message, code: "not-ready", status: .findings)
    }
    let text = String(decoding: answer.body, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    guard answer.status == 200 else {
      throw CommandError("not ready, status \(answer.status): \(text)", code: "not-ready", status: .findings)
    }
    try StandardOutput.write(lines: "ready\n")
  }
}
