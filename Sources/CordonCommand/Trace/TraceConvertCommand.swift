import ArgumentParser
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
        cordon trace convert pedestrians.txt --origin 8.54,47.37 --start 2026-01-05T09:00:00Z -o walk.geojson.gz

      Several inputs become one file with the tracks of all.
      """)

  @Argument(help: "Recorded files, or - for standard input.")
  var paths: [String]

  @OptionGroup var reading: TraceReading
  @OptionGroup var assumptions: AssumptionOptions
  @OptionGroup var output: TraceOutput

  func run() throws {
    let traces = try paths.map(reading.read)
    guard var whole = traces.first else { throw Failure("name a file", code: "usage") }
    for trace in traces.dropFirst() {
      whole.tracks += trace.tracks
      whole.faultCount += trace.faultCount
    }
    do {
      whole = try whole.resolved(try assumptions.assumptions())
    } catch let error as TraceError {
      throw Failure(error.message, code: error.code.rawValue, file: whole.name, place: error.line.map { "line \($0)" })
    }
    try output.write(whole, schema: "cordon.trace-convert/1")
  }
}
