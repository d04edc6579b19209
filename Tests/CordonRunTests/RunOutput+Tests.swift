import CordonRun
import CordonTestSupport
import Foundation

extension TemporaryFolder {
  /// A file as one JSON object; empty when it is not one.
  func json(_ name: String) throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: Data(try text(name).utf8)) as? [String: Any] ?? [:]
  }

  /// Writes a run to a folder.
  @discardableResult func write(_ contents: RunContents, to name: String, replacing: Bool = false) throws -> [RunOutput]
  {
    try RunFolder.prepare(at: path(name), replacing: replacing).write(contents) { RunTimings() }
  }
}
