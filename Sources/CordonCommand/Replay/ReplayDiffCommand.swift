import ArgumentParser
import CordonCore
import CordonReplay
import Foundation

/// `cordon replay diff`
struct ReplayDiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Name the first decision in which two replays differ.",
    discussion: """
      Example:

        cordon replay diff out/before out/after

      Takes two folders that cordon replay wrote, or two of their decisions.jsonl files. Exit status 1 when they differ.
      """)

  @Argument(help: "The first replay: a folder, or its decisions.jsonl.")
  var first: String

  @Argument(help: "The second replay.")
  var second: String

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    let difference = ReplayDifference.between(try read(first), try read(second))
    if json {
      Output.print(
        [
          "schema": "cordon.replay-diff/1", "same": .bool(difference == nil), "line": JSONValue(difference?.line),
          "first": JSONValue(difference?.first), "second": JSONValue(difference?.second),
        ])
    } else if let difference {
      Output.print(
        "line \(difference.line) differs:\n- \(difference.first ?? "(the log ends)")\n+ \(difference.second ?? "(the log ends)")\n"
      )
    } else {
      Output.print("the same decisions\n")
    }
    if difference != nil { throw ExitCode(Failure.Status.findings.rawValue) }
  }

  private func read(_ path: String) throws -> String {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw Failure("no such file or folder", code: "not-found", file: path)
    }
    let file = isFolder.boolValue ? path + "/decisions.jsonl" : path
    do {
      return try String(contentsOfFile: file, encoding: .utf8)
    } catch {
      throw Failure("cannot be read: \(Output.reason(of: error))", code: "unreadable", file: file)
    }
  }
}
