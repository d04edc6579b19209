package import Foundation

/// A folder for one test, removed with it. Its path is short, because that of a socket has at most 107 bytes.
package final class TemporaryFolder: Sendable {
  package let url: URL

  package init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("ct-\(UInt32.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  package var path: String { url.path }

  /// The path of a file in the folder.
  package func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// The names of everything in the folder, hidden files too, sorted.
  package var contents: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }

  /// Writes a file and returns its path.
  package func write(_ text: String, to name: String) throws -> String { try write(Data(text.utf8), to: name) }

  /// Writes a file and returns its path.
  package func write(_ data: Data, to name: String) throws -> String {
    try data.write(to: url.appendingPathComponent(name))
    return path(name)
  }

  /// The text of a file.
  package func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: url.appendingPathComponent(name)), as: UTF8.self)
  }
}
