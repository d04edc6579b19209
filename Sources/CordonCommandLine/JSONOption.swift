import ArgumentParser
internal import CordonConsole
import CordonCore
package import CordonSupport

/// The option `--json` of a command that only prints.
package struct JSONOption: ParsableArguments {
  @Flag(help: "Print one JSON object.")
  package var json = false

  package init() {}

  /// Prints the JSON object, or else lines for people.
  package func report(
    _ object: @autoclosure () throws -> JSONValue, _ lines: @autoclosure () throws -> String
  ) throws {
    if json {
      try StandardOutput.write(raw: try object().text() + "\n")
    } else {
      try StandardOutput.write(lines: try lines())
    }
  }
}
