import CordonCore
import CordonGeometry

/// Reads WRLD's indoor format: `main.json` lists levels, each in a GeoJSON file of its own; `-paths` files contain
/// paths.
///
/// Known quirks:
/// - There is a legacy `crs` member, and rings are clockwise.
/// - The `levels` of a connection are beside its properties.
/// - Doors are drawn as polygons.
/// - Identifiers are numbers that are unique only in their file.
enum WRLDReader: BundleReader {
  typealias Reading = WRLDReading

  static let format = VenueFormat.wrld

  static func detect(_ bundle: VenueBundle) -> Claim? {
    guard let (_, root) = main(bundle) else { return nil }
    return Claim(strength: .structure, format: .wrld, version: root["version"]?.identifier)
  }

  /// Returns the file that lists levels with their file names, and its root; `nil` if there is none.
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
