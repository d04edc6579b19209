import ArgumentParser
import CordonCore
import CordonExchange

/// `cordon trace anonymise`
struct TraceAnonymiseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "anonymise",
    abstract: "Take names, heights and, if asked, days and the way home out of a recorded file.",
    discussion: """
      Example:

        cordon trace anonymise walk.gpx --near 8.5410,47.3770 --radius 300 --days-earlier 400 -o shared.gpx

      Devices become device-1, device-2 and so on. A track that begins at somebody's door still tells who made it: keep only \
      what lies near the venue.
      """)

  @Argument(help: "The recorded file, or - for standard input.")
  var path: String

  @OptionGroup var reading: TraceReading

  @Option(help: ArgumentHelp("Keep only what lies near this place.", valueName: "lon,lat"))
  var near: CoordinateArgument?

  @Option(help: ArgumentHelp("How far round that place.", valueName: "metres"))
  var radius = DistanceArgument(500)

  @Option(help: "Move all times back by whole days.")
  var daysEarlier: Int?

  @Option(help: "Decimals of a degree that are kept, 0 to 7.")
  var decimals: Int?

  @OptionGroup var output: TraceOutput

  func validate() throws {
    guard radius.metres.isFinite, radius.metres > 0 else {
      throw ValidationError("--radius must be more than 0 metres")
    }
    if let decimals, !(0...7).contains(decimals) { throw ValidationError("--decimals must be 0 to 7") }
    if let daysEarlier, !(0...100_000).contains(daysEarlier) {
      throw ValidationError("--days-earlier must be 0 to 100000")
    }
  }

  func run() throws {
    let destination = try output.destination(inputs: [path])
    let trace = try reading.read(path)
    var anonymisation = TraceAnonymisation()
    anonymisation.center = near?.coordinate
    anonymisation.radius = radius.metres
    anonymisation.daysEarlier = daysEarlier
    anonymisation.decimals = decimals
    let result = anonymisation.apply(to: trace)
    // Neither the file's name nor by how many days it was moved: both would take back what this command gives.
    try output.write(
      result, to: destination, command: ["cordon", "trace", "anonymise"], schema: "cordon.trace-anonymise/1",
      more: [.init("removed", .count(trace.pointCount - result.pointCount))])
  }
}
