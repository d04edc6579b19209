import ArgumentParser
import CordonCommandLine
import CordonCore
import CordonGeometry
import CordonOverlays
import CordonSupport
import CordonVenues
import Foundation

/// Which map, and how to read it.
struct VenueInput: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "The map, a zip file, folder or file: MVF 1 to 3, IMDF, WRLD or GeoJSON.",
      valueName: "venue"))
  var path: String

  @Option(
    name: .customLong("map"),
    help: ArgumentHelp(
      "GeoJSON without a convention: the property of a field, such as kind=room_type. Fields: kind, floor, name, id. Repeat it for more.",
      valueName: "field=property"))
  var mapping: [String] = []

  @OptionGroup var overlayOptions: OverlayOptions

  /// Reads the map and its overlay.
  func load(georeference: Georeference? = nil) throws -> LoadedVenue {
    let loaded = try loadWithOverlay(georeference: georeference)
    return LoadedVenue(venue: loaded.venue, findings: loaded.findings)
  }

  /// Reads the map and its overlay, and returns both.
  func loadWithOverlay(georeference: Georeference? = nil) throws -> OverlaidVenue {
    var options = VenueReadOptions()
    options.mapping = try GeoJSONMapping(parsing: mapping)
    options.georeference = georeference
    return try overlayOptions.load(path, options: options)
  }

  /// Refuses an output that would be read with an overlay although it has the changes of one already.
  func checkOutput(_ output: String) throws {
    guard try OverlaidVenue.file(of: path, choice: overlayOptions.choice) != nil,
      let beside = try OverlaidVenue.file(of: output, choice: .besideMap)
    else { return }
    throw CommandError(
      "would be read with \(beside) beside it, after changes of an overlay were written into it; use another name or folder",
      code: "overlay", file: output)
  }
}

/// The changes to a map that lie in a file of their own.
struct OverlayOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Changes to the map: doors, entrances, kinds, names and more. (default: NAME.overlay.yaml beside the map)",
      valueName: "file"))
  var overlay: String?

  @Flag(help: "Leave out the overlay beside the map.")
  var noOverlay = false

  func validate() throws {
    guard overlay == nil || !noOverlay else {
      throw ValidationError("--overlay and --no-overlay exclude each other")
    }
  }

  /// The choice that was made.
  var choice: OverlayChoice { noOverlay ? .none : overlay.map(OverlayChoice.file) ?? .besideMap }

  /// The options again, for a command that repeats this one.
  var words: [String] { noOverlay ? ["--no-overlay"] : overlay.map { ["--overlay", $0] } ?? [] }

  /// Reads a map and its overlay, and notes an overlay that nobody named.
  func load(_ path: String, options: VenueReadOptions = VenueReadOptions()) throws -> OverlaidVenue {
    try OverlaidVenue.noting(path, choice, options: options)
  }
}

extension OverlaidVenue {
  /// Loads a map and its overlay, and notes an overlay that nobody named.
  static func noting(
    _ path: String, _ choice: OverlayChoice = .besideMap, options: VenueReadOptions = VenueReadOptions()
  ) throws -> OverlaidVenue {
    let loaded = try OverlaidVenue.load(path: path, overlay: choice, options: options)
    if case .besideMap = choice, let file = loaded.overlay {
      Output.note(["the map is used with its overlay \(file.path) (--no-overlay leaves it out)"])
    }
    return loaded
  }
}

