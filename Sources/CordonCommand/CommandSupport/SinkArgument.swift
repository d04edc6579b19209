import ArgumentParser
import CordonCommandLine
import Foundation

/// The destination of rows on the command line: `memory`, `file=PATH` or `cordon=URL`.
enum SinkArgument: DescribedArgument, Equatable, Sendable {
  /// A sink in this process.
  case memory
  /// The same, which also writes batches to a file of JSON Lines.
  case file(String)
  /// A running server.
  case server(URL)

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
    switch (parts.first, parts.dropFirst().first) {
    case ("memory", nil): self = .memory
    case ("file", let path?): self = .file(path)
    case ("cordon", let address?):
      guard let url = URL(string: address), ["http", "https"].contains(url.scheme ?? ""), url.host != nil else {
        return nil
      }
      self = .server(url)
    default: return nil
    }
  }

  var defaultValueDescription: String {
    switch self {
    case .memory: "memory"
    case .file(let path): "file=\(path)"
    case .server(let url): "cordon=\(url.absoluteString)"
    }
  }

  static var valueName: String { "sink" }
  static var forms: String { "memory, file=PATH or cordon=URL with http or https" }
}
