import ArgumentParser
import CordonCommandLine
import CordonCore
import CordonExchange

/// The command `cordon trace convert`.
struct TraceConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Convert traces to another format.",
    discussion: """
      Examples:

        cordon trace convert walk.nmea -o walk.gpx
        cordon trace convert pedestrians.txt --origin 8.54,47.37 \\
          --start 2026-01-05T09:00:00Z -o walk.geojson.gz

      Several inputs become one file with the tracks of all. Devices keep their names unless --device-from selects others; \
      unnamed devices of several files are named after the files. The command prints its assumptions.
      """)

  @Argument(help: "Traces, or - for standard input.")
  var paths: [String]

  @OptionGroup(title: "Input") var reading: TraceReading
  @OptionGroup(title: "Input") var venue: TraceVenue
  @OptionGroup(title: "Assumptions") var assumptions: AssumptionOptions
  @OptionGroup(title: "Output") var selection: TraceSelection
  @OptionGroup(title: "Output") var output: TraceOutput

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
