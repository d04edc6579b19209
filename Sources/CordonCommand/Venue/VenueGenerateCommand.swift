import ArgumentParser
import CordonCommandLine
import CordonCore
import CordonVenueTools
import CordonVenues

/// `cordon venue generate`
struct VenueGenerateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Draw a venue that does not exist but could, to try things on.",
    discussion: """
      Examples:

        cordon venue generate office --floors 3 --area 2400 --seed 7 \\
          -o office.mvf.zip
        cordon venue generate campus --seed 1 --to geojson -o campus.geojson

      The venue is whole: rooms with names, doors on shared walls, stairs and elevators on top of each other, entrances, a \
      walking graph and a directory. Nothing overlaps and everything can be reached. The same arguments give the same bytes.
      """)

  @Argument(help: "What to draw: \(VenueGenerator.Kind.allCases.map(\.rawValue).joined(separator: ", ")).")
  var kind: KindArgument

  @Option(help: "How many floors the tallest building has. The second floor of a station is underground.")
  var floors = 2

  @Option(
    help: "Square metres of a floor; of a campus, of all ground floors together. (default: what is usual for the kind)")
  var area: Double?

  @Option(help: "Decides every random number; the same seed gives the same venue.")
  var seed: UInt64 = 1

  @Option(
    help: ArgumentHelp("Where its south-west corner lies, in degrees.", valueName: "lon,lat"))
  var origin = CoordinateArgument(VenueGenerator.defaultOrigin)

  @OptionGroup var destination: BundleDestination

  func run() throws {
    let format = try destination.check(inputs: [], fallback: .mvf3)
    let venue: Venue
    do {
      venue = try VenueGenerator.generate(
        kind: kind.kind, floors: floors, area: area ?? kind.kind.defaultArea, seed: seed, origin: origin.coordinate)
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
