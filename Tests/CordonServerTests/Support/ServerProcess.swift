import CordonTestSupport
import Foundation
import Testing

/// A program that was built with the tests, in its own process: nothing in the tests delays it.
///
/// Threads of its own read its output, so that no test waits for a place in the pool.
final class Program: Sendable {
  let process: Process
  /// The lines of standard error, as they arrive.
  let errors: AsyncStream<String>
  /// The lines of standard output, as they arrive.
  let output: AsyncStream<String>
  private let status: Task<Int32, Never>

  /// The file of the server.
  static var server: String {
    let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path
    let names = ["cordon-server", "CordonServerCommand"].map { "\(folder)/\($0)" }
    return names.first { FileManager.default.isExecutableFile(atPath: $0) } ?? names[0]
  }

  /// Whether the system has a tool.
  static func has(_ tool: String) -> Bool { path(tool) != nil }

  static func path(_ tool: String) -> String? {
    ["/usr/bin/\(tool)", "/usr/local/bin/\(tool)", "/bin/\(tool)"]
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  init(_ path: String, _ arguments: [String], environment: [String: String] = [:], input: String? = nil) throws {
    process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let (out, error) = (Pipe(), Pipe())
    process.standardOutput = out
    process.standardError = error
    let stdin = Pipe()
    process.standardInput = stdin
    let (ends, end) = AsyncStream.makeStream(of: Int32.self)
    process.terminationHandler = {
      end.yield($0.terminationStatus)
      end.finish()
    }
    status = Task { await ends.first { _ in true } ?? -1 }
    output = Program.lines(of: out.fileHandleForReading)
    errors = Program.lines(of: error.fileHandleForReading)
    // Written before the start, while this process holds the reading end: a program that ends without reading its input would
    // end the tests by SIGPIPE. The pipe has room for 64 KiB.
    if let input { try stdin.fileHandleForWriting.write(contentsOf: Data(input.utf8)) }
    try? stdin.fileHandleForWriting.close()
    try process.start()
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  private static func lines(of handle: FileHandle) -> AsyncStream<String> {
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    Thread.detachNewThread {
      var rest = Data()
      while true {
        let data = handle.availableData
        if data.isEmpty { break }
        rest += data
        while let end = rest.firstIndex(of: 0x0a) {
          continuation.yield(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
          rest = rest[rest.index(after: end)...]
        }
      }
      if !rest.isEmpty { continuation.yield(String(decoding: rest, as: UTF8.self)) }
      continuation.finish()
    }
    return stream
  }

  /// Waits for a line of standard error with a word in it.
  func line(with word: String) async throws -> String {
    var seen: [String] = []
    for await line in errors {
      if line.contains(word) { return line }
      seen.append(line)
    }
    throw Failure("the program ended without \(word): \(seen.joined(separator: "\n"))")
  }

  func signal(_ number: Int32) { if process.isRunning { kill(process.processIdentifier, number) } }

  /// Waits for the end.
  func end() async -> Int32 { await status.value }

  /// Runs a program to its end. A program that does not end within nine minutes is killed.
  static func run(
    _ path: String, _ arguments: [String], environment: [String: String] = [:], input: String? = nil
  ) async throws -> (status: Int32, output: String, errors: String) {
    let program = try Program(path, arguments, environment: environment, input: input)
    DispatchQueue.global().asyncAfter(deadline: .now() + 540) { [weak program] in program?.signal(SIGKILL) }
    async let output = program.output.reduce(into: "") { $0 += $1 + "\n" }
    async let errors = program.errors.reduce(into: "") { $0 += $1 + "\n" }
    return (await program.end(), await output, await errors)
  }

  struct Failure: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
  }
}
