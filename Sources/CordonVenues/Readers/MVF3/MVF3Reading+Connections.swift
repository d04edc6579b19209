import CordonCore

extension MVF3Reading {
  mutating func readConnections() {
    guard let document = bundle.optional("connections.json", findings: &findings) else { return }
    let outdoors = Set(draft.floors.filter(\.isOutdoor).map(\.id))
    for (ordinal, connection) in Array(document.root.elements).enumerated() {
      let pointer = "/\(ordinal)"
      guard let id = connection["id"]?.identifier else {
        findings.add(
          .warning, "id-missing", file: document.file, pointer: pointer, action: .ignored,
          "the connection has no identifier")
        continue
      }
      let type = connection["type"]?.string ?? ""
      let entrances = anchors(connection["entrances"], id, document.file, pointer + "/entrances")
      let exits = anchors(connection["exits"], id, document.file, pointer + "/exits")
      guard !entrances.isEmpty || !exits.isEmpty else {
        findings.add(
          .warning, "connection-without-place", file: document.file, pointer: pointer, object: id, action: .ignored,
          "the connection has no entrance or exit that could be found")
        continue
      }
      if type == "door" {
        if exits.isEmpty {
          findings.add(
            .info, "door-without-exits", file: document.file, pointer: pointer + "/exits", object: id,
            action: .repaired, "the door has no exits; its line alone places it")
        }
        addDoor(
          id, name: name(of: connection, entrances + exits), entrances: entrances, exits: exits, outdoors: outdoors,
          additions: MVF3Additions.sides(of: connection))
      } else {
        addConnection(id, type: type, connection, entrances: entrances, exits: exits)
      }
      let cost = connection["entryCost"]?.double ?? 0
      if cost.magnitude < GraphBuilder.impassable {
        joints.append(((entrances + exits).map(\.geometryID), cost))
      }
      checkCosts(connection, id, document.file, pointer)
    }
    bundle.discard(document.file)
  }

  private struct Anchor {
    var geometryID: String
    var geometry: Geometry
    var isAccessible: Bool
  }

  private mutating func anchors(
    _ list: JSONView?, _ id: String, _ file: String, _ pointer: String
  ) -> [Anchor] {
    var anchors: [Anchor] = []
    for (number, element) in Array(list?.elements.map { $0 } ?? []).enumerated() {
      guard let reference = element["geometryId"]?.identifier else { continue }
      guard let geometry = geometries[reference] else {
        findings.add(
          .warning, "dangling-reference", file: file, pointer: "\(pointer)/\(number)/geometryId", object: id,
          action: .ignored, "the connection names geometry \(reference), which is absent")
        continue
      }
      anchors.append(
        Anchor(
          geometryID: reference, geometry: geometry,
          isAccessible: flags.isSet("accessible", in: element["flags"]) ?? false))
    }
    return anchors
  }

  // A door is one line on one floor. A door to the outdoors has another line on the outdoor floor of the same
  // elevation.
  private mutating func addDoor(
    _ id: String, name: LocalizedText, entrances: [Anchor], exits: [Anchor], outdoors: Set<FloorID>,
    additions: [FloorID: MVF3Additions.DoorSide]
  ) {
    let all = entrances + exits
    let floors = Set(all.map(\.geometry.floor))
    let leadsOutdoors = !floors.isDisjoint(with: outdoors) && !floors.isSubset(of: outdoors)
    for floor in floors.sorted() {
      let here = all.filter { $0.geometry.floor == floor }
      guard let anchor = here.first(where: { $0.geometry.shape.line != nil }) ?? here.first else { continue }
      let line = anchor.geometry.shape.line ?? anchor.geometry.shape.anchor.map { [$0] } ?? []
      guard !line.isEmpty else { continue }
      if let side = additions[floor] {
        draft.openings.append(
          Opening(
            id: floors.count > 1 ? "\(id)@\(floor)" : id, floor: floor, line: line, spaces: side.spaces,
            isEntrance: side.isEntrance, isTwoWay: side.isTwoWay, sourceKind: side.sourceKind, name: name))
        continue
      }
      let join = joins[floor]
      var sides = join?.sides(of: line) ?? OpeningJoin.Sides(spaces: [], leadsOut: false)
      if sides.spaces.count < 2 {
        // The exits are on the two sides of the door.
        for exit in here where exit.geometryID != anchor.geometryID {
          guard let place = exit.geometry.shape.anchor, let space = join?.space(at: place),
            !sides.spaces.contains(space), sides.spaces.count < 2
          else { continue }
          sides.spaces.append(space)
        }
      }
      draft.openings.append(
        Opening(
          id: floors.count > 1 ? "\(id)@\(floor)" : id, floor: floor, line: line, spaces: sides.spaces.sorted(),
          isEntrance: leadsOutdoors || (sides.leadsOut && sides.spaces.count < 2),
          isTwoWay: entrances.count > 0, sourceKind: "door", name: name))
    }
  }

