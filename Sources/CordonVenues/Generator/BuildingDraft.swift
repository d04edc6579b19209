/// One building while it is being drawn, in its own axes.
struct BuildingDraft {
  /// Unique in the venue: empty when it is the only building.
  var key: String
  var name: String
  var floors: [FloorDraft] = []
  /// Ways between floors, in the order in which they were drawn.
  var shafts: [ShaftDraft] = []
  /// Where the building's south-west corner stands on the site, and how it is turned about it.
  var placement = Placement()
}

/// Where a building stands on a site.
struct Placement {
  /// Metres east and north of the site's corner.
  var east = 0.0
  var north = 0.0
  /// Cosine and sine of the turn, counter-clockwise.
  var cosine = 1.0
  var sine = 0.0

  var isTurned: Bool { sine != 0 }

  /// Metres on the site.
  func place(_ point: PlanPoint) -> (east: Double, north: Double) {
    let x = Double(point.x) / 100
    let y = Double(point.y) / 100
    return (east + x * cosine - y * sine, north + x * sine + y * cosine)
  }
}

/// A way between floors while it is being drawn.
struct ShaftDraft {
  var key: String
  var kind: Connection.Kind
  var name: String
  var isTwoWay = true
  /// Floor and space by index, in order of floors.
  var landings: [Landing] = []

  struct Landing {
    var floor: Int
    var space: Int
    var position: PlanPoint
    var isEntry = true
    var isExit = true
  }
}

/// Everything that is drawn before it gets coordinates.
struct SiteDraft {
  var name: String
  var buildings: [BuildingDraft]
  var grounds: GroundsDraft?
}

/// The open ground round the buildings of a campus, in metres of the site.
struct GroundsDraft {
  struct Point: Hashable {
    var east: Double
    var north: Double
  }
  var width: Double
  var depth: Double
  var nodes: [Point] = []
  var links: [(Int, Int)] = []
  /// Nodes at doors: building, floor and door by index.
  var doors: [(node: Int, building: Int, floor: Int, door: Int)] = []
}
