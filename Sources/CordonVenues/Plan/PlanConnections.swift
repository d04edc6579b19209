import CordonCore
package import CordonGeometry
import CordonNavigation

/// Finds the connections between floors.
struct PlanConnections {
  private(set) var connections: [PlanConnection] = []
  private(set) var source = PlanNotes.ConnectionSource.none

  /// Finds all connections, including closed ones: the source of connections is determined before closures apply, and
  /// nothing replaces a closed connection.
  init(
    _ venue: Venue, places: [FloorID: Int], floors: [FloorPlan], spaces: [PlanSpace], projection: PlanProjection,
    joints: [PlanMends.Joint] = []
  ) {
    for connection in venue.connections {
      let landings = connection.landings.compactMap { landing -> PlanConnection.Landing? in
        guard let floor = places[landing.floor], landing.position.isValid else { return nil }
        return PlanConnection.Landing(
          floor: floor, position: projection.point(landing.position), isEntry: landing.isEntry, isExit: landing.isExit)
      }
      guard Set(landings.map(\.floor)).count > 1 else { continue }
      connections.append(PlanConnection(id: connection.id, kind: connection.kind, landings: landings))
    }
    if !connections.isEmpty {
      source = .mapped
    } else {
      connections = PlanConnections.stacked(floors: floors, spaces: spaces)
      if !connections.isEmpty { source = .stackedSpaces }
    }
    connections += joints.compactMap { joint in
      let landings = zip(joint.floors, joint.positions).compactMap { floor, position in
        places[floor].map {
          PlanConnection.Landing(floor: $0, position: position, isEntry: true, isExit: true)
        }
      }
      guard Set(landings.map(\.floor)).count > 1, let lowest = joint.spaces.first else { return nil }
      return PlanConnection(
        id: PlanConnection.derivedPrefix + lowest.rawValue, kind: joint.kind, landings: landings)
    }
    if source == .none, !joints.isEmpty { source = .stackedSpaces }
    close(venue.closures, on: floors)
  }

  private mutating func close(_ shut: VenueClosures, on floors: [FloorPlan]) {
    guard !shut.isEmpty else { return }
    connections = connections.compactMap { connection in
      guard !shut.connections.contains(connection.id), !shut.connectionKinds.contains(connection.kind) else {
        return nil
      }
      let landings = connection.landings.filter { !floors[$0.floor].walkable.isClosed($0.position) }
      guard Set(landings.map(\.floor)).count > 1 else { return nil }
      return PlanConnection(id: connection.id, kind: connection.kind, landings: landings)
    }
  }

  /// Connects spaces of one vertical kind that lie above each other on neighbouring floors.
  private static func stacked(floors: [FloorPlan], spaces: [PlanSpace]) -> [PlanConnection] {
    let ordinals = Set(floors.map(\.ordinal)).sorted()
    let vertical = spaces.indices.filter { spaces[$0].kind.isVertical }
    var group: [Int: Int] = [:]
    for index in vertical { group[index] = index }
    for (low, high) in zip(ordinals, ordinals.dropFirst()) {
      for a in vertical where floors[spaces[a].floor].ordinal == low {
        guard let middle = spaces[a].innerPoint else { continue }
        let above = vertical.first { b in
          floors[spaces[b].floor].ordinal == high && spaces[b].kind == spaces[a].kind
            && (spaces[b].contains(middle) || spaces[b].innerPoint.map(spaces[a].contains) == true)
        }
        if let above, let root = group[a] { group[above] = root }
      }
    }
    return vertical.compactMap { root -> PlanConnection? in
      let members = vertical.filter { group[$0] == root }
      guard group[root] == root, members.count > 1 else { return nil }
      let landings = members.compactMap { index in
        spaces[index].innerPoint.map {
          PlanConnection.Landing(floor: spaces[index].floor, position: $0, isEntry: true, isExit: true)
        }
      }
      return PlanConnection(
        id: PlanConnection.derivedPrefix + spaces[root].id.rawValue, kind: spaces[root].kind.connection,
        landings: landings)
    }
  }
}

extension SpaceKind {
  var connection: Connection.Kind {
    switch self {
    case .stairs: .stairs
    case .elevator: .elevator
    case .escalator: .escalator
    case .ramp: .ramp
    default: .unknown
    }
  }
}

extension PlanSpace {
  /// A point well inside the space: the best one of a 7 by 7 lattice over the bounding box; `nil` for a sliver.
  package var innerPoint: PlanePoint? {
    guard let largest = polygons.max(by: { $0.area < $1.area }), let box = largest.bounds else { return nil }
    let edges = largest.edges
    var best: (point: PlanePoint, clearance: Double)?
    for row in 1...7 {
      for column in 1...7 {
        let point = PlanePoint(
          x: box.low.x + (box.high.x - box.low.x) * Double(column) / 8,
          y: box.low.y + (box.high.y - box.low.y) * Double(row) / 8)
        guard largest.contains(point) else { continue }
        let clearance = edges.reduce(Double.infinity) { min($0, $1.distance(to: point)) }
        if clearance > best?.clearance ?? 0 { best = (point, clearance) }
      }
    }
    return best?.point
  }
}

extension VenuePlan {
  /// Returns the inner nodes at which edges of the map's graph leave the walkable area.
  static func graphExits(
    _ graph: NavigationGraph?, places: [FloorID: Int], floors: [FloorPlan], projection: PlanProjection
  ) -> [(floor: Int, position: PlanePoint)] {
    guard let graph else { return [] }
    var unions: [Int: AreaUnion] = [:]
    func isInside(_ node: NavigationGraph.Node) -> Bool {
      guard let floor = places[node.floor] else { return false }
      let union = unions[floor] ?? AreaUnion(floors[floor].walkable.areas)
      unions[floor] = union
      return union.contains(projection.point(node.position))
    }
    let inside = graph.nodes.map(isInside)
    var exits: [(floor: Int, position: PlanePoint)] = []
    for edge in graph.edges {
      guard inside.indices.contains(Int(edge.from)), inside.indices.contains(Int(edge.to)) else { continue }
      let from = graph.nodes[Int(edge.from)]
      guard inside[Int(edge.from)], !inside[Int(edge.to)], from.floor == graph.nodes[Int(edge.to)].floor,
        let floor = places[from.floor]
      else { continue }
      exits.append((floor, projection.point(from.position)))
    }
    return exits
  }
}
