import ArgumentParser
import CordonConsole
import CordonCore
import CordonSupport
import Foundation

/// A file that a command may write, in one of several formats, and what it prints.
struct OutputOptions<Format: FileFormat>: ParsableArguments, CarriesOutputFlags {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The file to write, - for standard output. A name that ends in .gz is compressed.", valueName: "file"))
  var output: String?

  @Option(help: ArgumentHelp("The output format. (default: by the ending of the file)", valueName: "format"))
  var outputFormat: Format?

  @OptionGroup var flags: OutputFlags

  func validate() throws {
    try Destination.validate(output, json: json)
    if outputFormat != nil, output == nil {
      throw ValidationError("--output-format needs -o FILE, or -o - for standard output")
    }
  }

  /// Checks the file before anything is read.
  /// - Parameter inputs: what the command reads.
  /// - Returns: the destination and its format; `nil` when no output file is requested.
  func destination(inputs: [String]) throws -> (file: Destination, format: Format)? {
    guard let output else { return nil }
    let format = try Format.of(output, asked: outputFormat)
    return (try Destination(output, force: force, inputs: inputs), format)
  }

  /// Prints the JSON object, or else lines for people unless standard output holds the file or --quiet is set.
  func report(_ object: @autoclosure () throws -> JSONValue, _ lines: @autoclosure () throws -> String) throws {
    if json {
      try Output.print(try object())
    } else if output != "-", output == nil || !quiet {
      try Output.print(try lines())
    }
  }
}

/// A file that a command always writes, in one of several formats, and what it prints.
struct RequiredOutputOptions<Format: FileFormat>: ParsableArguments, CarriesOutputFlags {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The file to write, - for standard output. A name that ends in .gz is compressed.", valueName: "file"))
  var output: String

  @Option(help: ArgumentHelp("The output format. (default: by the ending of the file)", valueName: "format"))
  var outputFormat: Format?

  @OptionGroup var flags: OutputFlags

  func validate() throws { try Destination.validate(output, json: json) }

  /// The format to write.
  func format() throws -> Format { try Format.of(output, asked: outputFormat) }

  /// Checks the file before anything is read.
  func destination(inputs: [String]) throws -> Destination { try Destination(output, force: force, inputs: inputs) }

  /// Prints the JSON object, or else lines for people, unless standard output holds the file or --quiet is set.
  func report(_ object: @autoclosure () throws -> JSONValue, _ lines: @autoclosure () throws -> String) throws {
    if json {
      try Output.print(try object())
    } else if output != "-", !quiet {
      try Output.print(try lines())
    }
  }
}

/// A page that a command may write, and what it prints.
struct PageOptions: ParsableArguments, CarriesOutputFlags {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The HTML page to write, - for standard output.", valueName: "file"))
  var output: String?

  @OptionGroup var flags: OutputFlags

  func validate() throws {
    try Destination.validate(output, json: json)
    if let output { try FileEnding.check(output, is: ["html", "htm"]) }
  }

  /// Checks the file before anything is read.
  func destination(inputs: [String]) throws -> Destination? {
    try output.map { try Destination($0, force: force, inputs: inputs) }
  }

  /// Prints the JSON object, or else lines for people unless standard output holds the page.
  func report(_ object: @autoclosure () throws -> JSONValue, _ lines: @autoclosure () throws -> String) throws {
    if json {
      try Output.print(try object())
    } else if output != "-" {
      try Output.print(try lines())
    }
  }
}

/// A file that may be written: it is none of the inputs, and does not exist or may be replaced.
struct Destination {
  let path: String
  let force: Bool
  let inputs: [String]

  /// - Throws: `OutputError`
  init(_ path: String, force: Bool, inputs: [String]) throws {
    try OutputFile.checkMayWrite(path: path, replaces: force, inputs: inputs)
    self.path = path
    self.force = force
    self.inputs = inputs
  }

  /// Begins the file.
  func open() throws -> OutputFile { try OutputFile(path: path, replaces: force, inputs: inputs) }

  /// Writes the file whole or not at all.
  /// - Returns: its size in bytes.
  @discardableResult
  func write(_ bytes: [UInt8]) throws -> Int {
    try OutputFile.write(bytes, to: path, replaces: force, inputs: inputs)
  }

  @discardableResult
  func write(_ text: String) throws -> Int { try write(Array(text.utf8)) }

  /// Refuses two results on standard output.
  static func validate(_ output: String?, json: Bool) throws {
    if output == "-", json {
      throw ValidationError("--json and -o - exclude each other: both print on standard output")
    }
  }
}
