import CordonTestSupport
import Foundation
import Testing

/// Certificates made for the test, and a client that trusts one of them only.
@Suite("TLS", .timeLimit(.minutes(10)))
struct TLSTests {
  private static func openssl(_ arguments: [String], input: String? = nil) async throws -> (Int32, String) {
    let end = try await Program.run(try #require(Program.path("openssl")), arguments, input: input)
    return (end.status, end.output + end.errors)
  }

  private func makeCertificate(_ name: String, in folder: String) async throws {
    let (status, text) = try await Self.openssl([
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
      "/CN=\(name)", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "\(folder)/\(name).key", "-out",
      "\(folder)/\(name).pem",
    ])
    try #require(status == 0, "\(text)")
  }

  /// Connects, trusting one certificate, and requests `/health`.
  private func ask(_ port: Int, trusting file: String, _ more: [String] = []) async throws -> (Int32, String) {
    try await Self.openssl(
      ["s_client", "-connect", "127.0.0.1:\(port)", "-CAfile", file, "-verify_return_error", "-ign_eof"] + more,
      input: "GET /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
  }

  @Test(.enabled(if: Program.has("openssl")))
  func newCertificatesAreUsedWithoutARestart() async throws {
    let scratch = try TemporaryFolder()
    let folder = scratch.url.path
    try await makeCertificate("first", in: folder)
    try await makeCertificate("second", in: folder)
    func use(_ name: String) throws {
      for ending in ["key", "pem"] {
        let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name).\(ending)"))
        try data.write(to: URL(fileURLWithPath: "\(folder)/current.\(ending)"))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: "\(folder)/current.\(ending)")
      }
    }
    try use("first")
    let arguments = ["--certificate", folder + "/current.pem", "--key", folder + "/current.key"]
    try await LiveServer.with(arguments: arguments, isSealed: true) { server in
      let (first, text) = try await ask(server.port, trusting: folder + "/first.pem")
      #expect(first == 0)
      #expect(text.contains("HTTP/1.1 200"), "\(text)")
      #expect(text.lowercased().contains("strict-transport-security: max-age=31536000"))
      #expect(try await ask(server.port, trusting: folder + "/second.pem").0 != 0)
      #expect(try await ask(server.port, trusting: folder + "/first.pem", ["-tls1_1"]).0 != 0)
      // An invalid certificate file changes nothing: the old certificate stays.
      try Data("nothing".utf8).write(to: URL(fileURLWithPath: folder + "/current.pem"))
      server.program.signal(SIGHUP)
      _ = try await server.program.line(with: "reload failed")
      #expect(try await ask(server.port, trusting: folder + "/first.pem").1.contains("HTTP/1.1 200"))
      try use("second")
      server.program.signal(SIGHUP)
      _ = try await server.program.line(with: "reloaded")
      #expect(try await ask(server.port, trusting: folder + "/second.pem").1.contains("HTTP/1.1 200"))
      #expect(try await ask(server.port, trusting: folder + "/first.pem").0 != 0)
    }
  }
}
