package import CordonGeometry

/// The desks of an activity: places that are each given to one person for the whole run.
package enum DeskRule: Hashable, Sendable {
  /// A number of desks, spread over the places of the activity in proportion to their room.
  case count(Int)
  /// The rows of a table, and the name of its file.
  case table(file: String, [Row])

  /// A row of a table of desks.
  package struct Row: Hashable, Sendable {
    /// The line in the table, for messages.
    package var line: Int
    /// The desks of the row.
    package var location: Location

    /// Creates a row from its parts.
    package init(line: Int, location: Location) {
      self.line = line
      self.location = location
    }
  }

  /// The position of desks.
  package enum Location: Hashable, Sendable {
    /// A number of desks anywhere in the space with a name or identifier.
    case space(String, desks: Int)
    /// One desk at a point in metres in the plane of the venue, on the floor with a name or ordinal.
    case point(PlanePoint, floor: String)
    /// One desk at a coordinate, on the floor with a name or ordinal.
    case coordinate(Coordinate, floor: String)
  }
}
