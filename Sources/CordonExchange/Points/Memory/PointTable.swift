package import CordonContacts
internal import CordonCore
package import CordonGeometry

/// Observed points as a file gives them: devices and venues by name.
///
/// The points of a venue do not say when a device was in another one meanwhile; ``PointWindows`` do.
package struct PointTable: Sendable {
  /// The points of one venue.
  package struct Group: Sendable {
    /// The venue's name; empty when the file has no such column.
    package var venue: String
    /// In the order of the file; `device` is an index into ``PointTable/devices``.
    package var points: [TrackPoint]
    /// Radius at 68 % of each point, metres, NaN when unknown; empty when the file has none.
    package var accuracies: [Float]
    /// Until when each device rested, milliseconds since 1970; empty when the file has none.
    package var stillUntil: [Int64]
    /// The frame of the points; `nil` when the file gives metres.
    package var frame: LocalFrame?
  }

  /// The names of the devices, sorted; a device's index is its place.
  package var devices: [String]
  /// The venues, by name.
  package var groups: [Group]
  /// Rows that could not be read, the first few.
  package var badRows: [BadRow]
  /// How many rows could not be read.
  package var badRowCount: Int
  /// How many rows there were, without a header.
  package var rows: Int
  /// The assumptions of the reader, and the order of the rows.
  package var reading = PointReading()

  /// A row that could not be read.
  package struct BadRow: Hashable, Sendable {
    /// Counted from 1; rows of Arrow are counted from 0.
    package var line: Int
    /// The fault of the row.
    package var reason: String
    /// The path of its file, when several were read; else `nil`.
    package var file: String?
    /// Whether `line` is a row of Arrow.
    package var isInBatches: Bool

    /// A row that could not be read.
    package init(line: Int, reason: String, file: String? = nil, isInBatches: Bool = false) {
      self.line = line
      self.reason = reason
      self.file = file
      self.isInBatches = isInBatches
    }
  }

  /// How many points there are.
  package var pointCount: Int { groups.reduce(0) { $0 + $1.points.count } }
}

/// Why a file of points could not be read at all.
package struct PointFileError: Error, Hashable, Sendable {
  /// What kind of mistake it is.
  package enum Code: String, Hashable, Sendable {
    /// The file cannot be opened or read.
    case unreadable
    /// Its end is missing.
    case truncated
    /// Its contents contradict one another.
    case damaged
    /// It uses a part of its format that is not read.
    case unsupported
    /// A column that is needed is not there.
    case missingColumn = "missing-column"
    /// Some times are in seconds and some in milliseconds, or such.
    case mixedUnits = "mixed-units"
    /// Nothing says the unit of times.
    case unknownUnit = "unknown-unit"
    /// Places in metres that look like degrees, or some in metres and some in degrees.
    case unclearPlaces = "unclear-places"
    /// A file of another kind than points.
    case foreignFormat = "foreign-format"
    /// A row cannot be read, and every row must be.
    case badRow = "bad-row"
    /// Nothing in it is a point.
    case empty
    /// It would not fit into memory.
    case tooLarge = "too-large"
  }

  /// What kind of mistake it is.
  package var code: Code
  /// One sentence.
  package var message: String
  /// The line, counted from 1, when it is about one.
  package var line: Int?
  /// Another place than a line: `byte 12`, `row 3`.
  package var place: String?
  /// The path of the file, when several were read; else `nil`.
  package var file: String?

  /// An error.
  package init(_ code: Code, _ message: String, line: Int? = nil, place: String? = nil, file: String? = nil) {
    self.code = code
    self.message = message
    self.line = line
    self.place = place
    self.file = file
  }
}

/// The assumptions of a reader of points, and the order of their rows.
package struct PointReading: Hashable, Sendable {
  /// One sentence for each assumption that the files do not state.
  package var assumed: [String] = []
  /// How many rows came after a later row of their device in the same file. They are used as all others are.
  package var outOfOrder = 0
  /// The columns that were used, by what they mean; of several files those of the first.
  package var columns: [PointField: String] = [:]

  /// Nothing assumed.
  package init() {}

  mutating func assume(_ sentence: String) {
    if !assumed.contains(sentence) { assumed.append(sentence) }
  }
}
