import CordonTracking
import Foundation
import Testing

/// The built `cordon-track`, as a person or a service manager would run it.
final class Tracker {
  let folder: URL
  private let process = Process()
  private let errorFile: URL

  static let executable = Bundle.main.bundleURL.appendingPathComponent("cordon-track")

  /// Starts it.
  init(_ arguments: [String], in folder: URL) throws {
    self.folder = folder
    errorFile = folder.appendingPathComponent("stderr-\(UUID().uuidString)")
    let outputFile = folder.appendingPathComponent("stdout-\(UUID().uuidString)")
    output = outputFile
    for url in [errorFile, outputFile] { _ = FileManager.default.createFile(atPath: url.path, contents: nil) }
    process.executableURL = Tracker.executable
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.standardOutput = try FileHandle(forWritingTo: outputFile)
    process.standardError = try FileHandle(forWritingTo: errorFile)
    try process.run()
  }

  private let output: URL

  var errors: String { (try? String(contentsOf: errorFile, encoding: .utf8)) ?? "" }
  var text: String { (try? String(contentsOf: output, encoding: .utf8)) ?? "" }

  /// Asks it to end, and waits.
  func end(with number: Int32 = SIGTERM) -> Int32 {
    kill(process.processIdentifier, number)
    return wait()
  }

  func wait() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  /// Runs it to its end.
  static func run(_ arguments: [String], in folder: URL) throws -> (status: Int32, text: String, errors: String) {
    let tracker = try Tracker(arguments, in: folder)
    let status = tracker.wait()
    return (status, tracker.text, tracker.errors)
  }

  static func json(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  /// Asks the running tracker how it is, until it says what is waited for.
  static func status(of store: String, until isDone: ([String: Any]) -> Bool) async throws -> [String: Any] {
    while true {
      try Task.checkCancellation()
      if let line = ControlSocket.ask(store: store, TrackerOrder.status.line) {
        let status = try json(line)
        if isDone(status) { return status }
      }
      // Another process is waited for; asking it all the time would only slow it down.
      try await Task.sleep(for: .milliseconds(50))
    }
  }
}

/// A folder for one test, removed with it.
final class Folder {
  let url: URL

  init() throws {
    // Short: the path of a socket has 107 bytes.
    url = URL(fileURLWithPath: "/tmp").appendingPathComponent("ct-\(UInt32.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  func write(_ text: String, to name: String) throws -> String {
    try Data(text.utf8).write(to: url.appendingPathComponent(name))
    return path(name)
  }
}

enum Places {
  static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  static let office = package.appendingPathComponent("venues/office.mvf.zip").path
}
