import CordonCore

extension MVF3Reading {
  mutating func readCategories() {
    guard let document = bundle.optional("location-categories.json", findings: &findings) else { return }
    let known = Set(document.root.elements.compactMap { $0["id"]?.identifier })
    for (ordinal, category) in document.root.elements.enumerated() {
      guard let id = category["id"]?.identifier else { continue }
      var parent = category["parent"]?.identifier
      if let absent = parent, !known.contains(absent) {
        findings.add(
          .warning, "dangling-reference", file: document.file, pointer: "/\(ordinal)/parent", object: id,
          action: .ignored, "the category names \(absent) as its parent, which is absent")
        parent = nil
      }
      draft.categories.append(
        PointOfInterestCategory(id: id, name: MVF3Details.text(category["details"]?["name"], nil), parent: parent))
    }
    bundle.discard(document.file)
  }

  /// The lookup tables for locations, and the locations that instances may refer to as their parents.
  private struct Directory {
    var categoryNames: [String: String]
    var spaceIDs: Set<SpaceID>
    var points: [String: PointOfInterest] = [:]
  }

  mutating func readLocations() {
    var directory = Directory(
      categoryNames: Dictionary(
        draft.categories.map { ($0.id, $0.name.text() ?? "") }, uniquingKeysWith: { first, _ in first }),
      spaceIDs: Set(draft.spaces.map(\.id)))
    if let document = bundle.optional("locations.json", findings: &findings)
      ?? bundle.optional("location.json", findings: &findings)
    {
      for (ordinal, location) in Array(document.root.elements).enumerated() {
        guard let id = identifier(of: location, document.file, ordinal) else { continue }
        let point = PointOfInterest(id: id, sourceKind: location["type"]?.string ?? "")
        directory.points[id] = add(location, to: point, directory, document.file, "/\(ordinal)")
      }
      bundle.discard(document.file)
    }
    guard let document = bundle.optional("location-instances.json", findings: &findings) else { return }
    for (ordinal, instance) in Array(document.root.elements).enumerated() {
      guard let id = identifier(of: instance, document.file, ordinal) else { continue }
      let parentID = instance["parentId"]?.identifier
      guard let parent = parentID.flatMap({ directory.points[$0] }) else {
        findings.add(
          .warning, "dangling-reference", file: document.file, pointer: "/\(ordinal)/parentId", object: id,
          action: .ignored, "the instance names location \(parentID ?? "(none)"), which is absent")
        continue
      }
      // An instance is in another place than its parent, and inherits all properties that it does not set.
      var point = PointOfInterest(
        id: id, name: parent.name, sourceKind: instance["type"]?.string ?? parent.sourceKind,
        openingHours: parent.openingHours)
      if instance["categories"] == nil, instance["locationCategories"] == nil { point.categories = parent.categories }
      _ = add(instance, to: point, directory, document.file, "/\(ordinal)")
    }
    bundle.discard(document.file)
  }

  private mutating func identifier(
    of location: JSONView, _ file: String, _ ordinal: Int
  ) -> String? {
    if let id = location["id"]?.identifier { return id }
    findings.add(
      .warning, "id-missing", file: file, pointer: "/\(ordinal)", action: .ignored, "the location has no identifier")
    return nil
  }

  private mutating func add(
    _ location: JSONView, to given: PointOfInterest, _ directory: Directory, _ file: String, _ pointer: String
  ) -> PointOfInterest {
    var point = given
    let name = MVF3Details.text(location["details"]?["name"], nil)
    if !name.isEmpty { point.name = name }
    if let hours = location["openingHours"], hours.count > 0 { point.openingHours = hours.sourceText }
    if let hours = location["cordon"]?["opening_hours"]?.string { point.openingHours = hours }
    if let place = location["cordon"]?["position"]?.elements.compactMap(\.double), place.count == 2 {
      let position = Coordinate(longitude: place[0], latitude: place[1])
      if position.isValid { point.position = position }
    }
    let categories = location["categories"] ?? location["locationCategories"]
    for (number, reference) in Array(categories?.elements.map { $0 } ?? []).enumerated() {
      guard let category = reference.identifier else { continue }
      if directory.categoryNames[category] != nil {
        point.categories.append(category)
      } else {
        findings.add(
          .warning, "dangling-reference", file: file, pointer: "\(pointer)/categories/\(number)", object: point.id,
          action: .ignored, "the location names category \(category), which is absent")
      }
    }
    let names = (point.name.text().map { [$0] } ?? []) + point.categories.compactMap { directory.categoryNames[$0] }
    for (number, anchor) in Array(location["geometryAnchors"]?.elements.map { $0 } ?? []).enumerated() {
      guard let reference = anchor["geometryId"]?.identifier else { continue }
      guard let geometry = geometries[reference] else {
        findings.add(
          .warning, "dangling-reference", file: file, pointer: "\(pointer)/geometryAnchors/\(number)/geometryId",
          object: point.id, action: .ignored, "the location names geometry \(reference), which is absent")
        continue
      }
      namesByGeometry[reference, default: []] += names
      if directory.spaceIDs.contains(SpaceID(reference)) {
        point.spaces.append(SpaceID(reference))
      } else if point.position == nil {
        (point.position, point.floor) = (geometry.shape.anchor, geometry.floor)
      }
    }
    point.spaces.sort()
    draft.pointsOfInterest.append(point)
    return point
  }

  /// Reads the symbols at geometries of one floor.
  mutating func readAnnotations(of floor: Floor) {
    guard let document = bundle.optional("annotations/\(floor.id.rawValue).json", findings: &findings) else { return }
    for (ordinal, annotation) in Array(document.root.elements).enumerated() {
      guard let id = identifier(of: annotation, document.file, ordinal) else { continue }
      guard let reference = annotation["geometryId"]?.identifier, let geometry = geometries[reference] else {
        findings.add(
          .warning, "dangling-reference", file: document.file, pointer: "/\(ordinal)/geometryId", object: id,
          action: .ignored, "the annotation names a geometry that is absent")
        continue
      }
      draft.annotate(id, geometry.floor, symbol: annotation["symbolKey"]?.string ?? "", geometry.shape)
    }
    bundle.discard(document.file)
  }
}
