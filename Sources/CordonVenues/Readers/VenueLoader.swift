/// A venue, and the findings of its reader.
public struct LoadedVenue: Sendable {
  /// The venue.
  public var venue: Venue
  /// All repairs, omissions and rejections, in the order in which they occurred.
  public var findings: [VenueFinding]

  /// Creates a pair of a venue and findings.
  public init(venue: Venue, findings: [VenueFinding]) {
    self.venue = venue
    self.findings = findings
  }
}

/// The options for reading a bundle.
public struct VenueReadOptions: Hashable, Sendable {
  /// The limits of the reader.
  public var limits = VenueLimits()
  /// The mapping of properties, for a GeoJSON file that follows no convention.
  public var mapping = GeoJSONMapping()
  /// The transformation of a plan in local units; `nil` if the coordinates are in degrees.
  public var georeference: Georeference?

  /// Creates the default options.
  public init() {}
}

/// Loads venues of all known formats from a folder, a zip file, a single file or memory.
///
/// ```swift
/// let loaded = try VenueLoader.load(path: "venues/office.zip")
/// print(loaded.venue.floors.count, loaded.findings.count)
/// ```
public enum VenueLoader {
  /// Loads the venue at a path.
  /// - Throws: ``VenueError`` if the venue cannot be used; all other faults are findings.
  public static func load(path: String, options: VenueReadOptions = VenueReadOptions()) throws(VenueError)
    -> LoadedVenue
  {
    var findings = FindingLog(limit: options.limits.findings)
    let bundle = try VenueBundle.open(path: path, limits: options.limits, findings: &findings)
    return try load(bundle, options: options, findings: findings)
  }

  /// Loads a zip file or one JSON file in memory.
  /// - Parameters:
  ///   - bytes: the contents of the file.
  ///   - name: the name in messages.
  ///   - options: the options of the reader.
  /// - Throws: ``VenueError`` if the venue cannot be used; all other faults are findings.
  public static func load(
    bytes: [UInt8], name: String = "venue", options: VenueReadOptions = VenueReadOptions()
  ) throws(VenueError) -> LoadedVenue {
    var findings = FindingLog(limit: options.limits.findings)
    let bundle = try VenueBundle.open(bytes: bytes, name: name, limits: options.limits, findings: &findings)
    return try load(bundle, options: options, findings: findings)
  }

  /// Loads files in memory, as they would be in a folder. `format` skips the detection.
  package static func load(
    files: [(name: String, bytes: [UInt8])], name: String = "venue", as format: VenueFormat? = nil,
    options: VenueReadOptions = VenueReadOptions()
  ) throws(VenueError) -> LoadedVenue {
    var findings = FindingLog(limit: options.limits.findings)
    let bundle = VenueBundle(name: name, files: files, limits: options.limits)
    guard let reader = VenueReaders.all.first(where: { $0.format == format }) else {
      return try load(bundle, options: options, findings: findings)
    }
    let venue = try reader.read(bundle, options: options, into: &findings)
    PrivateSpaceNames.report(venue, bundle: bundle.name, into: &findings)
    return LoadedVenue(venue: venue, findings: findings.finished())
  }

  private static func load(
    _ bundle: VenueBundle, options: VenueReadOptions, findings: FindingLog
  ) throws(VenueError) -> LoadedVenue {
    var findings = findings
    var best: (reader: any VenueReader.Type, claim: Claim)?
    for reader in VenueReaders.all {
      guard let claim = reader.detect(bundle) else { continue }
      if let current = best, current.claim.strength >= claim.strength { continue }
      best = (reader, claim)
      // No claim is stronger, and weaker evidence may require a look into every file.
      if claim.strength == .declared { break }
    }
    guard let best else { throw notAVenue(bundle) }
    let venue = try best.reader.read(bundle, options: options, into: &findings)
    PrivateSpaceNames.report(venue, bundle: bundle.name, into: &findings)
    return LoadedVenue(venue: venue, findings: findings.finished())
  }

  // A file that cannot be parsed is the most likely reason, and the most helpful one to report. A single file that does
  // not even begin as JSON is of another kind.
  private static func notAVenue(_ bundle: VenueBundle) -> VenueError {
    for name in bundle.names {
      do throws(VenueError) {
        _ = try bundle.document(name)
        bundle.discard(name)
      } catch {
        if bundle.names.count > 1 || error.byteOffset != 0 { return error }
      }
    }
    return VenueError(
      code: "not-a-venue", file: bundle.name, message: "none of the known formats: MVF 1 to 3, IMDF, WRLD, GeoJSON")
  }
}
