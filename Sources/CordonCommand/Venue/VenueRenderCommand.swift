import ArgumentParser
import CordonCommandLine
import CordonCore
import CordonGeometry
import CordonSupport
import CordonVenueTools
import CordonVenues
import Foundation

/// `cordon venue render`
struct VenueRenderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render",
    abstract: "Draw the floors of a map as SVG.",
    discussion: """
      Example:

        cordon venue render venues/office.mvf.zip -o plans
        cordon venue render venues/office.mvf.zip --floor 1 -o - > first-floor.svg

      Each drawing shows spaces coloured by kind, walls, doors (entrances red), ways to other floors, the walking graph, \
      the boundary and the circle round it, with a legend and a scale bar. North is up. Look at every map before you \
      trust what is computed from it.
      """)

  @OptionGroup var input: VenueInput
  @OptionGroup var boundary: BoundaryOptions

  @Option(help: ArgumentHelp("Only this floor: its ordinal, name or identifier. (default: all)", valueName: "floor"))
  var floor: FloorArgument?

  @Flag(help: "Leave the walking graph out.")
  var noGraph = false

  @Flag(help: "Leave the names out.")
  var noNames = false

  @Flag(help: "Make the picture large enough for the whole circle.")
  var wide = false

  @Option(help: "The longer side of the plan in pixels.")
  var size = 1_200.0

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The folder to write to, one file per floor; with --floor the file, - for standard output.", valueName: "path"))
  var output: String

  @Flag(name: .shortAndLong, help: "Replace files that exist.")
  var force = false

  @Flag(help: "Print one JSON object that names the files.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print no names of files.")
  var quiet = false

  func validate() throws {
    guard (100...20_000).contains(size) else { throw ValidationError("--size must be from 100 to 20000 pixels") }
    try Destination.validate(output, json: json)
    if floor != nil { try FileEnding.check(output, is: ["svg"]) }
    if floor == nil, case .present(let ending) = FileEnding(output),
      ["svg", "png", "pdf", "jpg", "jpeg"].contains(ending)
    {
      throw ValidationError("without --floor, -o names a folder of .svg files, not a picture")
    }
  }

  func run() throws {
    if floor != nil { _ = try Destination(output, force: force, inputs: [input.path]) }
    let venue = try input.load().venue
    let boundary = try venue.boundary(try boundary.choice())
    var options = RenderOptions()
    options.boundary = boundary.area
    if let circle = BoundingCircle(enclosing: boundary.area.vertices) {
      options.circle = circle
    }
    options.fitsCircle = wide
    options.showsGraph = !noGraph
    options.showsNames = !noNames
    options.size = size
    let floors = try floor.map { try venue.floors(named: $0.text) } ?? venue.floors
    if floor != nil, floors.count > 1 {
      let ids = floors.map(\.id.rawValue).joined(separator: ", ")
      throw CommandError("several floors have this number; name one of \(ids)", code: "ambiguous-floor")
    }
    guard !floors.isEmpty else {
      throw CommandError("the venue has no floor to draw", code: "no-floor", file: input.path)
    }
    var files: [String] = []
    if floor != nil, let only = floors.first {
      try Destination(output, force: force, inputs: [input.path])
        .write(FloorRenderer.svg(of: only.id, in: venue, options: options))
      files.append(output)
    } else {
      files = try write(floors, of: venue, options: options)
    }
    guard output != "-" else { return }
    if json {
      try Output.print(
        [
          "schema": "cordon.venue-render/1", "boundary": .string(boundary.source.rawValue),
          "files": .array(files.map { .string($0) }),
        ])
    } else if !quiet {
      try Output.print(files.joined(separator: "\n") + "\n")
    }
  }

  private func write(_ floors: [Floor], of venue: Venue, options: RenderOptions) throws -> [String] {
    guard output != "-" else {
      throw CommandError("several floors need a folder; name one with --floor", code: "usage")
    }
    try FolderOutput.make(output)
    // All are checked before the first is written.
    let files = try floors.enumerated().map { index, floor in
      let name = VenueID(slugging: floor.id.rawValue)?.rawValue ?? "floor-\(index)"
      return try Destination(
        output + (output.hasSuffix("/") ? "" : "/") + name + ".svg", force: force, inputs: [input.path])
    }
    for (floor, file) in zip(floors, files) {
      try file.write(FloorRenderer.svg(of: floor.id, in: venue, options: options))
    }
    return files.map(\.path)
  }
}

/// Folders that commands write several files to.
enum FolderOutput {
  /// Makes a folder unless it is there.
  static func make(_ path: String) throws {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw CommandError("cannot be made: \(Output.reason(of: error))", code: "cannot-write", file: path)
    }
  }
}
