import CordonTestSupport
import Foundation
import Testing

@testable import CordonServer

/// Commands on a data folder that is missing, on a full disk, and through a link.
@Suite("Commands of a data folder", .timeLimit(.minutes(5)))
struct DataFolderCommandTests {
  /// A typo in `--data` is an error, not a new folder with new keys.
  @Test(arguments: [
    ["rotate-keys"], ["operator", "list"], ["operator", "remove", "x"], ["backup", "-o", "copy.sqlite"],
    ["rebuild-log"], ["check-contacts"],
  ])
  func aMissingFolderIsAnError(arguments: [String]) async throws {
    let scratch = try TemporaryFolder()
    let missing = scratch.path("typo")
    let end = try await Program.run(Program.server, arguments + ["--data", missing])
    #expect(end.status == 2 && end.errors.contains("typo: no such folder"), "\(end.errors)")
    #expect(!FileManager.default.fileExists(atPath: missing))
  }

  /// The key is printed once: an operator whose key could not be printed does not stay.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func anOperatorWhoseKeyIsLostDoesNotStay() async throws {
    let scratch = try TemporaryFolder()
    let bash = try #require(Program.path("bash"))
    let words = "operator add --data \"$1\" --name Ada --role admin > /dev/full"
    let end = try await Program.run(bash, ["-c", "exec \"$0\" \(words)", Program.server, scratch.url.path])
    #expect(end.status == 2 && end.errors.contains("standard output"), "\(end.errors)")
    #expect(try DataFolder(scratch.url.path).accounts().isEmpty)
  }

  /// A backup goes to the place that a link names, also when nothing is there yet.
  @Test func aBackupFollowsALink() async throws {
    let scratch = try TemporaryFolder()
    let (data, link, target) = (scratch.path("data"), scratch.path("link.sqlite"), scratch.path("target.sqlite"))
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
    let folder = try DataFolder(data)
    _ = try folder.openStore()
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    let backup = try await Program.run(Program.server, ["backup", "--data", data, "-o", link])
    #expect(backup.status == 0, "\(backup.errors)")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
    #expect(FileManager.default.fileExists(atPath: target))
  }
}
