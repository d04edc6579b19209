import CordonCore
import CordonGeometry
import CordonSupport
import CordonVenues
import CordonYAML

extension VenueOverlay {
  /// The width of a wall through which a door can lead, in metres. A plan cuts walls within 0.6 m of a threshold, which lies in
  /// the middle.
  package static let maximumWall = 1.1
  /// The distance within which the position of a door or entrance belongs to the border of its space, in metres.
  package static let maximumDisplacement = 3.0
  /// The identifiers of doors, entrances and connections without a name begin with it.
  static let prefix = "overlay:"

  /// Returns the venue with all changes.
  ///
  /// Floors are moved first, so that all positions are those of the result. Changes address spaces by the identifiers and names
  /// of the map, not by new names.
  /// - Throws: `YAMLFault` for a part that the venue does not have, and for a door that cannot connect its spaces.
  func applied(to venue: Venue) throws -> Venue {
    var moved = venue
    let floors = OverlayTargets(venue: venue)
    for move in moves { moved.move(floor: try floors.floor(move.floor), east: move.east, north: move.north) }
    // Outlines after the moves, and names before the changes.
    let targets = OverlayTargets(venue: moved)
    var changed = moved
    for change in spaces {
      for index in try targets.spaces(change.space) { change.apply(to: &changed, at: index) }
    }
    try remove(in: &changed)
    try rename(in: &changed)
    for (number, door) in doors.enumerated() { try add(door, number, targets, to: &changed) }
    for (number, entrance) in entrances.enumerated() { try add(entrance, number, targets, to: &changed) }
    for (number, link) in links.enumerated() { try add(link, number, targets, to: &changed) }
    changed.sortPassages()
    return changed
  }

  private func remove(in venue: inout Venue) throws {
    for target in removedOpenings {
      let removed = Set(venue.openings(called: target.value).map(\.id))
      venue.openings.removeAll { removed.contains($0.id) }
      if removed.isEmpty { throw unknown(target, in: venue) }
    }
    for target in removedLinks {
      let before = venue.connections.count
      venue.connections.removeAll { $0.id == target.value || $0.name.values.values.contains(target.value) }
      if venue.connections.count == before {
        throw YAMLFault(
          line: target.line, path: target.path,
          message: "no connection '\(Quotation.of(target.value))'"
            + Suggestion.hint(
              for: target.value, among: venue.connections.flatMap { [$0.id] + $0.name.values.values.sorted() }))
      }
    }
  }

  private func unknown(_ opening: Placed<String>, in venue: Venue) -> YAMLFault {
    YAMLFault(
      line: opening.line, path: opening.path,
      message: opening.value.hasPrefix("assumed:")
        ? "the door '\(Quotation.of(opening.value))' is assumed, not in the map; add the right door instead"
        : "no door or entrance '\(Quotation.of(opening.value))'"
          + Suggestion.hint(
            for: opening.value, among: venue.openings.flatMap { [$0.id] + $0.name.values.values.sorted() }))
  }

  private func rename(in venue: inout Venue) throws {
    for change in renamedOpenings {
      let ids = venue.openings(called: change.opening.value).map(\.id)
      guard let id = ids.first else { throw unknown(change.opening, in: venue) }
      guard ids.count == 1 else {
        throw YAMLFault(
          line: change.opening.line, path: change.opening.path,
          message: "\(ids.count) doors are called '\(Quotation.of(change.opening.value))'; use an id: "
            + ids.prefix(8).joined(separator: ", "))
      }
      for index in venue.openings.indices where venue.openings[index].id == id {
        venue.openings[index].name = LocalizedText(change.name)
      }
    }
  }

  private func add(_ door: Door, _ number: Int, _ targets: OverlayTargets, to venue: inout Venue) throws {
    let first = try targets.candidates(door.between.value[0])
    let second = try targets.candidates(door.between.value[1])
    guard let frame = LocalFrame(around: first.flatMap(\.outline.vertices)) else {
      throw targets.fault(door.between.value[0], "'\(Quotation.of(door.between.value[0].value))' has no outline")
    }
    let outlines = SpaceOutlines(frame: frame)
    // Of several spaces of one name, the nearest pair on one floor is meant.
    var best: (line: PlaneSegment, spaces: [Space], distance: Double)?
    var least = Double.infinity
    var apart = Double.infinity
    for a in first {
      for b in second where b.floor == a.floor && b.id != a.id {
        let (edges, others) = (outlines.edges(of: a), outlines.edges(of: b))
        if let position = door.position {
          let point = frame.project(position.value)
          let distance = max(outlines.distance(from: point, to: edges), outlines.distance(from: point, to: others))
          least = min(least, distance)
          let gap = outlines.sharedBorder(of: edges, with: others, reach: VenueOverlay.maximumWall)
          if gap.part == nil {
            apart = min(apart, gap.distance)
          } else if distance <= VenueOverlay.maximumDisplacement, distance < best?.distance ?? .infinity,
            let line = outlines.threshold(on: edges, near: point, width: door.width)
          {
            best = (outlines.centred(line, between: edges, others), [a, b], distance)
          }
        } else {
          let border = outlines.sharedBorder(of: edges, with: others, reach: VenueOverlay.maximumWall)
          apart = min(apart, border.distance)
          if let part = border.part, border.distance < best?.distance ?? .infinity {
            let line = outlines.threshold(along: part, at: part.middle, width: min(door.width, part.length))
            best = (outlines.centred(line, between: edges, others), [a, b], border.distance)
          }
        }
      }
    }
    guard let best else {
      if let position = door.position, least > VenueOverlay.maximumDisplacement, least.isFinite {
        throw YAMLFault(
          line: position.line, path: position.path,
          message: "is \(Metres(least)) from one of the spaces; at most \(Metres(VenueOverlay.maximumDisplacement))")
      }
      throw YAMLFault(
        line: door.between.line, path: door.between.path,
        message: apart.isFinite
          ? "\(door.pair) are \(Metres(apart)) apart; a door connects spaces at most "
            + "\(Metres(VenueOverlay.maximumWall)) apart"
          : "\(door.pair) are not two spaces of one floor")
    }
    let id = try identifier(door.name, "door", number, taken: venue.openings.map(\.id))
    venue.openings.append(
      Opening(
        id: id, floor: best.spaces[0].floor, line: outlines.coordinates(best.line), spaces: best.spaces.map(\.id),
        sourceKind: "overlay", name: LocalizedText(door.name?.value ?? "")))
  }

