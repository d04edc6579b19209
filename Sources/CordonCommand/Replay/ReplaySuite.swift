import CordonCommandLine
import CordonCore
import Foundation

/// The traces of a folder, and of the folders in it, that have expectations: `walk.gpx.yaml` beside `walk.gpx`.
struct ReplaySuite {
  /// A trace of the suite.
  struct Item {
    /// The path from the folder.
    var name: String
    /// The file or run.
    var trace: String
    /// The file of expectations.
    var expectations: String
  }

  /// By name.
  private(set) var items: [Item] = []
  /// Files without expectations, by name.
  private(set) var others: [String] = []

  /// The most folders in each other.
  private static let depth = 16

  /// Looks for traces.
  /// - Throws: ``CommandError`` when the folder cannot be read, holds no expectations, or expectations without a trace.
  init(folder: String) throws {
    try add("", in: folder, depth: 0)
    guard !items.isEmpty else {
      throw CommandError("holds no trace with expectations: walk.gpx.yaml beside walk.gpx", code: "empty", file: folder)
    }
    items.sort { $0.name < $1.name }
    others.sort()
  }

  private mutating func add(_ prefix: String, in folder: String, depth: Int) throws {
    guard depth <= ReplaySuite.depth else {
      throw CommandError("has too many folders in each other", code: "usage", file: folder)
    }
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasPrefix(".") }.sorted()
    } catch {
      throw CommandError("cannot be read: \(Output.reason(of: error))", code: "unreadable", file: folder)
    }
    let all = Set(names)
    var traces: Set<String> = []
    for name in names {
      guard let ending = [".yaml", ".yml"].first(where: { name.lowercased().hasSuffix($0) }) else { continue }
      let trace = String(name.dropLast(ending.count))
      let file = folder + "/" + name
      guard all.contains(trace) else {
        throw CommandError("no trace \(trace) beside it", code: "not-found", file: file)
      }
      guard traces.insert(trace).inserted else {
        throw CommandError("\(trace) has expectations twice", code: "usage", file: file)
      }
      items.append(Item(name: prefix + trace, trace: folder + "/" + trace, expectations: file))
    }
    for name in names where !traces.contains(name) {
      let path = folder + "/" + name
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { continue }
      if isFolder.boolValue {
        try add(prefix + name + "/", in: path, depth: depth + 1)
      } else if ![".yaml", ".yml"].contains(where: name.lowercased().hasSuffix) {
        others.append(prefix + name)
      }
    }
  }
}
