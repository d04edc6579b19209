import ArgumentParser
import CordonCommandLine
import CordonSupport
import Foundation

/// The formats of the files that a command writes: named with `--output-format`, or by the ending of the file's name.
protocol FileFormat: ExpressibleByArgument, Hashable, Sendable {
  /// Endings without their dot, in lower case, the preferred one first, and what they mean.
  static var endings: [(ending: String, format: Self)] { get }
  /// The format of a name without an ending: on standard output, or in a device or FIFO; `nil` when it must be named.
  static var defaultFormat: Self? { get }
}

extension FileFormat {
  static var defaultFormat: Self? { nil }

  /// The format of a file. `.gz` after the ending compresses it, and does not count.
  /// - Parameter asked: the value of `--output-format`.
  /// - Throws: ``CommandError`` for an ending that is none of the command's.
  static func of(_ path: String, asked: Self?) throws -> Self {
    if let asked { return asked }
    switch FileEnding(path) {
    case .absent:
      if let defaultFormat { return defaultFormat }
      throw CommandError(
        path == "-"
          ? "-o - needs --output-format: \(names)" : "has no ending; name the format with --output-format: \(names)",
        code: "usage", file: path == "-" ? nil : path)
    case .present(let name):
      // The longest: `.mvf.zip` before `.zip`.
      let known = endings.filter { name == $0.ending || name.hasSuffix("." + $0.ending) }
      if let found = known.max(by: { $0.ending.count < $1.ending.count }) { return found.format }
      let ending = name.split(separator: ".").last.map(String.init) ?? name
      let isTable = endings.contains { $0.ending == "arrow" }
      if ending == "parquet", isTable {
        throw CommandError(
          "Parquet is written by the Python package: cordon.to_parquet, or 'cordon run export' where it is installed",
          code: "usage", file: path)
      }
      throw CommandError(
        "cannot write .\(ending) files; endings are \(FileEnding.list(endings.map(\.ending)))"
          + (allValueStrings.count > 1 ? ", or name the format with --output-format" : ""), code: "usage", file: path)
    }
  }

  private static var names: String { allValueStrings.joined(separator: ", ") }
}

/// The ending of a file's name.
enum FileEnding {
  /// A name without one.
  case absent
  /// All that follows the first dot of the name, in lower case and without `.gz`.
  case present(String)

  init(_ path: String) {
    var name = (path.split(separator: "/").last.map(String.init) ?? path).lowercased()
    if name.hasSuffix(".gz") { name.removeLast(3) }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).dropFirst()
    let ending = parts.joined(separator: ".")
    // Neither a hidden file nor a name that ends with a dot, and never what is written through: /dev/null, ../pipe.
    self = path == "-" || parts.last?.isEmpty ?? true ? .absent : .present(ending)
  }

  /// `.csv, .jsonl or .json`
  static func list(_ endings: [String]) -> String {
    let dotted = endings.map { "." + $0 }
    guard dotted.count > 1, let last = dotted.last else { return dotted.first ?? "none" }
    return dotted.dropLast().joined(separator: ", ") + " or " + last
  }

  /// Checks the ending of a file of the one format that a command writes.
  /// - Parameter endings: without their dot, in lower case.
  /// - Throws: ``CommandError`` when the file is called as something else.
  static func check(_ path: String, is endings: [String]) throws {
    guard case .present(let name) = FileEnding(path),
      !endings.contains(where: { name == $0 || name.hasSuffix("." + $0) })
    else { return }
    let ending = name.split(separator: ".").last.map(String.init) ?? name
    throw CommandError("cannot write .\(ending) files; the ending is \(list(endings))", code: "usage", file: path)
  }
}
