import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonCore
import CordonVenueTools
import CordonVenues
import Foundation

/// `cordon venue georeference`
struct VenueGeoreferenceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "georeference",
    abstract: "Put a plan that was drawn in metres on the earth, through control points.",
    discussion: """
      Example:

        cordon venue georeference plan.geojson --control 0,0=11.58,48.14 \\
          --control 60,0=11.5808,48.14 \\
          --control 0,40=11.58,48.14036 -o placed.geojson

      Each control point is a place of the plan and where it is: X,Y=LON,LAT. Two points fix shift, turn and scale; three \
      or more leave a residual that says how well the plan fits. DWG and DXF files become GeoJSON first, see docs/reference/venues.md.
      """)

  @OptionGroup var input: VenueInput

  @Option(
    help: ArgumentHelp("A control point; at least two, three for --affine. May be repeated.", valueName: "x,y=lon,lat"))
  var control: [ControlPointArgument]

  @Flag(help: "Also allow different scales and a skew, for plans copied out of true.")
  var affine = false

  @Option(help: ArgumentHelp("Refuse a plan that fits worse than this.", valueName: "metres"))
  var maximumResidual: DistanceArgument?

  @OptionGroup var destination: BundleDestination

  func run() throws {
    let format = try destination.check(inputs: [input.path], fallback: .geojson)
    let georeference: Georeference
    do {
      georeference = try Georeference(control.map(\.point), model: affine ? .affine : .similarity)
    } catch {
      throw CommandError("--control: \(error.message)", code: error.code)
    }
    let residual = (georeference.residual * 1_000).rounded() / 1_000
    if let most = maximumResidual?.metres, !(georeference.residual <= most) {
      throw CommandError(
        "the plan fits the control points to \(residual) m only", code: "residual", status: .findings, file: input.path)
    }
    let venue = try input.load(georeference: georeference).venue
    if !destination.file.quiet { StandardOutput.note("residual of the control points: \(residual) m\n") }
    try destination.write(venue, as: format, schema: "cordon.venue-georeference/1", inputs: [input.path])
  }
}

/// `x,y=lon,lat` on the command line.
struct ControlPointArgument: ExpressibleByArgument {
  let point: Georeference.ControlPoint

  init?(argument: String) {
    let sides = argument.split(separator: "=", omittingEmptySubsequences: false)
    guard sides.count == 2, let place = CoordinateArgument(argument: String(sides[1])) else { return nil }
    let numbers = sides[0].split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard numbers.count == 2, let x = numbers[0], let y = numbers[1], x.isFinite, y.isFinite else { return nil }
    point = Georeference.ControlPoint(x: x, y: y, coordinate: place.coordinate)
  }
}
