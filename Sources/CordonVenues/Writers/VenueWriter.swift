/// One file of a bundle.
public struct VenueFile: Hashable, Sendable {
  /// The path inside the bundle, with `/`.
  public var name: String
  /// The contents.
  public var bytes: [UInt8]

  /// Takes the parts as they are.
  public init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }
}

/// Writes venues. What each format keeps and drops is documented in docs/reference/venues.md.
///
/// The bytes depend on the venue alone: the same venue gives the same file on any machine.
public enum VenueWriter {
  /// The formats that can be written.
  public enum Format: String, Hashable, Sendable, CaseIterable {
    /// Mappedin Venue Format 3: a folder or zip file of JSON files.
    case mvf3 = "mvf-3"
    /// Indoor Mapping Data Format 1.0.0: a folder or zip file of GeoJSON files.
    case imdf
    /// One GeoJSON file with properties of our own and, beside them, OSM's indoor tags.
    case geojson
  }

  /// The files of a bundle, sorted by name; one file for GeoJSON.
  ///
  /// - Throws: `VenueError` with code `not-writable` when the format cannot express the venue at all.
  public static func files(of venue: Venue, as format: Format) throws(VenueError) -> [VenueFile] {
    let files =
      switch format {
      case .mvf3: try MVF3Writer(venue: venue).files()
      case .imdf: try IMDFWriter(venue: venue).files()
      case .geojson: [GeoJSONVenueWriter(venue: venue).file()]
      }
    return files.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// The bundle as one file: a zip file, or GeoJSON text.
  ///
  /// - Throws: `VenueError` as ``files(of:as:)``, and `limit-exceeded` when a zip file cannot hold the bundle.
  public static func bytes(of venue: Venue, as format: Format) throws(VenueError) -> [UInt8] {
    let files = try files(of: venue, as: format)
    if format == .geojson, let file = files.first { return file.bytes }
    return try ZipWriter.zip(files)
  }
}
