import CordonCore
import CordonGeometry

/// Reads Mappedin Venue Format 1, which has one file per level in `level/`, `space/`, `obstruction/` and `node/`.
///
/// Known quirks:
/// - `elevation` is an ordinal.
/// - An entrance names a node without its prefix `n_`.
/// - The layer "Chairs" is furniture that is drawn as spaces.
/// - Locations and categories are features without geometry.
enum MVF1Reader: BundleReader {
  typealias Reading = MVF1Reading

  static let format = VenueFormat.mvf1

  static func detect(_ bundle: VenueBundle) -> Claim? {
    let manifest = MVFManifest(bundle)
    let hasStructure = !bundle.files(in: "level").isEmpty || !bundle.files(in: "space").isEmpty
    if manifest?.major == 1 { return Claim(strength: .declared, format: .mvf1, version: manifest?.version) }
    guard manifest?.version == nil, manifest?.properties["folder_struct"] != nil || bundle.contains("building.geojson"),
      hasStructure, !bundle.contains("floor.geojson"), !bundle.contains("map.geojson"),
      !bundle.contains("floors.geojson")
    else { return nil }
    return Claim(strength: .structure, format: .mvf1, version: nil)
  }
}