  private mutating func addConnection(
    _ id: String, type: String, _ source: JSONView, entrances: [Anchor], exits: [Anchor]
  ) {
    var landings: [Connection.Landing] = []
    var indexByAnchor: [String: Int] = [:]
    for (anchors, isEntry) in [(entrances, true), (exits, false)] {
      for anchor in anchors {
        let key = "\(anchor.geometry.floor.rawValue) \(anchor.geometryID)"
        if let index = indexByAnchor[key] {
          if isEntry { landings[index].isEntry = true } else { landings[index].isExit = true }
          continue
        }
        guard let place = anchor.geometry.shape.anchor else { continue }
        indexByAnchor[key] = landings.count
        landings.append(
          Connection.Landing(
            floor: anchor.geometry.floor, position: place, space: joins[anchor.geometry.floor]?.space(at: place),
            isEntry: isEntry, isExit: !isEntry))
      }
    }
    let way = MVF3Additions.Way(source)
    if let way {
      for (key, index) in indexByAnchor {
        guard let number = key.split(separator: "-").last.flatMap({ Int($0) }), way.spaces.indices.contains(number)
        else { continue }
        landings[index].space = way.spaces[number]
      }
    }
    // Without exits, people can leave where they can enter.
    if exits.isEmpty, way == nil {
      for index in landings.indices { landings[index].isExit = true }
    }
    let kind: Connection.Kind =
      switch type {
      case "stairs": .stairs
      case "elevator": .elevator
      case "escalator": .escalator
      case "travelator": .movingWalkway
      case "ramp": .ramp
      case "ladder": .ladder
      default: .unknown
      }
    draft.connections.append(
      Connection(
        id: id, kind: kind, name: name(of: source, entrances + exits), landings: landings,
        isAccessible: way?.isAccessible ?? (!entrances.isEmpty && entrances.allSatisfy(\.isAccessible)),
        isTwoWay: way?.isTwoWay ?? landings.allSatisfy { $0.isEntry && $0.isExit },
        sourceKind: way?.sourceKind ?? type))
  }

  /// Returns the name of a connection, otherwise that of a location at one of its anchors.
  private func name(of connection: JSONView, _ anchors: [Anchor]) -> LocalizedText {
    let name = MVF3Details.text(connection["details"]?["name"], nil)
    guard name.isEmpty else { return name }
    return LocalizedText(anchors.lazy.compactMap { namesByGeometry[$0.geometryID]?.first }.first ?? "")
  }

  private mutating func checkCosts(
    _ connection: JSONView, _ id: String, _ file: String, _ pointer: String
  ) {
    for (key, value) in [
      ("entryCost", connection["entryCost"]), ("floorCostMultiplier", connection["floorCostMultiplier"]),
    ] {
      guard let value, let cost = value.double, cost.magnitude >= GraphBuilder.impassable else { continue }
      findings.add(
        .info, "cost-absurd", file: file, pointer: "\(pointer)/\(key)", object: id, action: .ignored,
        "the cost \(cost) is not a length; costs are ignored")
    }
  }
}
