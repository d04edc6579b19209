import ArgumentParser
import CordonCore
import CordonVenues
import Foundation

/// `cordon venue convert`
struct VenueConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Write a map in another format: MVF 3, IMDF or GeoJSON.",
    discussion: """
      Examples:

        cordon venue convert map.zip --to mvf-3 -o map.mvf.zip
        cordon venue convert map.zip --to imdf --folder -o map-imdf
        cordon venue convert map.zip --to geojson -o map.geojson

      GeoJSON and MVF 3 keep everything. IMDF has no walking graph, which is derived anew when it is read. The same map \
      gives the same bytes.
      """)

  @OptionGroup var input: VenueInput

  @Option(help: "The format to write: \(VenueWriter.Format.allCases.map(\.rawValue).joined(separator: ", ")).")
  var to: FormatArgument

  @OptionGroup var destination: BundleDestination

  @Flag(help: "Print one JSON object about what was written.")
  var json = false

  func validate() throws { try destination.validate(json: json) }

  func run() throws {
    let venue = try input.load().venue
    try destination.write(venue, as: to.format, schema: "cordon.venue-convert/1", json: json)
  }
}

/// A format on the command line.
struct FormatArgument: ExpressibleByArgument {
  let format: VenueWriter.Format

  init?(argument: String) {
    guard let format = VenueWriter.Format(rawValue: argument) else { return nil }
    self.format = format
  }

  static var allValueStrings: [String] { VenueWriter.Format.allCases.map(\.rawValue) }
}

/// Where a bundle is written to.
struct BundleDestination: ParsableArguments {
  @Option(name: .shortAndLong, help: "The file to write, - for standard output; with --folder the folder.")
  var output: String

  @Flag(help: "Write the files of the bundle into a folder instead of a zip file.")
  var folder = false

  @Flag(help: "Replace the output if it exists.")
  var force = false

  func validate(json: Bool) throws {
    if output == "-", json { throw ValidationError("--json and -o - both want standard output") }
    if output == "-", folder { throw ValidationError("a folder cannot be written to standard output") }
  }

  /// Writes a venue, and tells on standard output what was written.
  func write(_ venue: Venue, as format: VenueWriter.Format, schema: String, json: Bool) throws {
    let files = try VenueWriter.files(of: venue, as: format)
    let bytes: [UInt8]
    if folder {
      try writeFolder(files)
      bytes = files.flatMap(\.bytes)
    } else {
      bytes = try VenueWriter.bytes(of: venue, as: format)
      try Output.write(Data(bytes), toFile: output, force: force)
    }
    guard output != "-" else { return }
    if json {
      Output.print(
        [
          "schema": .string(schema), "venue": .string(venue.id.rawValue), "format": .string(format.rawValue),
          "output": .string(output), "file_count": .count(folder ? files.count : 1), "bytes": .count(bytes.count),
          "sha256": .string(SHA256.hexDigest(of: bytes)), "floor_count": .count(venue.floors.count),
          "space_count": .count(venue.spaces.count),
        ])
    } else {
      Output.print(
        "\(output): \(format.rawValue), \(bytes.count) bytes, \(venue.floors.count) floors, \(venue.spaces.count) spaces\n"
      )
    }
  }

  private func writeFolder(_ files: [VenueFile]) throws {
    if FileManager.default.fileExists(atPath: output), !force {
      throw Failure("exists already; use --force to replace it", code: "exists", file: output)
    }
    // Whole or not at all: a folder beside it, renamed when it is complete.
    let partial = output + ".\(ProcessInfo.processInfo.processIdentifier).partial"
    defer { try? FileManager.default.removeItem(atPath: partial) }
    try FolderOutput.make(partial)
    for file in files {
      let path = partial + "/" + file.name
      try FolderOutput.make((path as NSString).deletingLastPathComponent)
      try Output.write(Data(file.bytes), toFile: path)
    }
    do {
      if FileManager.default.fileExists(atPath: output) { try FileManager.default.removeItem(atPath: output) }
      try FileManager.default.moveItem(atPath: partial, toPath: output)
    } catch {
      throw Failure("cannot be written: \(Output.reason(of: error))", code: "cannot-write", file: output)
    }
  }
}
