public import CordonVenues

/// One file of a bundle.
public struct VenueFile: Hashable, Sendable {
  /// The path inside the bundle, with `/`.
  public var name: String
  /// The contents.
  public var bytes: [UInt8]

  /// Creates a file from its parts.
  public init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }
}

/// Writes venues. docs/reference/venues.md describes the data that each format keeps and drops.
///
/// The bytes depend only on the venue: the same venue gives the same file on any machine.
public enum VenueWriter {
  /// The formats that can be written.
  public enum Format: String, Hashable, Sendable, CaseIterable {
    /// Mappedin Venue Format 3: a folder or zip file of JSON files.
    case mvf3 = "mvf-3"
    /// Indoor Mapping Data Format 1.0.0: a folder or zip file of GeoJSON files.
    case imdf
    /// One GeoJSON file with our own properties and OSM's indoor tags.
    case geojson
  }

  /// Returns the files of a bundle, sorted by name; one file for GeoJSON.
  ///
  /// - Throws: `VenueError` with the code `not-writable` if the format cannot express the venue.
  public static func files(of venue: Venue, as format: Format) throws(VenueError) -> [VenueFile] {
    let files =
      switch format {
      case .mvf3: try MVF3Writer(venue: venue).files()
      case .imdf: try IMDFWriter(venue: venue).files()
      case .geojson: [GeoJSONVenueWriter(venue: venue).file()]
      }
    return files.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// Returns the bundle as one file: a zip file, or GeoJSON text.
  ///
  /// - Throws: `VenueError` as ``files(of:as:)``, and with the code `limit-exceeded` if a zip file cannot hold the
  ///   bundle.
  public static func bytes(of venue: Venue, as format: Format) throws(VenueError) -> [UInt8] {
    let files = try files(of: venue, as: format)
    if format == .geojson, let file = files.first { return file.bytes }
    return try ZipWriter.zip(files)
  }
}
