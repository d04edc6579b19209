import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonCore
import CordonVenueTools
import CordonVenues
import Foundation

/// The command `cordon venue georeference`.
struct VenueGeoreferenceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "georeference",
    abstract: "Georeference a plan in metres with control points.",
    discussion: """
      Example:

        cordon venue georeference plan.geojson --control 0,0=11.58,48.14 \\
          --control 60,0=11.5808,48.14 \\
          --control 0,40=11.58,48.14036 -o placed.geojson

      A control point is X,Y=LON,LAT: a point of the plan and its coordinates. Two points determine shift, rotation and \
      scale; more points leave a residual that measures the fit. Convert DWG and DXF files to GeoJSON first, see \
      docs/reference/venues.md.
      """)

  @OptionGroup(title: "Input") var input: VenueInput

  /// The control points.
  struct Fit: ParsableArguments {
    @Option(
      help: ArgumentHelp("A control point; at least two, three for --affine. Repeat it.", valueName: "x,y=lon,lat"))
    var control: [ControlPointArgument]

    @Flag(help: "Also allow different scales and a skew, for distorted plans.")
    var affine = false

    @Option(
      help: ArgumentHelp(
        "The maximum residual; a plan that fits worse is refused. (default: none)", valueName: "metres"))
    var maximumResidual: DistanceArgument?
  }

  @OptionGroup(title: "Control points") var fit: Fit
  @OptionGroup(title: "Output") var destination: BundleDestination

  func run() throws {
    let format = try destination.check(inputs: [input.path], fallback: .geojson)
    try input.checkOutput(destination.file.output)
    let georeference: Georeference
    do {
      georeference = try Georeference(fit.control.map(\.point), model: fit.affine ? .affine : .similarity)
    } catch {
      throw CommandError("--control: \(error.message)", code: error.code)
    }
    let residual = (georeference.residual * 1_000).rounded() / 1_000
    if let maximum = fit.maximumResidual?.metres, !(georeference.residual <= maximum) {
      throw CommandError(
        "the residual of the control points is \(residual) m, more than --maximum-residual", code: "residual",
        status: .findings, file: input.path)
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