  private func add(_ entrance: Entrance, _ number: Int, _ targets: OverlayTargets, to venue: inout Venue) throws {
    let outlines = SpaceOutlines(frame: LocalFrame(origin: entrance.position.value))
    let point = PlanePoint(x: 0, y: 0)
    let near = try targets.candidates(entrance.space).map { space in
      let edges = outlines.edges(of: space)
      return (space: space, edges: edges, distance: outlines.distance(from: point, to: edges))
    }.min { $0.distance < $1.distance }
    guard let near, near.distance <= VenueOverlay.maximumDisplacement,
      let line = outlines.threshold(on: near.edges, near: point, width: entrance.width)
    else {
      throw YAMLFault(
        line: entrance.position.line, path: entrance.position.path,
        message: "is \(Metres(near?.distance ?? .infinity)) from the border of the space; at most "
          + "\(Metres(VenueOverlay.maximumDisplacement))")
    }
    let id = try identifier(entrance.name, "entrance", number, taken: venue.openings.map(\.id))
    venue.openings.append(
      Opening(
        id: id, floor: near.space.floor, line: outlines.coordinates(line), spaces: [near.space.id], isEntrance: true,
        sourceKind: "overlay", name: LocalizedText(entrance.name?.value ?? "")))
  }

  private func add(_ link: Link, _ number: Int, _ targets: OverlayTargets, to venue: inout Venue) throws {
    var landings: [Connection.Landing] = []
    for target in link.joins.value {
      // Stairs often have the same name on all floors; each of them is a landing.
      for space in try targets.candidates(target) where !landings.contains(where: { $0.space == space.id }) {
        guard let position = ShapeMeasure.interiorPoint(of: space.outline) else { continue }
        landings.append(Connection.Landing(floor: space.floor, position: position, space: space.id))
      }
    }
    guard Set(landings.map(\.floor)).count >= 2 else {
      throw YAMLFault(
        line: link.joins.line, path: link.joins.path, message: "joins spaces of one floor; use 'doors' there")
    }
    let id = try identifier(link.name, link.kind.rawValue, number, taken: venue.connections.map(\.id))
    venue.connections.append(
      Connection(
        id: id, kind: link.kind, name: LocalizedText(link.name?.value ?? ""), landings: landings,
        isAccessible: link.kind == .elevator || link.kind == .ramp, sourceKind: "overlay"))
  }

  private func identifier(
    _ name: Placed<String>?, _ what: String, _ number: Int, taken: [String]
  ) throws -> String {
    guard let name else { return "\(VenueOverlay.prefix)\(what):\(number + 1)" }
    if taken.contains(name.value) {
      throw YAMLFault(
        line: name.line, path: name.path, message: "'\(Quotation.of(name.value))' is the id of another part")
    }
    return name.value
  }
}

extension VenueOverlay.Door {
  /// The names of both spaces in a message.
  fileprivate var pair: String { between.value.map { "'\(Quotation.of($0.value))'" }.joined(separator: " and ") }
}

extension VenueOverlay.SpaceChange {
  fileprivate func apply(to venue: inout Venue, at index: Int) {
    if let kind {
      venue.spaces[index].mappedKind = venue.spaces[index].mappedKind ?? venue.spaces[index].kind
      venue.spaces[index].kind = kind
    }
    if let name { venue.spaces[index].name = LocalizedText(name) }
    if let group { venue.spaces[index].group = group }
    if let capacity { venue.spaces[index].capacity = capacity }
    if let ceilingHeight { venue.spaces[index].ceilingHeight = ceilingHeight }
    if let airChanges { venue.spaces[index].airChanges = airChanges }
    if let recording { venue.spaces[index].recording = recording }
    if isClosed { venue.closures.spaces.insert(venue.spaces[index].id) }
  }
}

/// A distance in a message.
private struct Metres: CustomStringConvertible {
  let value: Double

  init(_ value: Double) { self.value = value }

  var description: String { "\((value * 10).rounded() / 10) m" }
}
