internal import Foundation

/// The files and folders of the process that a signal removes when it ends the process at once.
package enum UnfinishedFiles {
  private struct Entry {
    var path: String
    var isFolder: Bool
  }

  private static let entries = Locked<[Entry]>([])

  /// Adds a file, which need not exist, or a folder, which is removed when it is empty. Add a folder before its files.
  package static func add(_ path: String, isFolder: Bool = false) {
    entries.with { $0.append(Entry(path: path, isFolder: isFolder)) }
  }

  /// Removes a path from the list: its file is finished, or does not exist any more.
  package static func forget(_ path: String) {
    entries.with { $0.removeAll { $0.path == path } }
  }

  /// Removes all files and folders of the list, the latest first.
  static func removeAll() {
    entries.with {
      for entry in $0.reversed() { _ = entry.isFolder ? rmdir(entry.path) : unlink(entry.path) }
      $0 = []
    }
  }
}
