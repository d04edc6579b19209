/// One floor while it is being drawn.
struct FloorDraft {
  /// Unique in the venue, short: `0`, `b1`, `a2`.
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

/// A space while it is being drawn.
struct SpaceDraft {
  var kind: SpaceKind
  var name: String
  /// Whether it is worth a place in the directory.
  var isListed = false
  var outer: [PlanPoint]
  var holes: [[PlanPoint]] = []
  /// Where somebody stands who is "in" it.
  var center: PlanPoint
  /// Which vertical connection it belongs to.
  var shaft: String?
  var edge = Edge.walled

  enum Edge {
    /// Walls all round, but for the doors.
    case walled
    /// No walls of its own.
    case open
    /// No walls, and none of its neighbours' either: one looks across.
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

/// A door while it is being drawn. Spaces are indexes into the floor's list.
struct DoorDraft {
  var from: PlanPoint
  var to: PlanPoint
  var spaces: [Int]
  /// The side of the building that it leads out of, for an entrance.
  var leadsOut: PlanSide?
  var kind = "door"

  var center: PlanPoint { PlanPoint(x: (from.x + to.x) / 2, y: (from.y + to.y) / 2) }

  /// A door of some width on a side of a rectangle.
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

/// The walking graph of one floor while it is being drawn; links are both ways.
struct WayDraft {
  private(set) var points: [PlanPoint] = []
  private(set) var links: [(Int, Int)] = []
  private var index: [PlanPoint: Int] = [:]
  private var known: Set<PlanSegment> = []

  /// The node at a point, made when it is new.
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

  /// Links points in the order in which they lie along a line.
  mutating func chain(_ points: some Collection<PlanPoint>) {
    let sorted = Set(points).sorted()
    for (a, b) in zip(sorted, sorted.dropFirst()) { link(a, b) }
  }
}

/// A stretch of wall or way without direction.
struct PlanSegment: Hashable {
  var a: PlanPoint
  var b: PlanPoint

  init(_ a: PlanPoint, _ b: PlanPoint) {
    self.a = min(a, b)
    self.b = max(a, b)
  }
}
