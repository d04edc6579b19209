import ArgumentParser
import CordonCommandLine
import CordonCore
import CordonGeometry
import CordonRun
import CordonSupport
import CordonVenueTools
import CordonVenues
import Foundation

/// The command `cordon venue render`.
struct VenueRenderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render",
    abstract: "Draw the floors of a map as SVG.",
    discussion: """
      Example:

        cordon venue render venues/office.mvf.zip -o plans
        cordon venue render venues/office.mvf.zip --floor 1 -o - > first-floor.svg

      Each drawing shows spaces coloured by kind with their names, walls, doors, the entrances with their numbers, assumed \
      doors, spaces that no entrance reaches, connections to other floors, the boundary and the circle around it, with a \
      legend and a scale bar. North is up. The files are called after the floors, and index.html shows them all with a \
      table of the entrances. Inspect every map before you use results computed from it.
      """)

  @OptionGroup(title: "Input") var input: VenueInput
  @OptionGroup(title: "Boundary") var boundary: BoundaryOptions

  /// The options of the drawing.
  struct Drawing: ParsableArguments {
    @Option(help: ArgumentHelp("Only this floor: its ordinal, name or identifier. (default: all)", valueName: "floor"))
    var floor: FloorArgument?

    @Flag(help: "Draw the map's own graph of routes.")
    var mapGraph = false

    @Flag(help: "Omit the names.")
    var noNames = false

    @Flag(help: "Enlarge the drawing to show the whole circle.")
    var wide = false

    @Option(help: ArgumentHelp("The longer side of the plan.", valueName: "pixels"))
    var size = 1_200.0

    func validate() throws {
      guard (100...20_000).contains(size) else { throw ValidationError("--size must be from 100 to 20000 pixels") }
    }
  }

  /// Where drawings are written.
  struct Files: ParsableArguments, CarriesOutputFlags {
    @Option(
      name: .shortAndLong,
      help: ArgumentHelp(
        "The folder to write one file per floor and index.html to; with --floor the file, - for standard output.",
        valueName: "path"))
    var output: String

    @OptionGroup var flags: OutputFlags
  }

  @OptionGroup(title: "Drawing") var drawing: Drawing
  @OptionGroup(title: "Output") var files: Files

  private var floor: FloorArgument? { drawing.floor }
  private var output: String { files.output }
  private var force: Bool { files.force }

  func validate() throws {
    try Destination.validate(output, json: files.json)
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
    options.fitsCircle = drawing.wide
    options.showsGraph = drawing.mapGraph
    options.showsNames = !drawing.noNames
    options.size = drawing.size
    let floors = try floor.map { try venue.floors(named: $0.text) } ?? venue.floors
    if floor != nil, floors.count > 1 {
      let ids = floors.map(\.id.rawValue).joined(separator: ", ")
      throw CommandError("several floors have this number; name one of \(ids)", code: "ambiguous-floor")
    }
    guard !floors.isEmpty else {
      throw CommandError("the venue has no floor to draw", code: "no-floor", file: input.path)
    }
    let marks = self.marks(of: venue)
    var written: [String] = []
    if floor != nil, let only = floors.first {
      try Destination(output, force: force, inputs: [input.path])
        .write(FloorRenderer.svg(of: only.id, in: venue, marks: marks, options: options))
      written.append(output)
    } else {
      written = try write(floors, of: venue, marks: marks, options: options)
    }
    guard output != "-" else { return }
    if files.json {
      try Output.print(
        [
          "schema": "cordon.venue-render/1", "boundary": .string(boundary.source.rawValue),
          "files": .array(written.map { .string($0) }),
        ])
    } else if !files.quiet {
      try Output.print(written.joined(separator: "\n") + "\n")
    }
  }

  /// The entrances and other results about walking; none for a map on which nobody can walk.
  private func marks(of venue: Venue) -> FloorMarks {
    do {
      return FloorMarks(ConnectivityReport(try VenueRoutes(venue).routes))
    } catch {
      Output.note(["the drawings show no entrances: \(error.message)"])
      return FloorMarks()
    }
  }

  private func write(
    _ floors: [Floor], of venue: Venue, marks: FloorMarks, options: RenderOptions
  ) throws -> [String] {
    guard output != "-" else {
      throw CommandError("several floors need a folder; name one with --floor", code: "usage")
    }
    try FolderOutput.make(output)
    // All are checked before the first is written.
    let names = FloorFileNames.names(of: floors, in: venue).map { $0 + ".svg" }
    let files = try (names + ["index.html"]).map { name in
      try Destination(output + (output.hasSuffix("/") ? "" : "/") + name, force: force, inputs: [input.path])
    }
    for (floor, file) in zip(floors, files) {
      try file.write(FloorRenderer.svg(of: floor.id, in: venue, marks: marks, options: options))
    }
    let drawings = zip(floors, names).map { FloorIndexPage.Drawing(floor: $0, file: $1) }
    try files.last?.write(FloorIndexPage.html(of: venue, drawings: drawings, marks: marks, look: ReportStyle.css))
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
