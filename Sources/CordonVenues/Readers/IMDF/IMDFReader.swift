/// Reads the Indoor Mapping Data Format 1.0.0 (OGC 20-094) and its betas, which have one file per type of feature.
///
/// Files are recognised by the `feature_type` of their features, so renamed files are read as well.
enum IMDFReader: BundleReader {
  typealias Reading = IMDFReading

  static let format = VenueFormat.imdf

  static func detect(_ bundle: VenueBundle) -> Claim? {
    let manifest = (try? bundle.document("manifest.json"))?.root
    let version = manifest?["version"]?.string
    let isDeclared = version != nil && manifest?["language"] != nil && manifest?["created"] != nil
    var hasFeatures = false
    // Bundles of other formats are large, and their manifest identifies them.
    if !isDeclared, bundle.contains("manifest.geojson") { return nil }
    for name in bundle.names where name != "manifest.json" {
      guard let root = (try? bundle.document(name))?.root else { continue }
      if FeatureCollection.features(root).first(where: { _ in true })?["feature_type"]?.string != nil {
        hasFeatures = true
        break
      }
    }
    guard hasFeatures || (isDeclared && ["venue", "level", "unit"].contains { bundle.contains($0 + ".geojson") }) else {
      return nil
    }
    return Claim(strength: isDeclared ? .declared : .structure, format: .imdf, version: version)
  }
}
