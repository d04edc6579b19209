import CordonCore
import CordonVenues

extension World {
  /// Assumptions about what the map does not specify, and places that closures make unreachable. One sentence each;
  /// empty for a complete map.
  package var remarks: [String] { connectivity.remarks + entranceRemarks + mapRemarks + closureRemarks }

  private var entranceRemarks: [String] {
    var remarks: [String] = []
    let count = entrances.count { $0.source == notes.entranceSource }
    switch notes.entranceSource {
    case .mapped, .none: break
    case .shellDoors:
      remarks.append(
        "the map marks no door as an entrance: people enter through \(World.counted(count, "door")) on the edge of the "
          + "ground floor")
    case .graph:
      remarks.append(
        "the map has no entrance: people enter at \(World.counted(count, "place")) where its graph of routes leaves the "
          + "ground floor")
    case .nearestToShell:
      remarks.append(
        "the map has no entrance, and no door on the edge of the ground floor: people enter at the place nearest to "
          + "that edge")
    }
    if notes.floorsWithOwnEntrance > 0 {
      // The ground floor can have one of the same source.
      let floors = entrances.filter { $0.source == .nearestToShell }.map { plan.floors[$0.floor] }
      let names = floors.sorted { abs($0.ordinal.thousandths) > abs($1.ordinal.thousandths) }
        .prefix(notes.floorsWithOwnEntrance).map { "'\($0.name)'" }
      remarks.append(
        "no stairs or elevators connect \(World.listed(names, of: "floor")) with the entrances: people enter there from "
          + "outside, at the place nearest to the edge")
    }
    return remarks
  }

  private var mapRemarks: [String] {
    var remarks: [String] = []
    if notes.connectionSource == .stackedSpaces {
      remarks.append(
        "the map does not specify how its floors are connected: stairs and elevators above one another are assumed to connect them"
      )
    }
    if notes.landingsDropped > 0 {
      remarks.append(
        "\(World.counted(notes.landingsDropped, "landing")) of stairs and elevators lie outside the walkable area and "
          + "are not used")
    }
    if notes.floorsWithImpliedWalls > 0 {
      remarks.append(
        "the map has no walls on \(World.counted(notes.floorsWithImpliedWalls, "floor")): the outlines of rooms count as "
          + "walls")
    }
    let assumed = connectivity.connectivity.assumedDoors.filter { !connectivity.plan.doors[$0.door].isSeam }
    let rooms = Set(assumed.map(\.space)).sorted().map(connectivity.name)
    if !rooms.isEmpty {
      remarks.append(
        "\(World.listed(rooms, of: "room")) without a door on the map: one is assumed on the longest border with a "
          + "passage")
    }
    return remarks
  }

  private var closureRemarks: [String] {
    var remarks: [String] = []
    let used = Set(entrances.map(\.number))
    let shut = entrancesWhenOpen.filter { !used.contains($0.number) }
    if !shut.isEmpty {
      remarks.append("closed: \(PlanEntrance.words(shut)) of \(World.counted(entrancesWhenOpen.count, "entrance"))")
    }
    if !cutOff.isEmpty {
      let names = cutOff.prefix(6).map { index in
        let space = plan.spaces[index]
        return "\(space.name.isEmpty ? space.id.rawValue : space.name) (\(space.kind.rawValue))"
      }
      remarks.append(
        "no way leads to \(World.counted(cutOff.count, "space")) because of closures: "
          + names.joined(separator: ", ")
          + (cutOff.count > names.count ? " and \(cutOff.count - names.count) more" : ""))
    }
    if !notes.doorsClosedToNoEffect.isEmpty {
      remarks.append(
        "closing has no effect on doors without a wall: " + notes.doorsClosedToNoEffect.joined(separator: ", "))
    }
    return remarks
  }

  /// Returns the number of things, and the first names: `2 rooms (Lab and Office)`.
  private static func listed(_ names: [String], of noun: String) -> String {
    let shown = names.prefix(6)
    let more = names.count - shown.count
    let list = (shown.map { $0 } + (more > 0 ? ["\(more) more"] : [])).joined(separator: ", ")
    return "\(counted(names.count, noun)) (\(list))"
  }

  private static func counted(_ count: Int, _ noun: String) -> String { count == 1 ? "1 \(noun)" : "\(count) \(noun)s" }
}
