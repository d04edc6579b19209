import CordonCore
import CordonRun
import Foundation

/// Where a command's results go.
enum Output {
  /// Prints one JSON object on standard output.
  static func print(_ value: JSONValue) {
    write(Data((value.text() + "\n").utf8), to: .standardOutput)
  }

  /// Prints text on standard output as it is.
  static func print(_ text: String) {
    write(Data(text.utf8), to: .standardOutput)
  }

  /// Tells of what was taken for granted, on standard error.
  static func note(_ notes: [String]) {
    write(Data(notes.map { "note: \($0)\n" }.joined().utf8), to: .standardError)
  }

  /// Writes a file whole or not at all; `-` is standard output.
  /// - Throws: ``Failure`` when the file exists and `force` is not set, or cannot be written.
  static func write(_ bytes: Data, toFile path: String, force: Bool = true) throws {
    if path == "-" {
      write(bytes, to: .standardOutput)
      return
    }
    if !force, FileManager.default.fileExists(atPath: path) {
      throw Failure("exists already; use --force to replace it", code: "exists", file: path)
    }
    let url = URL(fileURLWithPath: path)
    let temporary = url.deletingLastPathComponent().appendingPathComponent(
      ".\(url.lastPathComponent).\(getpid()).partial")
    do {
      try bytes.write(to: temporary)
      guard rename(temporary.path, url.path) == 0 else {
        throw Failure(String(cString: strerror(errno)), code: "cannot-write", file: path)
      }
    } catch {
      try? FileManager.default.removeItem(at: temporary)
      if error is Failure { throw error }
      throw Failure("cannot be written: \(reason(of: error))", code: "cannot-write", file: path)
    }
  }

  /// The operating system's own word for an error of file access, without a sentence round it.
  static func reason(of error: any Error) -> String { SystemReason.text(of: error) }

  private static func write(_ bytes: Data, to handle: FileHandle) {
    // A closed pipe (`cordon ... | head`) is the reader's choice, not an error.
    try? handle.write(contentsOf: bytes)
  }
}
