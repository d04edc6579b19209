import Foundation
import Testing

/// Runs the built `cordon` executable as a person or a script would.
struct CordonProcess {
  struct Result {
    var status: Int32
    var output: String
    var errors: String

    /// Standard output as one JSON object.
    func json() throws -> [String: Any] {
      try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
    }
  }

  /// The executable that was built together with the tests.
  static let executable: URL = {
    #if os(macOS)
      for bundle in Bundle.allBundles where bundle.bundlePath.hasSuffix(".xctest") {
        return bundle.bundleURL.deletingLastPathComponent().appendingPathComponent("cordon")
      }
    #endif
    return Bundle.main.bundleURL.appendingPathComponent("cordon")
  }()

  /// - Parameters:
  ///   - arguments: the arguments without the program's name.
  ///   - folder: the working folder.
  ///   - input: a file that is standard input.
  ///   - environment: variables besides those of the tests.
  ///   - program: another executable than `cordon`.
  static func run(
    _ arguments: [String], in folder: URL? = nil, input: String? = nil, environment: [String: String] = [:],
    program: URL = executable
  ) throws -> Result {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    if let folder { process.currentDirectoryURL = folder }
    if !environment.isEmpty {
      process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    }
    if let input { process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: input)) }
    // Files, not pipes: a full pipe without a reader would block the process.
    let output = FileManager.default.temporaryDirectory.appendingPathComponent("out-\(UUID().uuidString)")
    let errors = FileManager.default.temporaryDirectory.appendingPathComponent("err-\(UUID().uuidString)")
    for url in [output, errors] { _ = FileManager.default.createFile(atPath: url.path, contents: nil) }
    defer {
      for url in [output, errors] { try? FileManager.default.removeItem(at: url) }
    }
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    process.waitUntilExit()
    return Result(
      status: process.terminationStatus, output: try String(contentsOf: output, encoding: .utf8),
      errors: try String(contentsOf: errors, encoding: .utf8))
  }
}

extension CordonProcess {
  /// Runs until progress appears on standard error, and then sends the signal of Ctrl-C; another one with the next
  /// progress.
  /// - Parameters:
  ///   - signals: the maximum number of signals.
  ///   - environment: variables besides those of the tests.
  static func interrupted(
    _ arguments: [String], signals: Int = 1, environment: [String: String] = [:]
  ) throws -> Result {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    if !environment.isEmpty {
      process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    }
    let output = FileManager.default.temporaryDirectory.appendingPathComponent("out-\(UUID().uuidString)")
    _ = FileManager.default.createFile(atPath: output.path, contents: nil)
    defer { try? FileManager.default.removeItem(at: output) }
    process.standardOutput = try FileHandle(forWritingTo: output)
    let pipe = Pipe()
    process.standardError = pipe
    try process.run()
    var errors = Data()
    var sent = 0
    // Reading blocks until there is output, or the end.
    while case let more = pipe.fileHandleForReading.availableData, !more.isEmpty {
      errors += more
      if sent < signals {
        process.interrupt()
        sent += 1
      }
    }
    process.waitUntilExit()
    return Result(
      status: process.terminationStatus, output: try String(contentsOf: output, encoding: .utf8),
      errors: String(decoding: errors, as: UTF8.self))
  }
}

extension CordonProcess {
  /// Sends a signal to a command that has read its input and waits for more.
  /// - Parameters:
  ///   - number: the signal.
  ///   - folder: the working folder.
  ///   - input: more than a pipe holds.
  ///   - environment: variables besides those of the tests.
  /// - Returns: `nil` when the command had to be killed, ten seconds after the signal.
  static func ended(
    by number: Int32, _ arguments: [String], in folder: URL, reading input: Data, environment: [String: String] = [:]
  ) throws -> Result? {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let (source, output, errors) = (Pipe(), Pipe(), Pipe())
    process.standardInput = source
    process.standardOutput = output
    process.standardError = errors
    let hasEnded = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in hasEnded.signal() }
    try process.run()
    try source.fileHandleForWriting.write(contentsOf: input)
    kill(process.processIdentifier, number)
    let isInTime = hasEnded.wait(timeout: .now() + 10) == .success
    if !isInTime {
      kill(process.processIdentifier, SIGKILL)
      hasEnded.wait()
    }
    try source.fileHandleForWriting.close()
    let texts = [output, errors].map { String(decoding: $0.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self) }
    return isInTime ? Result(status: process.terminationStatus, output: texts[0], errors: texts[1]) : nil
  }
}

/// A folder of one test, removed with it.
final class ScratchFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("cordon-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  func write(_ text: String, to name: String) throws -> String {
    let path = path(name)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  var contents: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
  }
}

/// Files that tests read.
enum Places {
  static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  /// Real bundles beside the checkout; not part of the project.
  static let realVenues = package.deletingLastPathComponent().appendingPathComponent("shared/venues")
  static var hasRealVenues: Bool { FileManager.default.fileExists(atPath: realVenues.path) }
  /// Measured data beside the checkout; not part of the project.
  static let realData = package.deletingLastPathComponent().appendingPathComponent("shared/realdata")
  static var hasRealData: Bool { FileManager.default.fileExists(atPath: realData.path) }
  static let office = package.appendingPathComponent("venues/office.mvf.zip").path
}
