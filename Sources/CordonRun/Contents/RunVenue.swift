package import CordonCore
package import CordonGeometry

/// The venue of a run with the data for results and drawings. Lengths are in metres in the run's frame.
package struct RunVenue: Hashable, Sendable {
  /// The identifier of the venue.
  package var id: VenueID
  /// The display name.
  package var name: String
  /// The format of the bundle (`mvf-3`).
  package var format: String
  /// The SHA-256 of the bundle's contents, 64 hexadecimal digits.
  package var contentHash: String
  /// The IANA time zone name, if the map contains one.
  package var timeZone: String?
  /// The floors, lowest first.
  package var floors: [RunFloor]
  /// The spaces. The number of a space is its index in this list.
  package var spaces: [RunSpace]
  /// The doors and other passages at which people are counted; empty if they are unknown.
  package var openings: [RunOpening]
  /// The groups of spaces, such as departments, in the order of their display.
  package var groups: [RunGroup]

  /// Creates a venue from its parts.
  package init(
    id: VenueID, name: String, format: String, contentHash: String, timeZone: String? = nil, floors: [RunFloor],
    spaces: [RunSpace], openings: [RunOpening] = [], groups: [RunGroup] = []
  ) {
    self.id = id
    self.name = name
    self.format = format
    self.contentHash = contentHash
    self.timeZone = timeZone
    self.floors = floors
    self.spaces = spaces
    self.openings = openings
    self.groups = groups
  }
}

/// A floor with the lines to draw.
package struct RunFloor: Hashable, Sendable {
  /// The identifier in the source.
  package var id: FloorID
  /// The ordinal. Floors with the same ordinal form one storey and are drawn together.
  package var ordinal: FloorOrdinal
  /// The display name.
  package var name: String
  /// The rings of the outline; overlapping rings cut holes (even-odd rule).
  package var outline: [[PlanePoint]]
  /// The lines of walls, windows and columns; a line can end at its start.
  package var walls: [[PlanePoint]]
  /// The thresholds of doors, two or more points each; a single point is not drawn.
  package var doors: [[PlanePoint]]

  /// Creates a floor from its parts.
  package init(
    id: FloorID, ordinal: FloorOrdinal, name: String, outline: [[PlanePoint]] = [], walls: [[PlanePoint]] = [],
    doors: [[PlanePoint]] = []
  ) {
    self.id = id
    self.ordinal = ordinal
    self.name = name
    self.outline = outline
    self.walls = walls
    self.doors = doors
  }
}

/// A space with the lines to draw.
package struct RunSpace: Hashable, Sendable {
  /// The identifier in the source.
  package var id: SpaceID
  /// The index of its floor in ``RunVenue/floors``.
  package var floor: Int
  /// The kind in Cordon's vocabulary (`meeting-room`).
  package var kind: String
  /// The display name; empty if the map contains none.
  package var name: String
  /// The rings of the outline; overlapping rings cut holes (even-odd rule).
  package var rings: [[PlanePoint]]

  /// Creates a space from its parts.
  package init(id: SpaceID, floor: Int, kind: String, name: String, rings: [[PlanePoint]]) {
    self.id = id
    self.floor = floor
    self.kind = kind
    self.name = name
    self.rings = rings
  }

  /// The area in square metres: outlines without the holes in them. The rings must not cross.
  ///
  /// A ring is a hole if its first vertex lies in an odd number of the other rings.
  package var area: Double {
    var total = 0.0
    for (index, ring) in rings.enumerated() {
      guard let vertex = ring.first else { continue }
      let depth = rings.indices.count { $0 != index && PlaneRing.isCrossedOddly(rings[$0], from: vertex) }
      total += abs(PlaneRing.signedArea(ring)) * (depth.isMultiple(of: 2) ? 1 : -1)
    }
    return max(total, 0)
  }

  /// Checks whether a point is in the space, by the even-odd rule. On an edge, either answer is possible.
  func contains(_ point: PlanePoint) -> Bool {
    !rings.count { PlaneRing.isCrossedOddly($0, from: point) }.isMultiple(of: 2)
  }
}
