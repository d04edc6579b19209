import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonCore
import Foundation

/// The command `cordon contacts worker`.
struct ContactsWorkerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "worker",
    abstract: "Answer requests on standard input, one after the other; for programs.",
    discussion: """
      Example:

        { echo '["find", "-", "--input-format", "arrow", "--json"]'; \\
          cat points.arrows; } | cordon contacts worker --json

      A request is one line, a JSON list of the words after 'cordon contacts', and then what that command reads from \
      standard input: an Arrow stream, with the mark of its end. The answer is what the command prints. The first error \
      ends the process, with the exit status of the command. The end of standard input ends it with 0.

      A program that has many requests thus pays for the start of one process only, and for its memory once. The Python \
      package does that on Spark.
      """)

  @Option(help: ArgumentHelp("End when no request has come for this long.", valueName: "duration"))
  var idle = DurationArgument(.seconds(60))

  @OptionGroup var output: JSONOption

  func validate() throws {
    if !(1...86_400_000).contains(idle.span.milliseconds) { throw ValidationError("--idle must be from 1ms to 24h") }
  }

  func run() throws {
    while let words = try nextRequest() {
      var command = try ContactsCommand.parseAsRoot(words)
      guard !(command is ContactsWorkerCommand) else { throw Self.fault("a request cannot be 'worker'") }
      try command.run()
    }
  }

  /// The longest line of a request, bytes.
  private static let longest = 1 << 20

  private static func fault(_ message: String) -> CommandError { CommandError(message, code: "usage", file: "-") }

  /// Reads a line byte by byte: the bytes after it are the command's.
  /// - Returns: the words; `nil` at the end of standard input, and when no request comes.
  private func nextRequest() throws -> [String]? {
    var line: [UInt8] = []
    guard waits() else { return nil }
    while true {
      var byte: UInt8 = 0
      let count = read(STDIN_FILENO, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw CommandError(String(cString: strerror(errno)), code: "unreadable", file: "-") }
      if count == 0, line.isEmpty { return nil }
      if count == 0 { throw Self.fault("the last request is not a whole line") }
      if byte == UInt8(ascii: "\n") { break }
      line.append(byte)
      if line.count > Self.longest { throw Self.fault("a request is longer than 1 MiB") }
    }
    guard let words = try? JSONDecoder().decode([String].self, from: Data(line)) else {
      throw Self.fault("a request is not a JSON list of words")
    }
    return words
  }

  /// Whether there is something to read, or the end.
  private func waits() -> Bool {
    let limit = ContinuousClock.now + .milliseconds(idle.span.milliseconds)
    while true {
      let left = limit - ContinuousClock.now
      let milliseconds = left.components.seconds * 1_000 + left.components.attoseconds / 1_000_000_000_000_000
      var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      let count = poll(&input, 1, Int32(clamping: max(milliseconds, 0)))
      if count < 0, errno == EINTR { continue }
      return count != 0
    }
  }
}
