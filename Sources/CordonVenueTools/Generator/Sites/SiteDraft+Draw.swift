import CordonCore

extension SiteDraft {
  /// Draws a site of a kind.
  static func draw(
    kind: VenueGenerator.Kind, floors: Int, area: Double, random: inout RandomStream
  ) -> SiteDraft {
    if kind == .campus { return CampusDrafter(floors: floors, area: area, random: &random).site }
    let underground = kind == .station && floors > 1 ? 1 : 0
    var drafter = BuildingDrafter(
      kind: kind, key: "", name: title(of: kind), ordinals: Array(-underground..<floors - underground), area: area,
      random: &random)
    return SiteDraft(name: title(of: kind), buildings: [drafter.drawn()])
  }

  private static func title(of kind: VenueGenerator.Kind) -> String {
    switch kind {
    case .office: "Sample Office"
    case .mall: "Sample Mall"
    case .museum: "Sample Museum"
    case .hospital: "Sample Hospital"
    case .station: "Sample Station"
    case .campus: "Sample Campus"
    }
  }
}
