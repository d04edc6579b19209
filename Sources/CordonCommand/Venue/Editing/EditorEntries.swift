import CordonCore
import CordonOverlays
import CordonSupport
import CordonVenues

/// The entries of an overlay as the page edits them, in the order of their lines.
struct EditorEntries {
  private let changes: VenueOverlay
  private let map: Venue
  private let targets: OverlayTargets

  /// - Parameters:
  ///   - changes: the overlay, which was applied to the map without an error.
  ///   - map: the map with moved floors.
  init(_ changes: VenueOverlay, in map: Venue) {
    self.changes = changes
    self.map = map
    targets = OverlayTargets(venue: map)
  }

  /// The entries. `targets` are indices of spaces, `line` is a line of the entry in the file.
  var json: [JSONValue] {
    var entries: [(line: Int, value: JSONValue)] = changes.spaces.map { ($0.space.line, space($0)) }
    entries += changes.doors.map { ($0.between.line, door($0)) }
    entries += changes.entrances.map { ($0.space.line, entrance($0)) }
    let entrances = Set(map.openings.filter(\.isEntrance).map(\.id))
    entries += changes.removedOpenings.map { removed in
      // A removed part stands in either list.
      let inEntrances =
        removed.path.hasPrefix("entrances") || (removed.path.isEmpty && entrances.contains(removed.value))
      return (removed.line, removal(removed, section: inEntrances ? "entrances" : "doors"))
    }
    entries += changes.renamedOpenings.map { ($0.opening.line, renaming($0)) }
    entries += changes.links.map { ($0.joins.line, link($0)) }
    entries += changes.removedLinks.map { ($0.line, removal($0, section: "connections")) }
    entries += changes.moves.map { ($0.floor.line, move($0)) }
    return entries.sorted { $0.line < $1.line }.map(\.value)
  }

  private func space(_ change: VenueOverlay.SpaceChange) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("section", "spaces"), .init("line", .count(change.space.line)), .init("space", .string(change.space.value)),
      .init("targets", indices(change.space)),
    ]
    if let kind = change.kind { members.append(.init("kind", .string(kind.rawValue))) }
    if let name = change.name { members.append(.init("name", .string(name))) }
    if let group = change.group { members.append(.init("group", .string(group))) }
    if let capacity = change.capacity { members.append(.init("capacity", .count(capacity))) }
    if let ceiling = change.ceilingHeight { members.append(.init("ceiling", .number(ceiling))) }
    if let changes = change.airChanges { members.append(.init("air_changes", .number(changes))) }
    if let recording = change.recording { members.append(.init("record", .string(recording.overlayValue))) }
    if change.isClosed { members.append(.init("closed", true)) }
    return .object(members)
  }

  private func door(_ door: VenueOverlay.Door) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("section", "doors"), .init("line", .count(door.between.line)),
      .init("between", .array(door.between.value.map { .string($0.value) })),
      .init("targets", .array(door.between.value.map(indices))),
    ]
    if let position = door.position { members.append(.init("at", position.value.json)) }
    return .object(members + passage(width: door.width, name: door.name))
  }

  private func entrance(_ entrance: VenueOverlay.Entrance) -> JSONValue {
    let members: [JSONValue.Member] = [
      .init("section", "entrances"), .init("line", .count(entrance.space.line)),
      .init("space", .string(entrance.space.value)), .init("targets", indices(entrance.space)),
      .init("at", entrance.position.value.json),
    ]
    return .object(members + passage(width: entrance.width, name: entrance.name))
  }

  private func passage(width: Double, name: VenueOverlay.Placed<String>?) -> [JSONValue.Member] {
    (width == VenueOverlay.doorWidth ? [] : [.init("width", .number(width))])
      + (name.map { [.init("name", .string($0.value))] } ?? [])
  }

  private func link(_ link: VenueOverlay.Link) -> JSONValue {
    let kind = link.kind == .elevator ? "lift" : link.kind.rawValue
    let members: [JSONValue.Member] = [
      .init("section", "connections"), .init("line", .count(link.joins.line)), .init("kind", .string(kind)),
      .init("joins", .array(link.joins.value.map { .string($0.value) })),
      .init("targets", .array(link.joins.value.map(indices))),
    ]
    return .object(members + (link.name.map { [.init("name", .string($0.value))] } ?? []))
  }

  private func removal(_ removed: VenueOverlay.Placed<String>, section: String) -> JSONValue {
    ["section": .string(section), "line": .count(removed.line), "remove": .string(removed.value)]
  }

  private func renaming(_ change: VenueOverlay.OpeningName) -> JSONValue {
    [
      "section": .string(change.opening.path.hasPrefix("entrances") ? "entrances" : "doors"),
      "line": .count(change.opening.line), "rename": .string(change.opening.value), "name": .string(change.name),
    ]
  }

  private func move(_ move: VenueOverlay.FloorMove) -> JSONValue {
    [
      "section": "floors", "line": .count(move.floor.line), "floor": .string(move.floor.value),
      "move": [.number(move.east), .number(move.north)],
    ]
  }

  private func indices(_ target: VenueOverlay.Placed<String>) -> JSONValue {
    // The overlay was applied, so that every target exists.
    .array(((try? targets.spaces(target)) ?? []).map { .count($0) })
  }
}
