import CordonVenues

/// One building of a draft, in its own axes.
struct BuildingDraft {
  /// A key that is unique in the venue; empty for a single building.
  var key: String
  var name: String
  var floors: [FloorDraft] = []
  /// Connections between floors, in the order in which they were drawn.
  var shafts: [ShaftDraft] = []
  /// The position of the building's south-west corner on the site, and its rotation about that corner.
  var placement = Placement()
}

/// The placement of a building on a site.
struct Placement {
  /// Offset from the site's corner to the east and north, in metres.
  var east = 0.0
  var north = 0.0
  /// Cosine and sine of the rotation, counter-clockwise.
  var cosine = 1.0
  var sine = 0.0

  var isTurned: Bool { sine != 0 }

  /// Returns the position on the site, in metres.
  func place(_ point: PlanPoint) -> (east: Double, north: Double) {
    let x = Double(point.x) / 100
    let y = Double(point.y) / 100
    return (east + x * cosine - y * sine, north + x * sine + y * cosine)
  }
}

/// A connection between floors of a draft.
struct ShaftDraft {
  var key: String
  var kind: Connection.Kind
  var name: String
  var isTwoWay = true
  /// The landings, in the order of the floors.
  var landings: [Landing] = []

  struct Landing {
    var floor: Int
    var space: Int
    var position: PlanPoint
    var isEntry = true
    var isExit = true
  }
}

/// A complete draft without geographic coordinates.
struct SiteDraft {
  var name: String
  var buildings: [BuildingDraft]
  var grounds: GroundsDraft?
}

/// The open ground around the buildings of a campus, in metres of the site.
struct GroundsDraft {
  struct Point: Hashable {
    var east: Double
    var north: Double
  }
  var width: Double
  var depth: Double
  var nodes: [Point] = []
  var links: [(Int, Int)] = []
  /// The nodes at doors; building, floor and door are indices.
  var doors: [(node: Int, building: Int, floor: Int, door: Int)] = []
}
