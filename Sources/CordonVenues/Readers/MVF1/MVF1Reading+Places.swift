import CordonCore
import CordonGeometry

extension MVF1Reading {
  mutating func readLocations() throws(VenueError) {
    let node = nodesByID()
    let furniture = Dictionary(draft.furniture.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let categoryIDs = Set(draft.categories.map(\.id))
    for feature in try features("location.geojson") {
      let name = feature.text("name")
      var point = PointOfInterest(
        id: feature.id, name: LocalizedText(name), sourceKind: feature.text("type"),
        openingHours: feature.fields["hours"].flatMap { $0.isNull ? nil : $0.sourceText })
      for (number, place) in feature.list("spaces").enumerated() {
        let key = place["id"] != nil ? "id" : "node"
        guard let reference = (place["id"] ?? place["node"])?.identifier else { continue }
        if key == "id", let index = draft.spacePlace(reference) {
          point.spaces.append(draft.spaces[index].id)
          namesBySpace[reference, default: []].append(name)
        } else if let node = node(reference) {
          (point.position, point.floor) = (node.position, node.floor)
        } else if let thing = furniture[reference], case .area(let area) = thing.shape {
          (point.position, point.floor) = (ShapeMeasure.interiorPoint(of: area), thing.floor)
        } else {
          findings.add(
            .warning, "dangling-reference", feature, "/properties/spaces/\(number)/\(key)", .ignored,
            droppedIDs.contains(reference)
              ? "the location names space \(reference), which could not be read"
              : "the location names \(key == "id" ? "space" : "node") \(reference), which is absent")
        }
      }
      for (number, category) in feature.list("categories").enumerated() {
        guard let reference = category.identifier else { continue }
        if categoryIDs.contains(reference) {
          point.categories.append(reference)
        } else {
          findings.add(
            .warning, "dangling-reference", feature, "/properties/categories/\(number)", .ignored,
            "the location names category \(reference), which is absent")
        }
      }
      draft.pointsOfInterest.append(point)
    }
  }

  mutating func nameSpaces() {
    for index in draft.spaces.indices {
      let names = namesBySpace[draft.spaces[index].id.rawValue] ?? []
      if let name = names.first { draft.spaces[index].name = LocalizedText(name) }
      draft.spaces[index].kind = SpaceKindWords.refine(draft.spaces[index].kind, names: names)
    }
  }
}
