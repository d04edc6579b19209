import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonCore
import CordonGeometry
import CordonNavigation
import CordonSupport
import CordonVenues

/// The command `cordon venue line-of-sight`.
struct VenueLineOfSightCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "line-of-sight",
    abstract: "Test the line of sight and the walking distance of two places.",
    discussion: """
      Example:

        cordon venue line-of-sight venues/office.mvf.zip --floor 1 \\
          --from 11.58010,48.14010 --to 11.58040,48.14020

      Walls and obstructions block the line, openings and furniture do not. The walking distance goes around obstacles, and \
      uses stairs or elevators where they are shorter.
      """)

  @OptionGroup(title: "Input") var input: VenueInput

  @Option(help: ArgumentHelp("The floor: its ordinal, name or identifier.", valueName: "floor"))
  var floor: FloorArgument

  @Option(help: ArgumentHelp("The first place.", valueName: "lon,lat"))
  var from: CoordinateArgument

  @Option(help: ArgumentHelp("The second place.", valueName: "lon,lat"))
  var to: CoordinateArgument

  @OptionGroup(title: "Output") var output: JSONOption

  func run() throws {
    let venue = try input.load().venue
    let report = try SightReport(venue, floor: floor.text, from: from.coordinate, to: to.coordinate)
    try output.report(report.json, report.text)
  }
}

/// The report of `venue line-of-sight`.
struct SightReport {
  let sight: SightLine
  /// Metres; `nil` when there is no way.
  let walkingDistance: Double?

  init(_ venue: Venue, floor name: String, from: Coordinate, to: Coordinate) throws {
    let routes = try VenueRoutes(venue).routes
    let plan = routes.plan
    let a = plan.frame.project(from)
    let b = plan.frame.project(to)
    // Of several floors with one number, that which holds both places.
    let candidates = try venue.floors(named: name).compactMap { plan.floorIndex($0.id) }
    let holding = candidates.first { plan.space(at: a, floor: $0) != nil && plan.space(at: b, floor: $0) != nil }
    guard let floor = holding ?? candidates.first, let sight = plan.sightLine(from: a, to: b, floor: floor) else {
      throw CommandError("nothing on floor \(name) can be walked on", code: "no-walkable-area")
    }
    self.sight = sight
    let navigation = routes.navigation
    // A point in a wall or on a desk is meant to be beside it.
    let places = try [("--from", a), ("--to", b)].map { option, point in
      guard let place = navigation.place(near: point, floor: floor, within: 5) else {
        throw CommandError("\(option) is not on floor \(name)", code: "outside", file: venue.id.rawValue)
      }
      return place
    }
    // Cells are coarser than points; nobody walks less than the straight line.
    walkingDistance = navigation.walkingDistance(from: places[0], to: places[1]).map { max($0, sight.distance) }
  }

  var json: JSONValue {
    [
      "schema": "cordon.venue-line-of-sight/1", "visible": .bool(sight.isVisible),
      "walls": .count(sight.wallsCrossed), "distance_m": .metres(sight.distance),
      "walking_distance_m": .metres(walkingDistance),
    ]
  }

  var text: String {
    let view = sight.isVisible ? "in sight" : "behind \(Counted.of(sight.wallsCrossed, "wall"))"
    let way = walkingDistance.map { "\(($0 * 10).rounded() / 10) m on foot" } ?? "no way on foot"
    return "\(view), \((sight.distance * 10).rounded() / 10) m away, \(way)\n"
  }
}
