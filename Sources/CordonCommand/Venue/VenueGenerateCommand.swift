import ArgumentParser
import CordonCommandLine
import CordonCore
import CordonVenueTools
import CordonVenues

/// The command `cordon venue generate`.
struct VenueGenerateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Generate a synthetic venue.",
    discussion: """
      Examples:

        cordon venue generate office --floors 3 --area 2400 --seed 7 \\
          -o office.mvf.zip
        cordon venue generate campus --seed 1 -o campus.geojson

      The venue has named rooms, doors on shared walls, aligned stairs and elevators, entrances, a walking graph and a \
      directory. Nothing overlaps, and every space can be reached. The same arguments give the same bytes.
      """)

  @Argument(help: "The kind of venue: \(VenueGenerator.Kind.allCases.map(\.rawValue).joined(separator: ", ")).")
  var kind: KindArgument

  /// The venue to generate.
  struct VenueShape: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "The number of floors of the tallest building. The second of a station is underground.", valueName: "count"))
    var floors = 2

    @Option(
      help: ArgumentHelp(
        "The area of a floor, of a campus that of all ground floors. (default: typical of the kind)", valueName: "m2"))
    var area: Double?

    @Option(help: "The seed of all random numbers. The same seed gives the same venue.")
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("The south-west corner.", valueName: "lon,lat"))
    var origin = CoordinateArgument(VenueGenerator.defaultOrigin)
  }

  @OptionGroup(title: "Venue") var shape: VenueShape
  @OptionGroup(title: "Output") var destination: BundleDestination

  func run() throws {
    let format = try destination.check(inputs: [], fallback: .mvf3)
    let venue: Venue
    do {
      venue = try VenueGenerator.generate(
        kind: kind.kind, floors: shape.floors, area: shape.area ?? kind.kind.defaultArea, seed: shape.seed,
        origin: shape.origin.coordinate)
    } catch {
      throw CommandError("--\(error.file): \(error.message)", code: error.code)
    }
    try destination.write(venue, as: format, schema: "cordon.venue-generate/1")
  }
}

/// A kind of venue on the command line.
struct KindArgument: ExpressibleByArgument {
  let kind: VenueGenerator.Kind

  init?(argument: String) {
    guard let kind = VenueGenerator.Kind(rawValue: argument) else { return nil }
    self.kind = kind
  }

  static var allValueStrings: [String] { VenueGenerator.Kind.allCases.map(\.rawValue) }
}
