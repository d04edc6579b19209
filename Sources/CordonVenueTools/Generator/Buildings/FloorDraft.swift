import CordonVenues

/// One floor of a draft.
struct FloorDraft {
  /// A short key that is unique in the venue, such as `0`, `b1` or `a2`.
  var key: String
  var ordinal: Int
  var name: String
  var shortName: String
  var outline: PlanRect
  var spaces: [SpaceDraft] = []
  var doors: [DoorDraft] = []
  var furniture: [PlanRect] = []
  var ways = WayDraft()
}

/// A space of a draft.
struct SpaceDraft {
  var kind: SpaceKind
  var name: String
  /// Whether the directory lists the space.
  var isListed = false
  var outer: [PlanPoint]
  var holes: [[PlanPoint]] = []
  /// The position of a person in the space.
  var center: PlanPoint
  /// The vertical connection to which the space belongs.
  var shaft: String?
  var edge = Edge.walled

  enum Edge {
    /// Walls on all sides, except for the doors.
    case walled
    /// No walls of its own.
    case open
    /// No walls, and none of its neighbours' either, so that people can look across.
    case void
  }

  init(kind: SpaceKind, name: String, rect: PlanRect, isListed: Bool = false, shaft: String? = nil) {
    self.kind = kind
    self.name = name
    self.isListed = isListed
    self.shaft = shaft
    edge = kind == .openToBelow ? .void : kind == .platform ? .open : .walled
    outer = rect.corners
    center = rect.center
  }
}

/// A door of a draft. Spaces are indices into the floor's list.
struct DoorDraft {
  var from: PlanPoint
  var to: PlanPoint
  var spaces: [Int]
  /// For an entrance, the side of the building to which the door leads.
  var leadsOut: PlanSide?
  var kind = "door"

  var center: PlanPoint { PlanPoint(x: (from.x + to.x) / 2, y: (from.y + to.y) / 2) }

  /// Creates a door of a given width on a side of a rectangle.
  init(
    on side: PlanSide, of rect: PlanRect, at position: Int, width: Int, spaces: [Int], leadsOut: PlanSide? = nil,
    kind: String = "door"
  ) {
    from = rect.point(on: side, at: position - width / 2)
    to = rect.point(on: side, at: position + width / 2)
    self.spaces = spaces
    self.leadsOut = leadsOut
    self.kind = kind
  }
}

/// The walking graph of one floor of a draft; links are bidirectional.
struct WayDraft {
  private(set) var points: [PlanPoint] = []
  private(set) var links: [(Int, Int)] = []
  private var index: [PlanPoint: Int] = [:]
  private var known: Set<PlanSegment> = []

  /// Returns the node at a point, which is created if it is new.
  mutating func node(at point: PlanPoint) -> Int {
    if let found = index[point] { return found }
    points.append(point)
    index[point] = points.count - 1
    return points.count - 1
  }

  mutating func link(_ a: PlanPoint, _ b: PlanPoint) {
    guard a != b, known.insert(PlanSegment(a, b)).inserted else { return }
    links.append((node(at: a), node(at: b)))
  }

  /// Links points in their order along a line.
  mutating func chain(_ points: some Collection<PlanPoint>) {
    let sorted = Set(points).sorted()
    for (a, b) in zip(sorted, sorted.dropFirst()) { link(a, b) }
  }
}

/// An undirected piece of a wall or path.
struct PlanSegment: Hashable {
  var a: PlanPoint
  var b: PlanPoint

  init(_ a: PlanPoint, _ b: PlanPoint) {
    self.a = min(a, b)
    self.b = max(a, b)
  }
}
