/// Reads both generations of Mappedin Venue Format 2.
///
/// The format of 2023 has `map.geojson` and `mapstack.geojson` (bare arrays). Since October 2024 it has `floor.geojson`
/// and `floorstack.json`. The nodes of all floors are in one file and may have neighbours on other floors.
enum MVF2Reader: BundleReader {
  typealias Reading = MVF2Reading

  static let format = VenueFormat.mvf2

  static func detect(_ bundle: VenueBundle) -> Claim? {
    let manifest = MVFManifest(bundle)
    if let manifest, manifest.major == 2 { return Claim(strength: .declared, format: .mvf2, version: manifest.version) }
    let hasFloors =
      bundle.contains("floor.geojson") && (bundle.contains("floorstack.json") || bundle.contains("floorstack.geojson"))
    let hasMaps = bundle.contains("map.geojson") && bundle.contains("mapstack.geojson")
    guard manifest?.version == nil, hasFloors || hasMaps, !bundle.files(in: "space").isEmpty else { return nil }
    return Claim(strength: .structure, format: .mvf2, version: nil)
  }
}
