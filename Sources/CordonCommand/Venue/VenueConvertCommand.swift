import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonCore
import CordonSupport
import CordonVenueTools
import CordonVenues
import Foundation

/// The command `cordon venue convert`.
struct VenueConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Convert a map to MVF 3, IMDF or GeoJSON.",
    discussion: """
      Examples:

        cordon venue convert map.zip --output-format mvf-3 -o map.mvf.zip
        cordon venue convert map.zip --output-format imdf --folder -o map-imdf
        cordon venue convert map.zip --output-format geojson -o map.geojson

      GeoJSON and MVF 3 keep everything. IMDF has no walking graph; reading it derives a new one. The same map \
      gives the same bytes.
      """)

  @OptionGroup(title: "Input") var input: VenueInput

  @OptionGroup(title: "Output") var destination: BundleDestination

  func run() throws {
    let format = try destination.check(inputs: [input.path])
    try input.checkOutput(destination.file.output)
    try destination.write(try input.load().venue, as: format, schema: "cordon.venue-convert/1", inputs: [input.path])
  }
}

extension VenueWriter.Format: FileFormat {
  static var endings: [(ending: String, format: VenueWriter.Format)] {
    [("mvf.zip", .mvf3), ("zip", .mvf3), ("imdf.zip", .imdf), ("geojson", .geojson)]
  }
}

/// Where a bundle is written to.
struct BundleDestination: ParsableArguments {
  @OptionGroup(title: "Output") var file: RequiredOutputOptions<VenueWriter.Format>

  @Flag(help: "Write a folder instead of a zip file.")
  var folder = false

  func validate() throws {
    if file.output == "-", folder { throw ValidationError("a folder cannot be written to standard output") }
  }

  /// Checks the output before anything is read.
  /// - Parameters:
  ///   - inputs: what the command reads.
  ///   - fallback: the format when neither `--output-format` nor an ending names one; `nil` when one is required.
  /// - Returns: the format to write.
  func check(inputs: [String], fallback: VenueWriter.Format? = nil) throws -> VenueWriter.Format {
    if folder {
      guard let format = file.outputFormat ?? fallback else {
        throw CommandError("--folder needs --output-format", code: "usage")
      }
      guard file.force || !FileManager.default.fileExists(atPath: file.output) else { throw existing }
      return format
    }
    if file.outputFormat == nil, let fallback, case .absent = FileEnding(file.output) { return fallback }
    let format = try file.format()
    if format != .geojson, file.output.lowercased().hasSuffix(".gz") {
      throw CommandError("a zip file is compressed already; omit .gz", code: "usage", file: file.output)
    }
    _ = try file.destination(inputs: inputs)
    return format
  }

  /// Writes a venue, and reports on standard output what was written.
  func write(_ venue: Venue, as format: VenueWriter.Format, schema: String, inputs: [String] = []) throws {
    let files = try VenueWriter.files(of: venue, as: format)
    let bytes: [UInt8]
    let count: Int
    if folder {
      try writeFolder(files)
      bytes = files.flatMap(\.bytes)
      count = bytes.count
    } else {
      bytes = try VenueWriter.bytes(of: venue, as: format)
      count = try file.destination(inputs: inputs).write(bytes)
    }
    try file.report(
      [
        "schema": .string(schema), "venue": .string(venue.id.rawValue), "format": .string(format.rawValue),
        "output": .string(file.output), "file_count": .count(folder ? files.count : 1), "bytes": .count(count),
        "sha256": .string(SHA256.hexDigest(of: bytes)), "floor_count": .count(venue.floors.count),
        "space_count": .count(venue.spaces.count),
      ],
      "\(file.output): \(format.rawValue), \(Counted.of(count, "byte")), \(Counted.of(venue.floors.count, "floor")), "
        + "\(Counted.of(venue.spaces.count, "space"))\n")
  }

  private var existing: CommandError {
    CommandError("exists already; use --force to replace it", code: "exists", file: file.output)
  }

  private func writeFolder(_ files: [VenueFile]) throws {
    let output = file.output
    guard file.force || !FileManager.default.fileExists(atPath: output) else { throw existing }
    // Whole or not at all: a folder beside it, renamed when it is complete.
    let partial = output + ".\(ProcessInfo.processInfo.processIdentifier).partial"
    defer { try? FileManager.default.removeItem(atPath: partial) }
    try FolderOutput.make(partial)
    for file in files {
      let path = partial + "/" + file.name
      try FolderOutput.make((path as NSString).deletingLastPathComponent)
      try Output.write(Data(file.bytes), toFile: path, force: false)
    }
    do {
      if FileManager.default.fileExists(atPath: output) { try FileManager.default.removeItem(atPath: output) }
      try FileManager.default.moveItem(atPath: partial, toPath: output)
    } catch {
      throw CommandError("cannot be written: \(Output.reason(of: error))", code: "cannot-write", file: output)
    }
  }
}
