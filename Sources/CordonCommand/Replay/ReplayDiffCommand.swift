import ArgumentParser
import CordonCommandLine
import CordonCore
import CordonReplay
import CordonSupport
import Foundation

/// The command `cordon replay diff`.
struct ReplayDiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Show the first decision in which two replays differ.",
    discussion: """
      Example:

        cordon replay diff out/before out/after

      Takes two folders that cordon replay wrote, or two of their decisions.jsonl files. Exit status 1 when a decision \
      differs. Assumptions and shown positions are not decisions; the command reports separately that they differ.
      """)

  @Argument(help: "The first replay: a folder, or its decisions.jsonl.")
  var first: String

  @Argument(help: "The second replay.")
  var second: String

  @OptionGroup(title: "Output") var output: JSONOption

  func run() throws {
    let (one, two) = (try read(first), try read(second))
    let difference = ReplayDifference.between(one, two)
    let isOfHeads = ReplayDifference.isOfHeads(one, two)
    let subject = difference?.subject
    if output.json {
      try Output.print(
        [
          "schema": "cordon.replay-diff/1", "same": .bool(difference == nil), "head_differs": .bool(isOfHeads),
          "line": JSONValue(difference?.line), "device": JSONValue(subject?.device), "event": JSONValue(subject?.event),
          "index": JSONValue(subject?.index), "first": JSONValue(difference?.first),
          "second": JSONValue(difference?.second),
        ])
    } else {
      var lines: [String] = []
      if let difference {
        let index = subject?.index.map { " \($0)" } ?? ""
        let about = subject.map { ": \($0.event)\(index) of \($0.device)" } ?? ""
        lines = [
          "line \(difference.line) differs\(about)", "- \(difference.first ?? "(the log ends)")",
          "+ \(difference.second ?? "(the log ends)")",
        ]
      } else {
        lines = ["the same decisions"]
      }
      if isOfHeads { lines.append("their heads differ: other assumptions, or other shown positions") }
      try Output.print(lines.joined(separator: "\n") + "\n")
    }
    if difference != nil { throw ExitCode(CommandError.Status.findings.rawValue) }
  }

  private func read(_ path: String) throws -> String {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw CommandError("no such file or folder", code: "not-found", file: path)
    }
    let file = isFolder.boolValue ? path + "/decisions.jsonl" : path
    let text = try TextFile.read(file, code: "unreadable").text
    // Lines of a file of another kind are not quoted.
    guard ReplayDifference.isLog(text) else {
      throw CommandError("is not a decision log; cordon replay run -o writes one", code: "not-a-log", file: file)
    }
    return text
  }
}
