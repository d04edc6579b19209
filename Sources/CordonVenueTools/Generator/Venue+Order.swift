import CordonCore
import CordonVenues

extension Venue {
  /// Sorts every list in the order that the model promises.
  ///
  /// Floors are sorted by ordinal and identifier, features on a floor by floor and identifier, and all others by
  /// identifier.
  package mutating func sort() {
    floors.sort { ($0.ordinal, $0.id) < ($1.ordinal, $1.id) }
    let rank = Dictionary(floors.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    func order(_ floor: FloorID) -> Int { rank[floor] ?? Int.max }
    func precedes(_ a: (Int, String), _ b: (Int, String)) -> Bool {
      a.0 != b.0 ? a.0 < b.0 : Venue.precedes(a.1, b.1)
    }
    buildings.sort { Venue.precedes($0.id, $1.id) }
    for index in buildings.indices { buildings[index].floors.sort { (order($0), $0) < (order($1), $1) } }
    spaces.sort { precedes((order($0.floor), $0.id.rawValue), (order($1.floor), $1.id.rawValue)) }
    walls.sort { precedes((order($0.floor), $0.id), (order($1.floor), $1.id)) }
    obstructions.sort { precedes((order($0.floor), $0.id), (order($1.floor), $1.id)) }
    furniture.sort { precedes((order($0.floor), $0.id), (order($1.floor), $1.id)) }
    for index in zones.indices { zones[index].floors.sort { (order($0), $0) < (order($1), $1) } }
    zones.sort { Venue.precedes($0.id, $1.id) }
    annotations.sort { precedes((order($0.floor), $0.id), (order($1.floor), $1.id)) }
    openings.sort { precedes((order($0.floor), $0.id), (order($1.floor), $1.id)) }
    for index in connections.indices {
      connections[index].landings.sort {
        (order($0.floor), $0.position.longitude, $0.position.latitude)
          < (order($1.floor), $1.position.longitude, $1.position.latitude)
      }
    }
    connections.sort { Venue.precedes($0.id, $1.id) }
    for index in pointsOfInterest.indices { pointsOfInterest[index].spaces.sort() }
    pointsOfInterest.sort { Venue.precedes($0.id, $1.id) }
    categories.sort { Venue.precedes($0.id, $1.id) }
    graph = graph?.sorted(by: order)
  }

  private static func precedes(_ a: String, _ b: String) -> Bool { a.utf8.lexicographicallyPrecedes(b.utf8) }
}

extension NavigationGraph {
  fileprivate func sorted(by order: (FloorID) -> Int) -> NavigationGraph {
    let keys = nodes.map { (order($0.floor), $0.id) }
    let permutation = nodes.indices.sorted { a, b in
      keys[a].0 != keys[b].0 ? keys[a].0 < keys[b].0 : keys[a].1.utf8.lexicographicallyPrecedes(keys[b].1.utf8)
    }
    var place = [Int32](repeating: 0, count: nodes.count)
    for (new, old) in permutation.enumerated() { place[old] = Int32(new) }
    let moved = edges.map { Edge(from: place[Int($0.from)], to: place[Int($0.to)], extraCost: $0.extraCost) }
    return NavigationGraph(
      nodes: permutation.map { nodes[$0] },
      edges: moved.sorted { ($0.from, $0.to, $0.extraCost) < ($1.from, $1.to, $1.extraCost) })
  }
}
