import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonOverlays
import CordonSupport
import CordonVenues
import Foundation

/// The command `cordon venue edit`.
struct VenueEditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Write a page on which a map is corrected in the browser.",
    discussion: """
      Example:

        cordon venue edit venues/office.mvf.zip
        cordon venue edit venues/office.mvf.zip -o office.html --force

      The page is one file: it opens in any browser and loads nothing. It shows the floors, the spaces and the problems that \
      cordon venue validate finds. Draw doors and entrances, connect floors, set kinds, names, groups and capacities, and \
      close spaces. The page saves the changes as an overlay, NAME.overlay.yaml. Put it beside the map: every command then \
      uses it. An overlay that is already there is loaded into the page.
      """)

  @OptionGroup(title: "Input") var input: VenueInput

  /// Where the page is written.
  struct Files: ParsableArguments, CarriesOutputFlags {
    @Option(
      name: .shortAndLong,
      help: ArgumentHelp(
        "The HTML page to write, - for standard output. (default: NAME.edit.html in the working folder)",
        valueName: "file"))
    var output: String?

    @OptionGroup var flags: OutputFlags

    func validate() throws {
      try Destination.validate(output, json: json)
      if let output { try FileEnding.check(output, is: ["html", "htm"]) }
    }
  }

  @OptionGroup(title: "Output") var files: Files

  func run() throws {
    let path = files.output ?? EditorFiles(map: input.path).page
    let destination = try Destination(path, force: files.force, inputs: [input.path])
    let loaded = try input.loadWithOverlay()
    let names = EditorFiles(map: input.path, overlay: loaded.overlay?.path)
    let data = EditorData(loaded, files: names)
    try destination.write(EditorPage(data).html)
    guard path != "-" else { return }
    if files.json {
      try Output.print(
        [
          "schema": "cordon.venue-edit/1", "file": .string(path), "overlay": .string(names.overlay),
          "space_count": .count(loaded.venue.spaces.count), "problem_count": .count(data.problems),
        ])
    } else if !files.quiet {
      try Output.print(
        "\(path): \(Counted.of(loaded.venue.spaces.count, "space")), \(Counted.of(data.problems, "problem")). "
          + "Open it in a browser; save the changes as \(OverlaidVenue.overlayPath(of: input.path)).\n")
    }
  }
}

/// The names of the files around a page.
struct EditorFiles {
  /// The name of the map.
  let map: String
  /// The name of the overlay that the page saves.
  let overlay: String
  /// The name of the page.
  let page: String

  /// - Parameters:
  ///   - map: the path of the map.
  ///   - overlay: the path of the overlay that was loaded; `nil` for the one beside the map.
  init(map: String, overlay: String? = nil) {
    func name(_ path: String) -> String { URL(fileURLWithPath: path).lastPathComponent }
    self.map = name(map)
    let beside = name(OverlaidVenue.overlayPath(of: map))
    self.overlay = overlay.map(name) ?? beside
    page = String(beside.dropLast(OverlaidVenue.suffix.count)) + ".edit.html"
  }
}
