import CordonCore
import CordonGeometry

/// WRLD's indoor format: `main.json` lists levels, each in a GeoJSON file of its own; `-paths` files hold ways.
///
/// Quirks it knows: a legacy `crs` member, clockwise rings, `levels` of a connection beside its properties, doors drawn as
/// polygons, numbers as identifiers that are only unique in their file.
enum WRLDReader: BundleReader {
  typealias Reading = WRLDReading

  static let format = VenueFormat.wrld

  static func detect(_ bundle: VenueBundle) -> Claim? {
    guard let (_, root) = main(bundle) else { return nil }
    return Claim(strength: .structure, format: .wrld, version: root["version"]?.identifier)
  }

  /// The file that lists levels with a file name each, and what it holds.
  static func main(_ bundle: VenueBundle) -> (name: String, root: JSONView)? {
    for name in bundle.names where name.lowercased().hasSuffix(".json") {
      guard let root = (try? bundle.document(name))?.root, root.isObject, let levels = root["levels"], levels.count > 0,
        levels.elements.allSatisfy({ $0["filename"]?.string != nil || ($0["z_order"] != nil && $0["entities"] != nil) })
      else { continue }
      return (name, root)
    }
    return nil
  }
}
