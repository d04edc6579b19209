import ArgumentParser
import CordonCommandLine
import CordonCore
import CordonGeometry
import CordonSupport
import CordonVenues

/// The command `cordon venue geofence`.
struct VenueGeofenceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "geofence",
    abstract: "Compute the circle around a venue and the geofence of phones.",
    discussion: """
      Example:

        cordon venue geofence venues/office.mvf.zip --boundary buildings --json

      The circle is the smallest one on the ellipsoid that encloses the boundary, without padding. The geofence adds the \
      padding, has a minimum radius that operating systems need, and is left farther out than it is entered.

      A packed venue (.cvp) is read as well; it holds its geofence.
      """)

  @OptionGroup(title: "Input") var input: VenueInput
  @OptionGroup(title: "Boundary") var boundary: BoundaryOptions
  @OptionGroup(title: "Geofence") var geofence: GeofenceOptions

  @OptionGroup(title: "Output") var output: JSONOption

  func run() throws {
    let report: GeofenceReport
    if let map = try PackedMap.read(input.path, decided: boundary.words + geofence.words) {
      report = try GeofenceReport(map)
    } else {
      report = try GeofenceReport(try input.load().venue, choice: boundary.choice(), policy: geofence.policy)
    }
    try output.report(report.json, report.text)
  }
}

/// The report of `venue geofence`.
struct GeofenceReport {
  let venue: Venue
  let boundary: VenueBoundary
  let circle: BoundingCircle
  let geofence: Geofence
  /// The source of the boundary.
  let source: String

  init(_ map: PackedMap) throws {
    (venue, boundary, geofence, source) = (map.venue, map.boundary, map.packed.geofence, "packed")
    circle = try GeofenceReport.circle(round: map.boundary)
  }

  private static func circle(round boundary: VenueBoundary) throws -> BoundingCircle {
    guard let circle = BoundingCircle(enclosing: boundary.area.vertices) else {
      throw CommandError("the boundary has no usable vertex", code: "geofence")
    }
    return circle
  }

  init(_ venue: Venue, choice: BoundaryChoice, policy: GeofencePolicy) throws {
    self.venue = venue
    boundary = try venue.boundary(choice)
    source = boundary.source.rawValue
    circle = try GeofenceReport.circle(round: boundary)
    geofence = try venue.geofence(around: boundary, policy: policy)
  }

  var json: JSONValue {
    [
      "schema": "cordon.venue-geofence/1",
      "circle": ["center": circle.center.json, "radius_m": .number(circle.radius)],
      "geofence": [
        "center": geofence.center.json, "radius_m": .number(geofence.radius),
        "exit_radius_m": .number(geofence.exitRadius),
      ],
      "boundary": .string(source), "fallback": .bool(boundary.isFallback),
      "area_m2": .squareMetres(boundary.squareMetres), "floor_count": .count(venue.floors.count),
      "space_count": .count(venue.spaces.count),
    ]
  }

  var text: String {
    func place(_ coordinate: Coordinate) -> String {
      "\((coordinate.longitude * 1e7).rounded() / 1e7),\((coordinate.latitude * 1e7).rounded() / 1e7)"
    }
    func metres(_ value: Double) -> String { "\((value * 100).rounded() / 100) m" }
    let fallback = boundary.isFallback ? " (the map has no better outline)" : ""
    return """
      boundary   \(source)\(fallback), \(Int(boundary.squareMetres.rounded())) m2
      circle     \(place(circle.center)), radius \(metres(circle.radius))
      geofence   \(place(geofence.center)), radius \(metres(geofence.radius)), left at \(metres(geofence.exitRadius))

      """
  }
}
