internal import Foundation

extension DataFolder {
  /// Throws when users other than the owner can read or write the folder or a file in it, as after a copy.
  /// Access to the keys allows anyone to make tokens.
  public func checkModes() throws {
    try Self.check(path, mask: 0o077, remedy: "chmod 700")
    let names = try FileManager.default.contentsOfDirectory(atPath: path)
    for name in names.sorted() where !Self.isFolder(path + "/" + name) {
      try Self.check(path + "/" + name, mask: 0o077, remedy: "chmod 600")
    }
  }

  /// Throws when all users can read a file of secrets outside the folder. Group access is allowed: certificates often need it.
  public static func checkMode(ofSecret file: String) throws {
    try check(file, mask: 0o007, remedy: "chmod o-rwx")
  }

  /// Throws when users other than the owner can read or write a file that holds a private key.
  static func checkMode(ofKey file: String) throws { try check(file, mask: 0o077, remedy: "chmod 600") }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  private static func check(_ path: String, mask: Int, remedy: String) throws {
    // A missing or inaccessible file fails when it is opened, with its own reason.
    guard let mode = try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int else { return }
    guard mode & mask == 0 else {
      throw Fault(
        description: "\(path): mode \(String(mode & 0o777, radix: 8)) lets others in; run `\(remedy) \(path)`")
    }
  }
}
