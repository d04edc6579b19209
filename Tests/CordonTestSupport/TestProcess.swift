package import Foundation

/// Programs that tests run to their end.
package enum TestProcess {
  /// The exit status and the output of a program.
  package struct Result: Sendable {
    package var status: Int32
    package var output: String
    package var errors: String

    package init(status: Int32, output: String, errors: String) {
      self.status = status
      self.output = output
      self.errors = errors
    }

    /// Standard output as one JSON object; empty when it is not one.
    package var json: [String: Any] {
      (try? JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]) ?? [:]
    }
  }

  /// A program that was built together with the tests, such as `cordon`.
  package static func built(_ name: String) -> URL {
    #if os(macOS)
      for bundle in Bundle.allBundles where bundle.bundlePath.hasSuffix(".xctest") {
        return bundle.bundleURL.deletingLastPathComponent().appendingPathComponent(name)
      }
    #endif
    return Bundle.main.bundleURL.appendingPathComponent(name)
  }

  /// A program of the system, by its name; `nil` when it is not installed.
  package static func tool(_ name: String) -> URL? {
    ["/usr/bin", "/usr/local/bin", "/bin", "/opt/homebrew/bin"].map { URL(fileURLWithPath: "\($0)/\(name)") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  /// Runs a program to its end.
  ///
  /// - Parameters:
  ///   - program: the executable.
  ///   - arguments: without the program's name.
  ///   - folder: where to run it.
  ///   - input: a file that is standard input; nothing by default.
  ///   - output: an open file that is standard output. By default the output is in the result.
  ///   - environment: variables besides those of the tests.
  package static func run(
    _ program: URL, _ arguments: [String], in folder: URL? = nil, input: String? = nil, output: FileHandle? = nil,
    environment: [String: String] = [:]
  ) throws -> Result {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    if let folder { process.currentDirectoryURL = folder }
    if !environment.isEmpty {
      process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    }
    process.standardInput =
      try input.map { try FileHandle(forReadingFrom: URL(fileURLWithPath: $0)) } ?? FileHandle.nullDevice
    // Files, not pipes: a full pipe would stop a process whose output nobody reads.
    let scratch = try TemporaryFolder()
    let files = ["output", "errors"].map { scratch.url.appendingPathComponent($0) }
    for file in files { _ = FileManager.default.createFile(atPath: file.path, contents: nil) }
    process.standardOutput = try output ?? FileHandle(forWritingTo: files[0])
    process.standardError = try FileHandle(forWritingTo: files[1])
    try process.start()
    process.waitUntilExit()
    return Result(
      status: process.terminationStatus, output: try scratch.text("output"), errors: try scratch.text("errors"))
  }
}
