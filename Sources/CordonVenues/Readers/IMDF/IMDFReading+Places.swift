import CordonCore
import CordonGeometry

extension IMDFReading {
  mutating func readAmenity(_ feature: Feature) {
    let category = feature.text("category") ?? ""
    var units: [String] = []
    for (number, id) in feature.references("unit_ids").enumerated() {
      if floorByUnit[id] != nil {
        units.append(id)
      } else {
        dangling(feature, "unit_ids/\(number)", "unit", id)
      }
    }
    if let kind = IMDFCategories.connection(category) {
      let key = feature.text("correlation_id") ?? units.sorted().first ?? feature.id
      verticalAmenities[key, default: []].append((feature, kind))
    }
    draft.pointsOfInterest.append(
      PointOfInterest(
        id: feature.id, name: feature.label("name"), sourceKind: "amenity",
        categories: category.isEmpty ? [] : [category],
        spaces: units.filter { !solidUnits.contains($0) }.map { SpaceID($0) }.sorted(), position: feature.shape.anchor,
        floor: units.first.flatMap { floorByUnit[$0] },
        openingHours: feature.text("hours") ?? feature.text("cordon_hours")))
    addCategory(category)
  }

  mutating func readOccupant(_ feature: Feature) {
    let category = feature.text("category") ?? ""
    var point = PointOfInterest(
      id: feature.id, name: feature.label("name"), sourceKind: "occupant",
      categories: category.isEmpty ? [] : [category],
      openingHours: feature.text("hours") ?? feature.text("cordon_hours"))
    if let id = feature.properties?["anchor_id"]?.identifier {
      if let anchor = anchors[id] {
        point.position = anchor.position
        if let unit = anchor.unit, let floor = floorByUnit[unit] {
          point.floor = floor
          if !solidUnits.contains(unit) { point.spaces = [SpaceID(unit)] }
        } else if let unit = anchor.unit {
          dangling(feature, "anchor_id", "unit of the anchor", unit)
        }
      } else {
        dangling(feature, "anchor_id", "anchor", id)
      }
    }
    draft.pointsOfInterest.append(point)
    addCategory(category)
    // The unit of a shop usually has no name of its own.
    if let space = point.spaces.first, let index = draft.spacePlace(space.rawValue) {
      if draft.spaces[index].name.isEmpty { draft.spaces[index].name = point.name }
      draft.spaces[index].kind = SpaceKindWords.refine(draft.spaces[index].kind, names: [category])
    }
  }

  // Categories are words of the standard, not objects with a name.
  private mutating func addCategory(_ category: String) {
    guard !category.isEmpty, categoryIDs.insert(category).inserted else { return }
    draft.categories.append(PointOfInterestCategory(id: category, name: LocalizedText(category)))
  }

  mutating func readRelationship(_ feature: Feature) {
    let category = feature.text("category") ?? ""
    let isTwoWay = feature.text("direction") != "directed"
    let ends = [feature.properties?["origin"], feature.properties?["destination"]].map { $0?["id"]?.identifier }
    let between = feature.properties?["intermediary"]?.elements.compactMap { $0["id"]?.identifier } ?? []
    if let kind = IMDFCategories.connection(category) {
      var landings: [Connection.Landing] = []
      let stops = [ends[0]] + between.map { $0 } + [ends[1]]
      for (index, stop) in stops.enumerated() {
        guard let stop, let landing = landing(at: stop) else { continue }
        var place = landing
        place.isEntry = isTwoWay || index < stops.count - 1
        place.isExit = isTwoWay || index > 0
        if !landings.contains(where: { $0.space == place.space && $0.floor == place.floor }) { landings.append(place) }
      }
      guard landings.count > 1 else {
        findings.add(
          .warning, "connection-without-place", file: feature.file, pointer: feature.pointer, object: feature.id,
          action: .ignored, "the relationship does not name two units or openings that are there")
        return
      }
      draft.connections.append(
        Connection(
          id: feature.id, kind: kind, name: feature.label("name"), landings: landings,
          isAccessible: kind == .elevator, isTwoWay: isTwoWay,
          sourceKind: category))
    } else if category.hasPrefix("traversal") {
      let spaces = ends.compactMap { $0 }.filter { floorByUnit[$0] != nil && !solidUnits.contains($0) }
      for id in between {
        guard let index = draft.openingPlace(id) else { continue }
        draft.openings[index].spaces = spaces.map { SpaceID($0) }.sorted()
        draft.openings[index].isTwoWay = isTwoWay
      }
    }
  }

  // People leave a unit at its middle, and an opening at its threshold.
  private mutating func landing(at id: String) -> Connection.Landing? {
    if let space = draft.spacePlace(id).map({ draft.spaces[$0] }),
      let position = ShapeMeasure.interiorPoint(of: space.outline)
    {
      return Connection.Landing(floor: space.floor, position: position, space: space.id)
    }
    if let opening = draft.openingPlace(id).map({ draft.openings[$0] }),
      let position = ShapeMeasure.middle(of: opening.line)
    {
      return Connection.Landing(floor: opening.floor, position: position, space: opening.spaces.first)
    }
    return nil
  }

  // Amenities with one correlation stand for one elevator or stairway; each one marks a floor where it stops.
  mutating func connectAmenities() {
    let taken = Set(draft.connections.flatMap { $0.landings.compactMap(\.space) })
    for (_, group) in verticalAmenities.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      var landings: [Connection.Landing] = []
      for (feature, _) in group {
        for unit in feature.references("unit_ids").sorted() {
          guard let floor = floorByUnit[unit], !solidUnits.contains(unit), !taken.contains(SpaceID(unit)),
            !landings.contains(where: { $0.floor == floor && $0.space == SpaceID(unit) })
          else { continue }
          let inside = draft.spacePlace(unit).flatMap { ShapeMeasure.interiorPoint(of: draft.spaces[$0].outline) }
          guard let position = inside ?? feature.shape.anchor else { continue }
          landings.append(Connection.Landing(floor: floor, position: position, space: SpaceID(unit)))
        }
      }
      guard Set(landings.map(\.floor)).count > 1, let first = group.first else { continue }
      draft.connections.append(
        Connection(
          id: first.feature.id, kind: first.kind, name: first.feature.label("name"), landings: landings,
          isAccessible: first.kind == .elevator, sourceKind: first.feature.text("category") ?? ""))
    }
  }
}
