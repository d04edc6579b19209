import ArgumentParser
import CordonCommandLine
import CordonCore
import CordonExchange

/// `cordon trace convert`
struct TraceConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Write recorded files in another format.",
    discussion: """
      Examples:

        cordon trace convert walk.nmea -o walk.gpx
        cordon trace convert pedestrians.txt --origin 8.54,47.37 \\
          --start 2026-01-05T09:00:00Z -o walk.geojson.gz

      Several inputs become one file with the tracks of all. Devices keep their names unless --device-from asks for others; \
      those that have none are called by their files when there are several. What was assumed is printed.
      """)

  @Argument(help: "Recorded files, or - for standard input.")
  var paths: [String]

  @OptionGroup var reading: TraceReading
  @OptionGroup var venue: TraceVenue
  @OptionGroup var assumptions: AssumptionOptions
  @OptionGroup var selection: TraceSelection
  @OptionGroup var output: TraceOutput

  func run() throws {
    let destination = try output.destination(inputs: paths + [venue.path].compactMap(\.self))
    let floors = try venue.floors()
    let traces = try paths.map { try reading.read($0, floors: floors) }
    let whole: Trace
    let assumed: [String]
    do {
      (whole, assumed) = try Trace.resolved(traces, try assumptions.assumptions())
    } catch let error as TraceError {
      throw CommandError(
        error.message, code: error.code.rawValue, file: traces.map(\.name).joined(separator: ", "),
        place: error.line.map { "line \($0)" })
    }
    try output.write(
      try selection.selected(whole), to: destination,
      command: ["cordon", "trace", "convert"] + traces.map(\.name) + reading.words + venue.words
        + assumptions.words + selection.words,
      schema: "cordon.trace-convert/1", assumed: assumed)
  }
}
