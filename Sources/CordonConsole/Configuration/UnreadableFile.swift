import Foundation

/// Why a file cannot be read, in words for a person.
package enum UnreadableFile {
  /// Returns `no such file` or `is a folder, not a file`; `nil` for a file that is there.
  package static func cause(_ path: String) -> String? {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return "no such file" }
    return isFolder.boolValue ? "is a folder, not a file" : nil
  }

  /// Returns the cause, or `cannot be read` without one.
  package static func reason(_ path: String) -> String { cause(path) ?? "cannot be read" }
}
