/// Reads GeoJSON (RFC 7946): with OSM Simple Indoor Tagging, with a mapping of properties, or as bare polygons.
enum GeoJSONReader: VenueReader {
  static let format = VenueFormat.geojson

  static func detect(_ bundle: VenueBundle) -> Claim? {
    var isIndoor = false
    var isGeoJSON = false
    for name in bundle.names {
      guard let document = try? bundle.document(name) else { continue }
      let root = document.root
      guard GeoJSONFile.isGeoJSON(root) else { continue }
      isGeoJSON = true
      for feature in FeatureCollection.features(root) {
        if let properties = feature["properties"], OSMTags(properties).isIndoor {
          isIndoor = true
          break
        }
      }
      if isIndoor { break }
    }
    return isGeoJSON ? Claim(strength: .possible, format: isIndoor ? .osmIndoor : .geojson, version: nil) : nil
  }

  static func read(
    _ bundle: VenueBundle, options: VenueReadOptions, into findings: inout FindingLog
  ) throws(VenueError) -> Venue {
    var reading = GeoJSONReading(bundle: bundle, options: options, findings: findings)
    try reading.run()
    findings = reading.findings
    return try reading.draft.finished(
      as: reading.isIndoor ? .osmIndoor : .geojson, bundle: bundle, findings: &findings)
  }
}

/// The check for GeoJSON files.
enum GeoJSONFile {
  static let geometryTypes: Set<String> = [
    "Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon", "GeometryCollection",
  ]

  static func isGeoJSON(_ root: JSONView) -> Bool {
    switch root["type"]?.string {
    case "FeatureCollection": root["features"]?.isArray ?? false
    case "Feature": root["geometry"] != nil
    case let type?: geometryTypes.contains(type)
    case nil: false
    }
  }
}
