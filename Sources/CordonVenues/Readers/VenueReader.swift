/// A reader of one map format.
///
/// A new format needs a case of ``VenueFormat``, a folder with a conforming type, and a line in ``VenueReaders/all``.
protocol VenueReader {
  /// The format of the reader.
  static var format: VenueFormat { get }

  /// Returns the strength of the evidence that the bundle has this format, by its contents; `nil` without evidence.
  ///
  /// The function may parse files; a file that cannot be parsed is not evidence.
  static func detect(_ bundle: VenueBundle) -> Claim?

  /// Reads a venue. Faults that do not prevent its use become findings.
  static func read(
    _ bundle: VenueBundle, options: VenueReadOptions, into findings: inout FindingLog
  ) throws(VenueError) -> Venue
}

/// The state of reading one bundle, for readers with a fixed format.
protocol VenueReading {
  init(bundle: VenueBundle, options: VenueReadOptions, findings: FindingLog)

  /// The findings so far.
  var findings: FindingLog { get }

  /// The venue that was read so far.
  var draft: VenueDraft { get set }

  /// Reads the whole bundle into the draft.
  mutating func run() throws(VenueError)
}

/// A reader that consists of one ``VenueReading``.
protocol BundleReader: VenueReader {
  associatedtype Reading: VenueReading
}

extension BundleReader {
  static func read(
    _ bundle: VenueBundle, options: VenueReadOptions, into findings: inout FindingLog
  ) throws(VenueError) -> Venue {
    var reading = Reading(bundle: bundle, options: options, findings: findings)
    try reading.run()
    findings = reading.findings
    return try reading.draft.finished(as: format, bundle: bundle, findings: &findings)
  }
}

/// A claim of a reader that a bundle has its format.
struct Claim {
  /// The strength of the evidence, in ascending order.
  enum Strength: Int, Comparable {
    /// The bundle can be parsed, and nothing contradicts the format.
    case possible
    /// The files of the format exist.
    case structure
    /// The bundle states the format.
    case declared

    static func < (lhs: Strength, rhs: Strength) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  var strength: Strength
  /// The format, for readers with several formats.
  var format: VenueFormat
  /// The version that the bundle states.
  var version: String?
}

/// The known formats.
enum VenueReaders {
  /// All readers; among equally strong claims, the first reader takes precedence.
  static var all: [any VenueReader.Type] {
    [
      IMDFReader.self, MVF3Reader.self, MVF2Reader.self, MVF1Reader.self, WRLDReader.self, CordonGeoJSONReader.self,
      GeoJSONReader.self,
    ]
  }
}
