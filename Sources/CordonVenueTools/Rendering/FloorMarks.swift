package import CordonCore
import CordonGeometry
package import CordonVenues

/// The results about walking that a drawing shows: numbered entrances, assumed doors and unreachable spaces.
package struct FloorMarks: Hashable, Sendable {
  /// An entrance.
  package struct Entrance: Hashable, Sendable {
    /// The number that scenarios use.
    package var number: Int
    /// The name that scenarios use.
    package var name: String
    /// The name of the space behind it; `nil` for none.
    package var space: String?
    /// The floor.
    package var floor: FloorID
    /// The place at which people enter.
    package var position: Coordinate

    /// The number, the name and the space in words, such as `2 (North door), to Lobby`.
    var words: String { "\(number) (\(name))" + (space.map { $0 == name ? "" : ", to \($0)" } ?? "") }
  }

  /// A door that the plan assumes.
  struct Door: Hashable, Sendable {
    var floor: FloorID
    var line: [Coordinate]
    /// The names of the spaces on its sides.
    var spaces: [String]
  }

  /// The entrances, by number.
  package private(set) var entrances: [Entrance] = []
  /// The assumed doors.
  private(set) var assumedDoors: [Door] = []
  /// The spaces that no entrance reaches.
  private(set) var unreachable: Set<SpaceID> = []
  /// The parts that walking connects, on one line; empty without results.
  package private(set) var sentence = ""
  /// The spaces that no entrance reaches, on one line; `nil` if there are none.
  package private(set) var warning: String?

  /// Creates marks without results, for a map on which nobody can walk.
  package init() {}

  /// Creates the marks of a report.
  package init(_ report: ConnectivityReport) {
    let plan = report.plan
    entrances = report.entrances.map { entrance in
      Entrance(
        number: entrance.number, name: entrance.name,
        space: entrance.space.map { plan.spaces[$0].name }.flatMap { $0.isEmpty ? nil : $0 },
        floor: plan.floors[entrance.floor].id, position: plan.frame.unproject(entrance.position))
    }
    assumedDoors = report.connectivity.assumedDoors.map { assumed in
      let door = plan.doors[assumed.door]
      return Door(
        floor: plan.floors[door.floor].id, line: [door.line.a, door.line.b].map(plan.frame.unproject),
        spaces: door.spaces.map(report.name))
    }
    unreachable = Set(report.connectivity.unreachable.map { plan.spaces[$0.space].id })
    sentence = report.sentence
    warning = report.warning
  }

  /// Returns the entrances of one floor, by number.
  package func entrances(on floor: FloorID) -> [Entrance] { entrances.filter { $0.floor == floor } }
}
