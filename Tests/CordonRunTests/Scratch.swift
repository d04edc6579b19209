import CordonRun
import Foundation

/// A folder of one test, removed with it.
final class Scratch: Sendable {
  let folder: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("cordon-run-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func path(_ name: String) -> String { folder + "/" + name }

  /// Everything in the folder, hidden files too.
  func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }

  func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: path(name))), as: UTF8.self)
  }

  func json(_ name: String) throws -> [String: Any] {
    let data = try Data(contentsOf: URL(fileURLWithPath: path(name)))
    return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
  }

  @discardableResult func write(_ contents: RunContents, to name: String, replacing: Bool = false) throws -> [RunOutput]
  {
    try RunFolder.prepare(at: path(name), replacing: replacing).write(contents) { RunTimings() }
  }
}