/// The boundary of the venue.
struct BoundaryOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The outline of the venue: that of its buildings, of all floors (outdoor ones too), of the map (venue), or of its \
      spaces. When the map lacks it, the next of these is used and named in the output.
      """, valueName: "outline"))
  var boundary: BoundaryName = .buildings

  @Option(
    help: ArgumentHelp("A GeoJSON file whose polygons are the boundary. (default: --boundary)", valueName: "file"))
  var boundaryPolygon: String?

  /// The choice that was made.
  func choice() throws -> BoundaryChoice {
    guard let file = boundaryPolygon else { return boundary.choice }
    let drawn = try VenueLoader.load(path: file).venue
    return .polygon(try drawn.boundary(.spaces).area)
  }
}

/// A boundary by name.
enum BoundaryName: String, ExpressibleByArgument, CaseIterable {
  case buildings, floors, venue, spaces

  var choice: BoundaryChoice {
    switch self {
    case .buildings: .buildings
    case .floors: .floors
    case .venue: .venue
    case .spaces: .spaces
    }
  }
}

/// How the geofence is derived from the circle around the boundary.
struct GeofenceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The distance added to the radius of the circle around the boundary.", valueName: "metres"))
  var padding = DistanceArgument(50)

  @Option(
    help: ArgumentHelp(
      "The minimum radius of the geofence; operating systems do not monitor smaller ones reliably.", valueName: "metres"
    ))
  var minimumRadius = DistanceArgument(200)

  @Option(help: ArgumentHelp("The distance beyond the geofence at which it is left.", valueName: "metres"))
  var exitHysteresis = DistanceArgument(100)

  @Option(
    help: ArgumentHelp(
      "The maximum radius; a larger one is most likely a fault of the map.", valueName: "metres"))
  var maximumRadius = DistanceArgument(20_000)

  var policy: GeofencePolicy {
    GeofencePolicy(
      padding: padding.metres, minimumRadius: minimumRadius.metres, exitHysteresis: exitHysteresis.metres,
      maximumRadius: maximumRadius.metres)
  }

  func validate() throws {
    for (name, value) in [
      ("padding", padding), ("minimum-radius", minimumRadius), ("exit-hysteresis", exitHysteresis),
      ("maximum-radius", maximumRadius),
    ] {
      guard value.metres.isFinite, value.metres >= 0 else {
        throw ValidationError("--\(name) must be 0 metres or more")
      }
    }
  }
}

/// `lon,lat` on the command line, in degrees.
struct CoordinateArgument: DescribedArgument, Sendable {
  let coordinate: Coordinate

  init(_ coordinate: Coordinate) { self.coordinate = coordinate }

  init?(argument: String) {
    let numbers = argument.split(separator: ",", omittingEmptySubsequences: false).map {
      Double($0.trimmingCharacters(in: .whitespaces))
    }
    guard numbers.count == 2, let longitude = numbers[0], let latitude = numbers[1] else { return nil }
    let coordinate = Coordinate(longitude: longitude, latitude: latitude)
    guard coordinate.isValid else { return nil }
    self.coordinate = coordinate
  }

  var defaultValueDescription: String { "\(coordinate.longitude),\(coordinate.latitude)" }

  static var valueName: String { "lon,lat" }
  static var forms: String { "LON,LAT in degrees: 11.58,48.14" }
}

extension Venue {
  /// The ordinals of floors by identifier and name in lower case, in every language; without names that mean several.
  var floorOrdinals: [String: FloorOrdinal] {
    var ordinals: [String: Set<FloorOrdinal>] = [:]
    for floor in floors {
      for name in [floor.id.rawValue] + floor.name.values.values + floor.shortName.values.values {
        let name = name.trimmingCharacters(in: .whitespaces).lowercased()
        if !name.isEmpty { ordinals[name, default: []].insert(floor.ordinal) }
      }
    }
    return ordinals.compactMapValues { $0.count == 1 ? $0.first : nil }
  }

  /// The floors that a text on the command line means: a floor's identifier, short name or name, or an ordinal.
  func floors(named text: String) throws -> [Floor] {
    let byName = floors.filter { $0.id.rawValue == text || $0.shortName.text() == text || $0.name.text() == text }
    if !byName.isEmpty { return byName }
    let byOrdinal = Double(text).flatMap { FloorOrdinal($0) }.map { ordinal in floors.filter { $0.ordinal == ordinal } }
    if let byOrdinal, !byOrdinal.isEmpty { return byOrdinal }
    let known = Set(floors.map(\.ordinal)).sorted().map(\.description).joined(separator: ", ")
    throw CommandError("no floor \(text); the venue has \(known)", code: "unknown-floor")
  }
}

extension Coordinate {
  /// Longitude first.
  var json: JSONValue { [.number(longitude), .number(latitude)] }
}

extension JSONValue {
  /// Metres to a tenth of a millimetre: finer would only be noise.
  static func metres(_ value: Double?) -> JSONValue {
    value.map { .number(($0 * 1e4).rounded() / 1e4) } ?? .null
  }

  /// Square metres to two decimals.
  static func squareMetres(_ value: Double) -> JSONValue { .number((value * 100).rounded() / 100) }

  static func count(_ value: Int) -> JSONValue { .integer(Int64(value)) }
}

extension VenueError: CommandErrorConvertible {
  var commandError: CommandError {
    let place = [byteOffset.map { "at byte \($0)" }, pointer.flatMap { $0.isEmpty ? nil : "at \($0)" }]
      .compactMap { $0 }.joined(separator: ", ")
    return CommandError(message, code: code, file: file, place: place)
  }
}
