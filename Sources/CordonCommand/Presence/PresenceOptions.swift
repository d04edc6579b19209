import ArgumentParser
import CordonCommandLine
import CordonCore
import CordonExchange
import CordonGeometry
import CordonOverlays
import CordonPresence
import CordonVenues
import Foundation

/// How the trace of a person is read.
struct PresenceInput: ParsableArguments {
  @Argument(help: ArgumentHelp("The trace, a run, or - for standard input.", valueName: "trace"))
  var path: String

  @Option(help: ArgumentHelp("The input format. (default: by name or contents)", valueName: "format"))
  var inputFormat: TraceFormat?

  @Option(
    name: .customLong("column"),
    help: ArgumentHelp(
      "CSV: the column of a field, such as accuracy=hdop_m, as for cordon trace. Repeat it for more.",
      valueName: "field=column"))
  var columns: [String] = []

  @Option(help: ArgumentHelp("CSV: the unit of times that are numbers.", valueName: "unit"))
  var timeUnit = ChoiceArgument(PointFileOptions.TimeUnit.auto)

  @Option(
    help: ArgumentHelp(
      "The zone of days, and of times without one: a name or an offset. (default: UTC)", valueName: "zone"))
  var timeZone: ZoneArgument?

  @Option(help: ArgumentHelp("The device, if the trace holds several.", valueName: "device"))
  var device: String?

  /// Passes the fixes on in the order of their times.
  /// - Parameter sorts: whether CSV is read whole and sorted first.
  /// - Throws: `FixReader.Unordered` for CSV in another order if it is not sorted.
  func fixes(sorts: Bool, _ body: (FixRow) throws -> Void) throws -> FixReading {
    var isFolder: ObjCBool = false
    let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    do {
      if isThere, isFolder.boolValue || path.hasSuffix(".sqlite") {
        return try FixReader.pass(try TraceReading.run(path), device: device, body)
      }
      var options = TraceReadOptions()
      options.format = inputFormat
      options.columns.timeZone = timeZone?.zone
      options.columns.timeUnit = timeUnit.value
      options.columns.columns = try TraceReading.columns(columns)
      return try FixReader.read(path: path, options: options, device: device, sorts: sorts, body)
    } catch let error as TraceError {
      throw CommandError(
        error.message, code: error.code.rawValue, file: path, place: error.line.map { "line \($0)" })
    }
  }
}

/// The definition of presence on the command line.
struct PresenceOptions: ParsableArguments {
  @Option(
    name: .customLong("home"),
    help: ArgumentHelp(
      """
      The home: centre and radius of 50 to 500 m. Repeat it for more homes, each with @TIME if it begins later. (default: \
      none; time away is then unknown)
      """, valueName: "lon,lat,radius"))
  var homes: [HomeArgument] = []

  @Option(
    help: ArgumentHelp(
      "The longest time between two fixes that counts as present; longer ones are unknown.", valueName: "duration"))
  var maximumGap = DurationArgument(PresenceRules.publishedGap)

  @Option(
    help: ArgumentHelp(
      "Where no map is known, fixes with a smaller accuracy radius count as outdoors.", valueName: "metres"))
  var outdoorAccuracy = DistanceArgument(OutdoorRule.publishedAccuracy)

  @Option(
    help: ArgumentHelp(
      """
      A map whose buildings are indoors: GeoJSON polygons or any format of maps. Within the rectangle around all buildings \
      it decides what is outdoors. Repeat it for more.
      """, valueName: "map"))
  var buildings: [String] = []

  @Option(
    name: .customLong("venue"),
    help: ArgumentHelp("A map of a venue; being in it is one visit. Repeat it for more.", valueName: "map"))
  var venues: [String] = []

  @Option(
    help: ArgumentHelp("The shortest visit; shorter stops are part of a trip.", valueName: "duration"))
  var minimumDwell = DurationArgument(MovementRules().minimumDwell)

  @Option(
    help: ArgumentHelp(
      "The time zone from a time on, for a person who travels. Repeat it for more.", valueName: "time=zone"))
  var travel: [TravelArgument] = []

  func validate() throws {
    guard maximumGap.span.milliseconds > 0 else { throw ValidationError("--maximum-gap must be more than 0s") }
    guard minimumDwell.span.milliseconds > 0 else { throw ValidationError("--minimum-dwell must be more than 0s") }
    guard outdoorAccuracy.metres.isFinite, outdoorAccuracy.metres >= 0 else {
      throw ValidationError("--outdoor-accuracy must be 0 metres or more")
    }
  }

  /// Reads the maps.
  func definition() throws -> PresenceDefinition {
    let areas = try buildings.map { path in try outline(of: path).area }
    let venues = try venues.map { path in
      let (venue, area) = try outline(of: path)
      return (name: venue.id.rawValue, area: area)
    }
    var rules = PresenceRules(
      homes: HomeHistory(homes.map(\.home)),
      outdoors: OutdoorRule(accuracy: outdoorAccuracy.metres, buildings: BuildingMap(areas)))
    rules.maximumGap = maximumGap.span
    var movement = MovementRules()
    movement.minimumDwell = minimumDwell.span
    movement.places = venues.map { MovementRules.Place($0.name, area: $0.area) }
    rules.movement = movement
    return PresenceDefinition(rules: rules, venues: venues.map(\.name), areas: areas + venues.map(\.area))
  }

  private func outline(of path: String) throws -> (venue: Venue, area: GeoMultiPolygon) {
    let venue = try OverlaidVenue.noting(path).venue
    let boundary = try venue.boundary(.buildings)
    guard !boundary.area.isEmpty else { throw CommandError("has no outline", code: "boundary", file: path) }
    return (venue, boundary.area)
  }
}

/// The rules of presence with the names and outlines of their maps.
struct PresenceDefinition {
  var rules: PresenceRules
  /// The names of the places of visits.
  let venues: [String]
  /// All outlines, for drawings.
  let areas: [GeoMultiPolygon]

  /// The name of a place.
  func name(of place: VisitPlace) -> String? {
    switch place {
    case .home: "home"
    case .named(let number): venues.indices.contains(number) ? venues[number] : nil
    case .other: nil
    }
  }
}
