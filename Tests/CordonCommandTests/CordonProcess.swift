import CordonTestSupport
import Foundation
import Testing

/// Runs the built `cordon` executable as a person or a script would.
struct CordonProcess {
  typealias Result = TestProcess.Result

  /// The executable that was built together with the tests.
  static let executable = TestProcess.built("cordon")

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
    try TestProcess.run(program, arguments, in: folder, input: input, environment: environment)
  }
}

extension TestProcess.Result {
  /// Standard output as one JSON object.
  func json() throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
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
    let scratch = try TemporaryFolder()
    let output = URL(fileURLWithPath: try scratch.write("", to: "output"))
    process.standardOutput = try FileHandle(forWritingTo: output)
    let pipe = Pipe()
    process.standardError = pipe
    try process.start()
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
  /// - Returns: `nil` when the command had to be killed, a minute after the signal.
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
    try process.start()
    try source.fileHandleForWriting.write(contentsOf: input)
    kill(process.processIdentifier, number)
    let isInTime = hasEnded.wait(timeout: .now() + 60) == .success
    if !isInTime {
      kill(process.processIdentifier, SIGKILL)
      hasEnded.wait()
    }
    try source.fileHandleForWriting.close()
    let texts = [output, errors].map { String(decoding: $0.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self) }
    return isInTime ? Result(status: process.terminationStatus, output: texts[0], errors: texts[1]) : nil
  }
}
