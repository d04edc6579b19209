internal import Foundation

extension DataFolder {
  /// Fails when the folder or a file in it can be read or written by others than its owner, as after a copy: with the keys, anybody
  /// can make tokens.
  public func checkModes() throws {
    try Self.check(path, mask: 0o077, remedy: "chmod 700")
    let names = try FileManager.default.contentsOfDirectory(atPath: path)
    for name in names.sorted() where !Self.isFolder(path + "/" + name) {
      try Self.check(path + "/" + name, mask: 0o077, remedy: "chmod 600")
    }
  }

  /// Fails when everybody can read a file of secrets that is elsewhere. Its group may: certificates are often kept so.
  public static func checkMode(ofSecret file: String) throws {
    try check(file, mask: 0o007, remedy: "chmod o-rwx")
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  private static func check(_ path: String, mask: Int, remedy: String) throws {
    // What is not there, or cannot be looked at, fails where it is opened, with a reason of its own.
    guard let mode = try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int else { return }
    guard mode & mask == 0 else {
      throw Fault(
        description: "\(path): mode \(String(mode & 0o777, radix: 8)) lets others in; run `\(remedy) \(path)`")
    }
  }
}
