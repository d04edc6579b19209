import CordonTestSupport
import Foundation
import Testing

extension LiveServer {
  /// Makes a data folder for another server on the database of this one, with the same keys.
  func folderBeside() throws -> String {
    let other = folder + "/other"
    try FileManager.default.createDirectory(
      atPath: other, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    for name in ["keys.json", "operators.key", "sealing.json"]
    where FileManager.default.fileExists(atPath: "\(folder)/data/\(name)") {
      try FileManager.default.copyItem(atPath: "\(folder)/data/\(name)", toPath: "\(other)/\(name)")
    }
    return other
  }

  /// Starts a server in a data folder, with the venues of this one.
  func started(in data: String, _ environment: [String: String]) async throws -> LiveServer {
    let program = try Program(
      Program.server, ["serve", "--data", data, "--venues", folder + "/venues", "--port", "0"], environment: environment
    )
    let port = try LiveServer.member("port", of: Data(try await program.line(with: "\"listening\"").utf8))
    return LiveServer(program: program, port: try #require(Int(port)), admin: admin, folder: folder, venue: venue)
  }

  /// Starts another server on the database of this one.
  func neighbour(_ environment: [String: String]) async throws -> LiveServer {
    try await started(in: try folderBeside(), environment)
  }

  /// Ends the server with a signal.
  func stop(_ signal: Int32 = SIGTERM) async {
    program.signal(signal)
    #expect(await program.end() == (signal == SIGTERM ? 0 : signal))
  }
}
