internal import Foundation

/// The files and folders of the process that a signal removes when it ends the process at once.
///
/// A signal handler may neither allocate nor lock (POSIX.1-2017, 2.4.3). The list therefore only grows: an entry is complete
/// before it is in the list, and stays in it without a path when its file is finished.
package enum UnfinishedFiles {
  private struct Entry {
    var path: UnsafeMutablePointer<CChar>?
    var isFolder: Bool
    var next: UnsafeMutablePointer<Entry>?
  }

  // Written while `lock` is held; the signal handler reads it as it finds it.
  nonisolated(unsafe) private static var newest: UnsafeMutablePointer<Entry>?
  private static let lock = NSLock()

  /// Adds a file, which need not exist, or a folder, which is removed when nothing is left in it. A folder comes before its
  /// files.
  package static func add(_ path: String, isFolder: Bool = false) {
    let entry = UnsafeMutablePointer<Entry>.allocate(capacity: 1)
    lock.withLock {
      entry.initialize(to: Entry(path: strdup(path), isFolder: isFolder, next: newest))
      newest = entry
    }
  }

  /// Takes a path out: its file is finished, or has been removed.
  package static func forget(_ path: String) {
    lock.withLock {
      var entry = newest
      while let known = entry {
        if let own = known.pointee.path, strcmp(own, path) == 0 { known.pointee.path = nil }
        entry = known.pointee.next
      }
    }
  }

  /// Removes everything in the list, the latest first. For signal handlers.
  package static func removeAll() {
    var entry = newest
    while let known = entry {
      if let path = known.pointee.path { _ = known.pointee.isFolder ? rmdir(path) : unlink(path) }
      entry = known.pointee.next
    }
  }
}
