/// Reads Mappedin Venue Format 3, which has flat files for the venue and one file per floor in folders such as
/// `geometry/`, `kinds/` and `nodes/`.
///
/// Known quirks:
/// - The index names files that do not exist.
/// - Nodes are in `.geojson` or `.json` files.
/// - Door lines have no kind, and a door may have no exits.
/// - Outdoor floors are in no stack.
/// - Navigation flags differ between bundles, and costs are not in metres.
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
