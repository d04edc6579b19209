package import ArgumentParser
internal import CordonConsole
internal import CordonCore
internal import Foundation

/// The run of an executable: parses the command line, runs the command, and renders every error in one way.
///
/// Exit status: 0 done, 1 findings, 2 wrong usage, input or output, 3 internal error, 130 interrupted, 141 closed pipe.
package struct CommandLineTool {
  private let root: any ParsableCommand.Type
  private let name: String
  private let types: [any DescribedArgument.Type]
  private let arguments: [String]

  /// - Parameters:
  ///   - root: the root command, whose name messages begin with.
  ///   - types: the types of values that describe their forms when one is refused.
  package init(
    _ root: any ParsableCommand.Type, types: [any DescribedArgument.Type],
    arguments: [String] = Array(CommandLine.arguments.dropFirst())
  ) {
    self.root = root
    self.types = types
    self.arguments = arguments
    name = root.configuration.commandName ?? "cordon"
    StandardOutput.prepare()
  }

  /// Whether errors are printed as JSON objects.
  private var wantsJSON: Bool { arguments.contains("--json") }

  /// The text of an error on standard error.
  package func text(of error: CommandError) -> String { error.text(tool: name, wantsJSON: wantsJSON) }

  /// Runs the command and ends the process.
  /// - Parameter prepare: called after parsing and before the command.
  package func run(_ prepare: () -> Void = {}) -> Never {
    do {
      var command = try parse()
      prepare()
      try command.run()
    } catch {
      report(error)
    }
    end(with: 0)
  }

  /// Runs the command and ends the process.
  package func runAsync() async -> Never {
    do {
      var command = try parse()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      report(error)
    }
    end(with: 0)
  }

  private func parse() throws -> any ParsableCommand {
    try root.parseAsRoot(CommandArguments.prepared(arguments, for: root))
  }

  /// Prints help and version on standard output, and every other error on standard error.
  private func report(_ error: any Error) -> Never {
    if let code = error as? ExitCode { end(with: code.rawValue) }
    switch root.exitCode(for: error) {
    case .success:
      do throws(OutputError) {
        try StandardOutput.write(raw: HelpText.wrapped(root.fullMessage(for: error)) + "\n")
      } catch {
        end(with: error.commandError)
      }
      end(with: 0)
    case .validationFailure: end(with: usageError(error))
    default: end(with: CommandError(error))
    }
  }

  /// Describes an error of the parser, or of a command's own validation.
  private func usageError(_ error: any Error) -> CommandError {
    let check = UsageCheck(arguments, root: root, types: types)
    let message = check.message ?? CommandLineTool.sentence(root.message(for: error))
    return CommandError(message + "; see '\(check.helpCommand)'", code: "usage")
  }

  /// Messages begin with a lower-case letter and have no full stop.
  private static func sentence(_ text: String) -> String {
    var text = text
    while text.last?.isWhitespace == true || text.last == "." { text.removeLast() }
    guard let first = text.first, first.isUppercase, text.dropFirst().first?.isLowercase == true else { return text }
    return first.lowercased() + text.dropFirst()
  }

  private func end(with status: Int32) -> Never {
    do throws(OutputError) {
      // Some file systems report only now that something could not be written.
      try StandardOutput.close()
    } catch {
      end(with: error.commandError)
    }
    Foundation.exit(status)
  }

  /// A closed pipe is the reader's choice, and prints nothing.
  private func end(with error: CommandError) -> Never {
    if error.status != .closedPipe { StandardOutput.note(text(of: error) + "\n") }
    Foundation.exit(error.status.rawValue)
  }
}
