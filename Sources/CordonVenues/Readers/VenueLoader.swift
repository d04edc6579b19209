/// A venue and what was noticed while reading it.
public struct LoadedVenue: Sendable {
  /// The venue.
  public var venue: Venue
  /// Everything that was repaired, ignored or refused, in the order it was met.
  public var findings: [VenueFinding]

  /// Pairs a venue with findings.
  public init(venue: Venue, findings: [VenueFinding]) {
    self.venue = venue
    self.findings = findings
  }
}

/// How to read a bundle.
public struct VenueReadOptions: Hashable, Sendable {
  /// What is accepted before loading is refused.
  public var limits = VenueLimits()
  /// Which properties of a GeoJSON file mean what, when it follows no convention.
  public var mapping = GeoJSONMapping()
  /// Where a plan in local units lies, when the coordinates are no degrees.
  public var georeference: Georeference?

  /// The defaults.
  public init() {}
}

/// Loads venues of every format that is known, from a folder, a zip file, a single file or memory.
///
/// ```swift
/// let loaded = try VenueLoader.load(path: "venues/office.zip")
/// print(loaded.venue.floors.count, loaded.findings.count)
/// ```
public enum VenueLoader {
  /// Loads what is at a path. Errors: see ``VenueError``; everything that can be lived with is a finding instead.
  public static func load(path: String, options: VenueReadOptions = VenueReadOptions()) throws(VenueError)
    -> LoadedVenue
  {
    var findings = FindingLog(limit: options.limits.findings)
    let bundle = try VenueBundle.open(path: path, limits: options.limits, findings: &findings)
    return try load(bundle, options: options, findings: findings)
  }

  /// Loads a zip file or one JSON file that is in memory; `name` is used in messages.
  public static func load(
    bytes: [UInt8], name: String = "venue", options: VenueReadOptions = VenueReadOptions()
  ) throws(VenueError) -> LoadedVenue {
    var findings = FindingLog(limit: options.limits.findings)
    let bundle = try VenueBundle.open(bytes: bytes, name: name, limits: options.limits, findings: &findings)
    return try load(bundle, options: options, findings: findings)
  }

  /// Loads files that are in memory, as they would lie in a folder. `format` skips detection.
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
      // Nothing is stronger, and weaker evidence may cost a look into every file.
      if claim.strength == .declared { break }
    }
    guard let best else { throw notAVenue(bundle) }
    let venue = try best.reader.read(bundle, options: options, into: &findings)
    PrivateSpaceNames.report(venue, bundle: bundle.name, into: &findings)
    return LoadedVenue(venue: venue, findings: findings.finished())
  }

  // A file that does not parse is the likeliest reason, and the most helpful thing to name.
  private static func notAVenue(_ bundle: VenueBundle) -> VenueError {
    for name in bundle.names {
      do throws(VenueError) {
        _ = try bundle.document(name)
        bundle.discard(name)
      } catch {
        return error
      }
    }
    return VenueError(
      code: "not-a-venue", file: bundle.name, message: "none of the known formats: MVF 1 to 3, IMDF, WRLD, GeoJSON")
  }
}
