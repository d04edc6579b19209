internal import CordonCore
import CordonSupport
internal import Foundation
package import Logging

/// One line of JSON for each message, on standard error. Nothing that a client sent reaches it unescaped, and no
/// place at all.
package struct LineLog: LogHandler {
  /// Fields of every line.
  package var metadata: Logger.Metadata = [:]
  /// The minimum level that is written.
  package var logLevel: Logger.Level
  private let label: String

  /// A log.
  package init(label: String, level: Logger.Level = .info) {
    self.label = label
    logLevel = level
  }

  /// A field of every line.
  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  /// Writes a line.
  package func log(event: LogEvent) {
    var members: [JSONValue.Member] = [
      .init("time", .string(Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)).rfc3339)),
      .init("level", .string(event.level.rawValue)), .init("message", .string(event.message.description)),
    ]
    let fields = metadata.merging(event.metadata ?? [:]) { _, new in new }
    for key in fields.keys.sorted() {
      members.append(.init(key, .string(fields[key]?.description ?? "")))
    }
    // A full disk or a closed stream must not end the server, and the failure cannot be reported.
    try? FileHandle.standardError.write(contentsOf: Data((JSONValue.object(members).text() + "\n").utf8))
  }
}
