import Foundation

/// Why a file cannot be read, in words for a person.
package enum UnreadableFile {
  /// Returns `no such file`, `is a folder, not a file` or `cannot be read`.
  package static func reason(_ path: String) -> String {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return "no such file" }
    return isFolder.boolValue ? "is a folder, not a file" : "cannot be read"
  }
}
