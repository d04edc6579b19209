import CordonCore
import CordonGeometry

/// Connects vertical spaces that lie above one another, for sources without such connections.
enum StackedConnections {
  /// Returns one connection for each stack of at least two vertical spaces.
  ///
  /// The spaces of a stack are of one kind, on successive floors of one building. Spaces that are landings of
  /// `existing` connections are left out.
  static func derive(floors: [Floor], spaces: [Space], existing: [Connection]) -> [Connection] {
    let taken = Set(existing.flatMap { $0.landings.compactMap(\.space) })
    let vertical = spaces.filter { $0.kind.isVertical && !taken.contains($0.id) }
    guard vertical.count > 1 else { return [] }
    let ordered = floors.sorted { ($0.ordinal, $0.id) < ($1.ordinal, $1.id) }
    var spacesByFloor: [FloorID: [Space]] = [:]
    for space in vertical { spacesByFloor[space.floor, default: []].append(space) }
    var group: [SpaceID: SpaceID] = [:]
    func root(_ id: SpaceID) -> SpaceID {
      var current = id
      while let parent = group[current], parent != current { current = parent }
      group[id] = current
      return current
    }
    for (index, floor) in ordered.enumerated() {
      guard let here = spacesByFloor[floor.id] else { continue }
      // The next higher ordinal in the same building; several floors may share it.
      let above = ordered[(index + 1)...].filter { $0.building == floor.building && $0.ordinal > floor.ordinal }
      guard let next = above.first?.ordinal else { continue }
      for upper in above.prefix(while: { $0.ordinal == next }) {
        guard let there = spacesByFloor[upper.id] else { continue }
        join(here, there) { lower, higher in
          let (a, b) = (root(lower), root(higher))
          group[b] = a
        }
      }
    }
    var members: [SpaceID: [Space]] = [:]
    for space in vertical where group[space.id] != nil { members[root(space.id), default: []].append(space) }
    let rank = Dictionary(ordered.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    return members.values.compactMap { stack in
      let stack = stack.sorted { (rank[$0.floor] ?? 0, $0.id) < (rank[$1.floor] ?? 0, $1.id) }
      let landings = stack.compactMap { space in
        ShapeMeasure.interiorPoint(of: space.outline).map {
          Connection.Landing(floor: space.floor, position: $0, space: space.id)
        }
      }
      guard landings.count > 1 else { return nil }
      return Connection(
        id: "stack:\(stack[0].id)", kind: kind(stack[0].kind), name: stack[0].name, landings: landings,
        isAccessible: stack[0].kind == .elevator, sourceKind: "stacked")
    }
  }

  // Two spaces are stacked if a point inside one of them lies inside the other.
  private static func join(_ lower: [Space], _ upper: [Space], found: (SpaceID, SpaceID) -> Void) {
    for kind in [SpaceKind.stairs, .elevator, .escalator, .ramp] {
      let below = lower.filter { $0.kind == kind }
      let above = upper.filter { $0.kind == kind }
      guard let origin = below.first?.outline.polygons.first?.outer.first, !above.isEmpty else { continue }
      let frame = LocalFrame(origin: origin)
      let aboveIndex = SpaceGrid(above.map { ($0.id, $0.outline) }, frame: frame)
      let belowIndex = SpaceGrid(below.map { ($0.id, $0.outline) }, frame: frame)
      for space in below {
        if let place = ShapeMeasure.interiorPoint(of: space.outline),
          let other = aboveIndex.space(at: frame.project(place))
        {
          found(space.id, other)
        }
      }
      for space in above {
        if let place = ShapeMeasure.interiorPoint(of: space.outline),
          let other = belowIndex.space(at: frame.project(place))
        {
          found(other, space.id)
        }
      }
    }
  }

  private static func kind(_ kind: SpaceKind) -> Connection.Kind {
    switch kind {
    case .stairs: .stairs
    case .elevator: .elevator
    case .escalator: .escalator
    case .ramp: .ramp
    default: .unknown
    }
  }
}

extension VenueDraft {
  /// Adds connections for stacked vertical spaces, and reports them.
  mutating func connectStacks(in bundle: VenueBundle, findings: inout FindingLog) {
    let derived = StackedConnections.derive(floors: floors, spaces: spaces, existing: connections)
    guard !derived.isEmpty else { return }
    findings.add(
      .info, "connections-derived", file: bundle.name, action: .repaired,
      "\(derived.count) connections are taken from stairs, elevators and ramps that lie above one another")
    connections += derived
  }

  /// Finds the spaces of openings without two known sides, and those of landings.
  mutating func joinOpenings() { join(doors: true) }

  /// Finds the spaces of landings.
  mutating func placeLandings() { join(doors: false) }

  // Works floor by floor, because one index of a floor serves openings and landings.
  private mutating func join(doors: Bool) {
    let spacesByFloor = Dictionary(grouping: spaces, by: \.floor)
    let outlineByBuilding = Dictionary(
      buildings.map { ($0.id, $0.outline) }, uniquingKeysWith: { first, _ in first })
    var openingsByFloor: [FloorID: [Int]] = [:]
    for index in openings.indices where doors { openingsByFloor[openings[index].floor, default: []].append(index) }
    var landingsByFloor: [FloorID: [(connection: Int, landing: Int)]] = [:]
    for (index, connection) in connections.enumerated() {
      for (number, landing) in connection.landings.enumerated() where landing.space == nil {
        landingsByFloor[landing.floor, default: []].append((index, number))
      }
    }
    for floor in floors {
      let spaces = spacesByFloor[floor.id] ?? []
      let outline = floor.outline ?? floor.building.flatMap { outlineByBuilding[$0] ?? nil }
      guard
        let origin = spaces.first?.outline.polygons.first?.outer.first ?? outline?.polygons.first?.outer.first
      else { continue }
      let join = OpeningJoin(
        spaces: spaces.map { ($0.id, $0.outline) }, outline: outline, frame: LocalFrame(origin: origin))
      for index in openingsByFloor[floor.id] ?? [] where openings[index].spaces.count < 2 {
        let sides = join.sides(of: openings[index].line)
        if openings[index].spaces.isEmpty { openings[index].spaces = sides.spaces.sorted() }
        if sides.leadsOut, openings[index].spaces.count < 2 { openings[index].isEntrance = true }
      }
      for (index, number) in landingsByFloor[floor.id] ?? [] {
        connections[index].landings[number].space = join.space(at: connections[index].landings[number].position)
      }
    }
  }
}
