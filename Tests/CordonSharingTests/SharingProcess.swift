#if canImport(Glibc)
  import CordonTestSupport
  import Foundation
  import Glibc

  /// A process of `cordon-server form`, whose questions a test answers.
  final class SharingProcess: Sendable {
    private let child: Child

    static var program: URL {
      let names = ["cordon-server", "CordonServerCommand"].map { TestProcess.built($0) }
      return names.first { FileManager.default.isExecutableFile(atPath: $0.path) } ?? names[0]
    }

    /// - Parameter environment: variables besides those of the tests.
    init(_ arguments: [String], environment: [String: String] = [:]) throws {
      // A process that has ended does not end the tests.
      signal(SIGPIPE, SIG_IGN)
      let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      child = try Child("/usr/bin/env", variables + [Self.program.path, "form"] + arguments)
    }

    /// Reads standard error up to a text and the end of its line, or of the stream. Returns the rest of the line.
    func read(after marker: String) async -> String? {
      let text = await read(untilEndOf: child.errors) { text in
        guard let start = text.range(of: marker) else { return false }
        return text[start.upperBound...].contains("\n")
      }
      guard let start = text.range(of: marker) else { return nil }
      return String(text[start.upperBound...].prefix { $0 != "\n" })
    }

    /// Types a line.
    func enter(_ text: String) {
      let bytes = Array((text + "\n").utf8)
      _ = write(child.input, bytes, bytes.count)
    }

    /// Waits for the end. Returns the status, standard output and the rest of standard error.
    func end() async -> (status: Int32, output: String, errors: String) {
      let output = await read(untilEndOf: child.output) { _ in false }
      let errors = await read(untilEndOf: child.errors) { _ in false }
      return (child.wait(), output, errors)
    }

    /// Ends it, and none of the processes that it started.
    func kill() {
      child.signal(SIGKILL)
      child.wait()
    }

    /// Ends it.
    func destroy() { child.destroy() }

    private func read(
      untilEndOf descriptor: Int32, or isEnough: @escaping @Sendable (String) -> Bool
    ) async -> String {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          var bytes: [UInt8] = []
          var byte: UInt8 = 0
          // One at a time, so that nothing behind the line is taken.
          while Glibc.read(descriptor, &byte, 1) == 1 {
            bytes.append(byte)
            if byte == 0x0A, isEnough(String(decoding: bytes, as: UTF8.self)) { break }
          }
          continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
        }
      }
    }
  }
#endif
