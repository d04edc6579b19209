package import CordonCore
package import CordonVenues

/// Changes to a venue that its map does not contain, such as a missing door.
///
/// The vendor's file stays as it is. Each change keeps its line, so that an error names it.
package struct VenueOverlay: Sendable {
  /// A value and the place where it was written.
  package struct Placed<Value: Sendable>: Sendable {
    /// The value.
    package var value: Value
    /// The line, from 1.
    package var line: Int
    /// The path, such as `doors[0].between[1]`.
    package var path: String
  }

  /// New properties of spaces.
  package struct SpaceChange: Sendable {
    /// The identifier, the name, or a pattern with `*` and `?`.
    package var space: Placed<String>
    /// The new kind.
    package var kind: SpaceKind?
    /// The new name.
    package var name: String?
    /// The group, such as a department.
    package var group: String?
    /// The number of people that the space may hold.
    package var capacity: Int?
    /// The height of the ceiling, in metres.
    package var ceilingHeight: Double?
    /// The outdoor air changes per hour.
    package var airChanges: Double?
    /// The highest level of recording.
    package var recording: GateVerdict.Recording?
    /// Whether the space is closed.
    package var isClosed = false
  }

  /// A door between two spaces.
  package struct Door: Sendable {
    /// The two spaces, by identifier or name.
    package var between: Placed<[Placed<String>]>
    /// The position; `nil` for the middle of the longest shared border.
    package var position: Placed<Coordinate>?
    /// The width, in metres.
    package var width: Double
    /// The name, which is also the identifier; `nil` for a number.
    package var name: Placed<String>?
  }

  /// An entrance from outside.
  package struct Entrance: Sendable {
    /// The space behind the entrance.
    package var space: Placed<String>
    /// The position, which lies at the border of the space.
    package var position: Placed<Coordinate>
    /// The width, in metres.
    package var width: Double
    /// The name, which is also the identifier; `nil` for a number.
    package var name: Placed<String>?
  }

  /// The name of a door or entrance of the map.
  package struct OpeningName: Sendable {
    /// The identifier or name of the opening.
    package var opening: Placed<String>
    /// The new name.
    package var name: String
  }

  /// A connection between floors.
  package struct Link: Sendable {
    /// The kind of connection.
    package var kind: Connection.Kind
    /// The spaces at its landings, on different floors.
    package var joins: Placed<[Placed<String>]>
    /// The name, which is also the identifier; `nil` for a number.
    package var name: Placed<String>?
  }

  /// A displacement of a floor.
  package struct FloorMove: Sendable {
    /// The floor, by identifier, name or short name.
    package var floor: Placed<String>
    /// The distance to the east, in metres.
    package var east: Double
    /// The distance to the north, in metres.
    package var north: Double
  }

  /// The changes of spaces; of two changes of one property the later one applies.
  package var spaces: [SpaceChange] = []
  /// The new doors.
  package var doors: [Door] = []
  /// The identifiers or names of openings that are removed.
  package var removedOpenings: [Placed<String>] = []
  /// The new names of openings of the map.
  package var renamedOpenings: [OpeningName] = []
  /// The new entrances.
  package var entrances: [Entrance] = []
  /// The new connections.
  package var links: [Link] = []
  /// The identifiers or names of connections that are removed.
  package var removedLinks: [Placed<String>] = []
  /// The displacements of floors.
  package var moves: [FloorMove] = []

  /// Creates an overlay without a change.
  package init() {}

  /// The width of a door without one of its own, in metres.
  package static let doorWidth = 1.0
}
