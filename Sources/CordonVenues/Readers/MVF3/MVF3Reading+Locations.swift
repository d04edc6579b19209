import CordonCore

extension MVF3Reading {
  mutating func readCategories(_ findings: inout FindingLog) {
    guard let document = bundle.optional("location-categories.json", findings: &findings) else { return }
    for category in document.root.elements {
      guard let id = category["id"]?.identifier else { continue }
      draft.categories.append(
        PointOfInterestCategory(
          id: id, name: MVF3Details.text(category["details"]?["name"], nil), parent: category["parent"]?.identifier))
    }
    bundle.discard(document.file)
  }

  mutating func readLocations(_ findings: inout FindingLog) {
    guard
      let document = bundle.optional("locations.json", findings: &findings)
        ?? bundle.optional("location.json", findings: &findings)
    else { return }
    let categoryNames = Dictionary(
      draft.categories.map { ($0.id, $0.name.text() ?? "") }, uniquingKeysWith: { first, _ in first })
    let spaceIDs = Set(draft.spaces.map(\.id))
    for (ordinal, location) in Array(document.root.elements).enumerated() {
      let pointer = "/\(ordinal)"
      guard let id = location["id"]?.identifier else {
        findings.add(
          .warning, "id-missing", file: document.file, pointer: pointer, action: .ignored,
          "the location has no identifier")
        continue
      }
      let name = MVF3Details.text(location["details"]?["name"], nil)
      var point = PointOfInterest(id: id, name: name, sourceKind: location["type"]?.string ?? "")
      if let hours = location["openingHours"], hours.count > 0 { point.openingHours = hours.sourceText }
      var names = name.values.isEmpty ? [] : [name.text() ?? ""]
      for (number, reference) in Array(
        (location["categories"] ?? location["locationCategories"])?.elements.map { $0 } ?? []
      )
      .enumerated() {
        guard let category = reference.identifier else { continue }
        if let name = categoryNames[category] {
          point.categories.append(category)
          names.append(name)
        } else {
          findings.add(
            .warning, "dangling-reference", file: document.file, pointer: "\(pointer)/categories/\(number)", object: id,
            action: .ignored, "the location names category \(category), which is absent")
        }
      }
      for (number, anchor) in Array(location["geometryAnchors"]?.elements.map { $0 } ?? []).enumerated() {
        guard let reference = anchor["geometryId"]?.identifier else { continue }
        guard let geometry = geometries[reference] else {
          findings.add(
            .warning, "dangling-reference", file: document.file,
            pointer: "\(pointer)/geometryAnchors/\(number)/geometryId", object: id, action: .ignored,
            "the location names geometry \(reference), which is absent")
          continue
        }
        namesByGeometry[reference, default: []] += names
        if spaceIDs.contains(SpaceID(reference)) {
          point.spaces.append(SpaceID(reference))
        } else if point.position == nil {
          (point.position, point.floor) = (geometry.shape.anchor, geometry.floor)
        }
      }
      point.spaces.sort()
      draft.pointsOfInterest.append(point)
    }
    bundle.discard(document.file)
  }
}
