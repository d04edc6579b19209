import CordonCommandLine
import CordonConsole
import Foundation

/// Texts on disk, or in pipes.
enum TextFile {
  /// Reads all bytes of a file, a FIFO or a device.
  ///
  /// Foundation's `Data(contentsOf:)` refuses everything but regular files.
  static func contents(of path: String) throws -> Data {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    defer { try? file.close() }
    return try file.readToEnd() ?? Data()
  }

  /// Reads a file of UTF-8 text whole.
  /// - Parameter code: the code of the error when the bytes are not text.
  /// - Throws: ``CommandError`` with the reason in words.
  static func read(_ path: String, code: String) throws -> (text: String, bytes: Data) {
    if let cause = UnreadableFile.cause(path) { throw CommandError(cause, code: "not-found", file: path) }
    let bytes: Data
    do {
      bytes = try contents(of: path)
    } catch {
      throw CommandError("cannot be read: \(Output.reason(of: error))", code: "not-found", file: path)
    }
    guard let text = String(data: bytes, encoding: .utf8) else {
      throw CommandError("is not UTF-8 text", code: code, file: path)
    }
    return (text, bytes)
  }
}
