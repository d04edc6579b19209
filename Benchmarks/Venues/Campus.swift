import Foundation

/// A synthetic MVF 3 campus: 6 buildings of 4 floors, rooms along corridors, walls, doors and a node graph.
struct Campus {
  /// Rooms from west to east: 17 make 20.8 MB, 20 make 24.4 MB.
  var columns = 20
  private let buildings = 6
  private let floorsEach = 4
  private let rows = 12
  private let nodesPerRoom = 9

  func write(to folder: String) throws {
    for name in ["geometry", "kinds", "walkable", "nonwalkable", "nodes"] {
      try FileManager.default.createDirectory(atPath: folder + "/" + name, withIntermediateDirectories: true)
    }
    var floors: [String] = []
    var stacks: [String] = []
    var connections: [String] = []
    var locations: [String] = []
    for building in 0..<buildings {
      var ids: [String] = []
      for level in 0..<floorsEach {
        let floor = "f_\(hex(building * 100 + level))"
        ids.append("\"\(floor)\"")
        let (west, south) = (-80.5 + Double(building % 3) * 0.004, 43.47 + Double(building / 3) * 0.002)
        floors.append(
          feature(
            polygon(west, south, west + Double(columns) * 0.00012, south + Double(rows) * 0.00009),
            "\"id\":\"\(floor)\",\"elevation\":\(level),\"details\":{\"name\":\"Level \(level + 1)\"}"))
        let parts = try writeFloor(
          floor, number: building * floorsEach + level, west: west, south: south, folder: folder)
        connections += parts.connections
        locations += parts.locations
      }
      stacks.append(
        "{\"id\":\"fs_\(hex(building))\",\"floors\":[\(ids.joined(separator: ","))],\"details\":{\"name\":\"Building \(building + 1)\"}}"
      )
    }
    try save(collection(floors), folder + "/floors.geojson")
    try save("[" + stacks.joined(separator: ",") + "]", folder + "/floor-stacks.json")
    try save("[" + connections.joined(separator: ",") + "]", folder + "/connections.json")
    try save("[" + locations.joined(separator: ",") + "]", folder + "/locations.json")
    try save("{\"accessible\":{\"index\":0,\"bit\":0}}", folder + "/navigationFlags.json")
    try save(
      collection([
        feature(
          "{\"type\":\"Point\",\"coordinates\":[-80.496,43.471]}",
          "\"name\":\"Synthetic campus\",\"version\":\"3.0.0\",\"tzid\":\"America/Toronto\"")
      ]), folder + "/manifest.geojson")
  }

  private func writeFloor(
    _ floor: String, number: Int, west: Double, south: Double, folder: String
  ) throws -> (connections: [String], locations: [String]) {
    var (geometry, kinds, walkable, solid, nodes) = ([String](), [String](), [String](), [String](), [String]())
    var (connections, locations) = ([String](), [String]())
    for row in 0..<rows {
      for column in 0..<columns {
        let key = number * 10_000 + row * 100 + column
        let (x, y) = (west + Double(column) * 0.00012, south + Double(row) * 0.00009)
        let isHall = row % 3 == 1
        let room = "g_\(hex(key * 4))"
        geometry.append(
          feature(polygon(x, y, x + 0.00012, y + 0.00009), "\"id\":\"\(room)\",\"details\":{\"externalId\":\"\"}"))
        kinds.append("\"\(room)\":\"\(isHall ? "hallway" : "room")\"")
        walkable.append("\"\(room)\":{}")
        if !isHall {
          locations.append(
            "{\"id\":\"loc_\(hex(key))\",\"categories\":[],\"details\":{\"name\":\"Office \(key)\"},\"geometryAnchors\":[{\"geometryId\":\"\(room)\",\"floorId\":\"\(floor)\"}]}"
          )
        }
        let wall = "g_\(hex(key * 4 + 1))"
        geometry.append(
          feature(
            line(x + 0.00012, y, x + 0.00012, y + 0.00009), "\"id\":\"\(wall)\",\"details\":{\"externalId\":\"\"}"))
        kinds.append("\"\(wall)\":\"wall\"")
        solid.append("\"\(wall)\":{}")
        let door = "g_\(hex(key * 4 + 2))"
        geometry.append(
          feature(
            line(x + 0.00005, y + 0.00009, x + 0.00006, y + 0.00009),
            "\"id\":\"\(door)\",\"details\":{\"externalId\":\"\"}"))
        connections.append(
          "{\"id\":\"c_\(hex(key))\",\"type\":\"door\",\"entrances\":[{\"geometryId\":\"\(door)\",\"floorId\":\"\(floor)\",\"flags\":[1]}],\"exits\":[],\"entryCost\":100,\"floorCostMultiplier\":1}"
        )
        for place in 0..<nodesPerRoom {
          let at = (
            x + 0.00002 + Double(place % 3) * 0.00004123456789, y + 0.00001 + Double(place / 3) * 0.00003123456789
          )
          let near = [place - 3, place - 1, place + 1, place + 3].filter { (0..<nodesPerRoom).contains($0) }
          let neighbors = near.map { "{\"id\":\"n_\(hex(key * 16 + $0))\",\"extraCost\":2,\"flags\":[5]}" }
          nodes.append(
            feature(
              "{\"type\":\"Point\",\"coordinates\":[\(at.0),\(at.1)]}",
              "\"id\":\"n_\(hex(key * 16 + place))\",\"geometryIds\":[\"\(room)\"],\"neighbors\":[\(neighbors.joined(separator: ","))]"
            ))
        }
      }
    }
    try save(collection(geometry), "\(folder)/geometry/\(floor).geojson")
    try save("{" + kinds.joined(separator: ",") + "}", "\(folder)/kinds/\(floor).json")
    try save("{" + walkable.joined(separator: ",") + "}", "\(folder)/walkable/\(floor).json")
    try save("{" + solid.joined(separator: ",") + "}", "\(folder)/nonwalkable/\(floor).json")
    try save(collection(nodes), "\(folder)/nodes/\(floor).geojson")
    return (connections, locations)
  }

  private func hex(_ value: Int) -> String {
    // Identifiers as long as real ones, all different: an odd multiplier permutes the 64-bit numbers.
    let mixed = UInt64(value) &* 0x9E37_79B9_7F4A_7C15
    let digits = String(mixed, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  private func polygon(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> String {
    "{\"type\":\"Polygon\",\"coordinates\":[[[\(west),\(south)],[\(east),\(south)],[\(east),\(north)],[\(west),\(north)],[\(west),\(south)]]]}"
  }

  private func line(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double) -> String {
    "{\"type\":\"LineString\",\"coordinates\":[[\(x0),\(y0)],[\(x1),\(y1)]]}"
  }

  private func feature(_ geometry: String, _ properties: String) -> String {
    "{\"type\":\"Feature\",\"geometry\":\(geometry),\"properties\":{\(properties)}}"
  }

  private func collection(_ features: [String]) -> String {
    "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]}"
  }

  private func save(_ text: String, _ path: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }
}
