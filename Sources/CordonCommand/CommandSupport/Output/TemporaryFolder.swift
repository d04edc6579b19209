import CordonCommandLine
import CordonConsole
import Foundation

/// A folder of the process's own, under the system's folder for temporary files.
struct TemporaryFolder {
  let path: String

  /// Makes it; nobody else may read it.
  init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("cordon-\(UUID().uuidString)")
    do {
      try FileManager.default.createDirectory(
        at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    } catch {
      throw CommandError("no temporary folder: \(Output.reason(of: error))", code: "cannot-write", file: url.path)
    }
    path = url.path
    UnfinishedFiles.add(path, isFolder: true)
  }

  /// Removes it with everything in it.
  func remove() {
    try? FileManager.default.removeItem(atPath: path)
    UnfinishedFiles.forget(path)
  }

  /// The path of a database in the folder. A signal that ends the process removes it and its journals.
  func database(_ name: String) -> String {
    let file = path + "/" + name
    for ending in ["", "-journal", "-wal", "-shm"] { UnfinishedFiles.add(file + ending) }
    return file
  }
}
