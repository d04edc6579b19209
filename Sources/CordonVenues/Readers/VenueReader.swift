/// Reads one format of map.
///
/// A further format is one new file with a type that conforms, and one line in ``VenueReaders/all``.
protocol VenueReader {
  /// The format it makes venues of.
  static var format: VenueFormat { get }

  /// How sure it is that the bundle is of its format, by what the files hold; `nil` when it is not.
  /// May parse files; a file that does not parse is simply no evidence.
  static func detect(_ bundle: VenueBundle) -> Claim?

  /// Makes a venue of the bundle. What is wrong but can be lived with becomes a finding.
  static func read(
    _ bundle: VenueBundle, options: VenueReadOptions, into findings: inout FindingLog
  ) throws(VenueError) -> Venue
}

/// The state of reading one bundle, for readers that always make the same format.
protocol VenueReading {
  init(bundle: VenueBundle, options: VenueReadOptions)

  /// What was read.
  var draft: VenueDraft { get set }

  /// Reads everything into the draft.
  mutating func run(_ findings: inout FindingLog) throws(VenueError)
}

/// A reader whose work is one ``VenueReading``.
protocol BundleReader: VenueReader {
  associatedtype Reading: VenueReading
}

extension BundleReader {
  static func read(
    _ bundle: VenueBundle, options: VenueReadOptions, into findings: inout FindingLog
  ) throws(VenueError) -> Venue {
    var reading = Reading(bundle: bundle, options: options)
    try reading.run(&findings)
    return try reading.draft.finished(as: format, bundle: bundle, findings: &findings)
  }
}

/// How sure a reader is of its format.
struct Claim {
  /// The strength of the evidence, in the order in which readers are believed.
  enum Strength: Int, Comparable {
    /// It parses, and nothing speaks against it.
    case possible
    /// The files that the format consists of are there.
    case structure
    /// The bundle says so itself.
    case declared

    static func < (lhs: Strength, rhs: Strength) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  var strength: Strength
  /// The format that is meant, for readers that make several.
  var format: VenueFormat
  /// The version that the bundle claims.
  var version: String?
}

/// The formats that are known.
enum VenueReaders {
  /// Every reader; of equally strong claims the first in this list wins.
  static var all: [any VenueReader.Type] {
    [
      IMDFReader.self, MVF3Reader.self, MVF2Reader.self, MVF1Reader.self, WRLDReader.self, CordonGeoJSONReader.self,
      GeoJSONReader.self,
    ]
  }
}
