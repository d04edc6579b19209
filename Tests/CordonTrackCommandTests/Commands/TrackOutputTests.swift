import CordonTestSupport
import Foundation
import Testing

@Suite("Output of cordon-track")
struct TrackOutputTests {
  /// Names of files and servers are escaped before a terminal sees them.
  @Test func terminalControlsAreEscaped() throws {
    let folder = try TemporaryFolder()
    let result = try Tracker.run(["status", "-c", "no\u{1b}[31m\u{9b}such\u{7}.json"], in: folder.url)
    #expect(result.status == 2)
    #expect(!result.errors.contains("\u{1b}") && !result.errors.contains("\u{9b}"))
    #expect(result.errors.contains("\\u{1b}[31m\\u{9b}such\\u{7}"))
  }

  @Test func aFolderIsNoConfiguration() throws {
    let folder = try TemporaryFolder()
    let result = try Tracker.run(["status", "-c", folder.url.path], in: folder.url)
    #expect(result.status == 2 && result.errors.contains("is a folder, not a file"), "\(result.errors)")
  }

  /// The tracker runs without a command too; its help is not that of a mistyped command.
  @Test func aMistypedCommandPointsToTheListOfCommands() throws {
    let folder = try TemporaryFolder()
    let result = try Tracker.run(["statsu"], in: folder.url)
    #expect(result.status == 2)
    #expect(result.errors.contains("(did you mean 'status'?); see 'cordon-track --help'"), "\(result.errors)")
  }

  /// A failed write is an error; a reader that closes the pipe is not.
  @Test func standardOutputIsChecked() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(#"{"store": "store.sqlite"}"#, to: "tracker.json")
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    for command in ["--help", "doctor --offline --json -c \(file)", "doctor --offline -c \(file)"] {
      let result = try run("exec \"$0\" \(command) > /dev/full", in: folder)
      #expect(result.status == 2 && result.errors.contains("standard output"), "\(command): \(result.errors)")
      let closed = try run("\"$0\" \(command) | true; exit ${PIPESTATUS[0]}", in: folder)
      #expect(closed.errors.isEmpty && closed.status != 2, "\(command): \(closed.errors)")
    }
  }

  private func run(_ script: String, in folder: TemporaryFolder) throws -> (status: Int32, errors: String) {
    let arguments = ["-c", script, Tracker.executable.path]
    let result = try TestProcess.run(try #require(TestProcess.tool("bash")), arguments, in: folder.url)
    return (result.status, result.errors)
  }
}
