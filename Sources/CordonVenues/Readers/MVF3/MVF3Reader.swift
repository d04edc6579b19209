/// Mappedin Venue Format 3: flat files for the whole, and a file per floor in `geometry/`, `kinds/`, `nodes/` ...
///
/// Quirks it knows: the index names files that do not exist; nodes come as `.geojson` or `.json`; door lines have no kind;
/// a door may have no exits; outdoor floors are in no stack; navigation flags differ per bundle; costs are not metres.
enum MVF3Reader: BundleReader {
  typealias Reading = MVF3Reading

  static let format = VenueFormat.mvf3

  static func detect(_ bundle: VenueBundle) -> Claim? {
    let manifest = MVFManifest(bundle)
    if let manifest, manifest.major == 3 { return Claim(strength: .declared, format: .mvf3, version: manifest.version) }
    guard manifest?.version == nil, bundle.contains("floors.geojson"), !bundle.files(in: "geometry").isEmpty else {
      return nil
    }
    return Claim(strength: .structure, format: .mvf3, version: nil)
  }
}
