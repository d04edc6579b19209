import CordonCore
import CordonGeometry

/// The findings about walking. Each message names the place and the fact, the effect on people, and what to do.
extension ConnectivityReport {
  /// The findings about spaces, parts, entrances, unreachable spaces and assumptions, in this order.
  package var findings: [VenueFinding] {
    missingSpaces + partFindings + entranceFindings + displacedEntrances + spaceFindings + doorFindings
      + connectionFindings + entranceAssumptions
  }

  private func finding(
    _ severity: VenueFinding.Severity, _ code: String, object: String?, action: VenueFinding.Action = .ignored,
    _ message: String
  ) -> VenueFinding {
    VenueFinding(
      severity: severity, code: code, file: file, object: object, action: action, message: message)
  }

  private var missingSpaces: [VenueFinding] {
    guard plan.spaces.isEmpty else { return [] }
    return [
      finding(
        .warning, "no-spaces", object: nil,
        "the map has no rooms or other spaces: people of a simulation stay anywhere on its floors, and no result is by "
          + "room; use a map with rooms as areas")
    ]
  }

  /// Parts of several spaces beside the largest one. A single unreachable space has a finding of its own.
  private var partFindings: [VenueFinding] {
    let large = Set(connectivity.largeParts.map(\.group))
    return connectivity.parts.dropFirst().compactMap { part in
      guard let example = part.example, part.spaces.count > 1 || !part.entrances.isEmpty else { return nil }
      let others = part.spaces.count - 1
      let what =
        description(of: example)
        + (others > 0 ? " and \(Self.counted(others, "other space")), together \(Self.area(part.squareMetres))," : "")
      let verb = others > 0 ? "have" : "has"
      let rest =
        part.entrances.isEmpty
        ? "no entrance: nobody goes there; add the missing door"
        : "only \(PlanEntrance.words(part.entrances)): people who enter there do not reach the rest of the venue, nor "
          + "others this part; unless it is a building of its own, add the missing door"
      return finding(
        part.entrances.isEmpty || large.contains(part.group) ? .warning : .info, "disconnected-part",
        object: plan.spaces[example].id.rawValue, "\(what) \(verb) no way to the largest part and \(rest)")
    }
  }

  private var entranceFindings: [VenueFinding] {
    connectivity.entrancesToNowhere.map { entrance, part in
      let behind = Self.listed(part.spaces.prefix(3).map { "'\(name($0))'" }).map { "only to \($0)" } ?? "to no space"
      return finding(
        .warning, "entrance-leads-nowhere", object: entrance.id,
        "entrance \(entrance.label) leads \(behind): nobody enters by it unless a population names it; add the missing "
          + "door behind it")
    }
      + connectivity.unusedEntrances.map { index in
        let door = plan.doors[index]
        let behind = Self.listed(door.spaces.map { "'\(name($0))'" }).map { "only to \($0)" } ?? "to no walkable area"
        return finding(
          .warning, "entrance-leads-nowhere", object: door.id,
          "the entrance '\(door.name.isEmpty ? door.id : door.name)' on \(plan.floors[door.floor].name) leads "
            + "\(behind): nobody enters by it; add the missing door behind it, or move it")
      }
  }

  /// Entrances that the map draws away from the place to which they lead.
  private var displacedEntrances: [VenueFinding] {
    entrances.compactMap { entrance in
      guard let door = plan.doors.first(where: { $0.id == entrance.id && $0.floor == entrance.floor }) else {
        return nil
      }
      let distance = PlaneSegment(door.line.middle, entrance.position).length
      guard distance > EntranceFinder.reach else { return nil }
      return finding(
        .warning, "entrance-displaced", object: entrance.id, action: .repaired,
        "entrance \(entrance.label) lies \((distance * 10).rounded() / 10) m from the nearest place that people can walk "
          + "on: they enter there; move it to the edge of the building")
    }
  }

  private var spaceFindings: [VenueFinding] {
    connectivity.unreachable.map { unreachable in
      let space = unreachable.space
      let why =
        switch unreachable.reason {
        case .noPlaceToStand: "walls and objects leave no place to stand in it; correct its outline or the walls"
        case .noDoor: "no door leads to it, and no passage borders it; add a door"
        case .floorNotConnected: "nothing connects its floor with an entrance; add stairs or an elevator"
        case .behindUnreachable:
          "it is connected only with spaces that no entrance reaches; add a door to one of them"
        }
      return finding(
        .warning, "space-unreachable", object: plan.spaces[space].id.rawValue,
        "nobody can go to \(description(of: space)): \(why)")
    }
  }

  private var doorFindings: [VenueFinding] {
    connectivity.assumedDoors.map { assumed in
      let to = assumed.neighbour.map { "to '\(name($0))'" } ?? "to the open area beside it"
      let isSeam = plan.doors[assumed.door].isSeam
      return finding(
        .info, isSeam ? "seam-bridged" : "door-assumed", object: plan.spaces[assumed.space].id.rawValue,
        action: .repaired,
        isSeam
          ? "the gap of centimetres from \(description(of: assumed.space)) \(to) counts as open; if there is a wall, draw it"
          : "no door of the map leads to \(description(of: assumed.space)): one \(to) is assumed; if the door is elsewhere, "
            + "add it")
    }
  }

  private var connectionFindings: [VenueFinding] {
    plan.connections.filter(\.isDerived).map { connection in
      let floors = Self.listed(connection.landings.map { plan.floors[$0.floor].name }) ?? ""
      return finding(
        .info, "connections-derived", object: connection.id, action: .repaired,
        "the map does not connect the \(connection.kind.rawValue) on \(floors), which lie above one another: they count "
          + "as one connection; if that is wrong, add the right one")
    }
  }

  private var entranceAssumptions: [VenueFinding] {
    entrances.filter { $0.source != .mapped }.map { entrance in
      let place = entrance.space.map { " in \(description(of: $0))" } ?? ""
      let by =
        switch entrance.source {
        case .shellDoors: "a door on the edge of the floor"
        case .graph: "the place where the map's graph leaves the floor"
        default: "the place nearest to the edge of the floor"
        }
      return finding(
        .info, "entrance-assumed", object: entrance.id, action: .repaired,
        "entrance \(entrance.label): the map marks none here, so people enter by \(by)\(place); mark the doors to the "
          + "outside as entrances")
    }
  }
}
