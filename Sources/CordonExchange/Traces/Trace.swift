public import CordonCore
public import CordonGeometry

/// What a recorded file says about positions: nothing is filled in that the file does not hold.
///
/// `TraceResolution` makes fixes of traces, and says what it had to assume.
public struct Trace: Hashable, Sendable {
  /// The format it was read from.
  public var format: TraceFormat
  /// The name of the file, for people.
  public var name: String
  /// Tracks in the order of the file.
  public var tracks: [TraceTrack]
  /// The first faults: what was left out, and where.
  public var faults: [TraceFault] = []
  /// How many places were left out.
  public var faultCount = 0
  /// What was read in another way than it is written, such as times without a zone; each sentence once.
  public var remarks: [String] = []

  /// A trace.
  public init(format: TraceFormat, name: String = "", tracks: [TraceTrack] = []) {
    self.format = format
    self.name = name
    self.tracks = tracks
  }

  /// How many points there are.
  public var pointCount: Int { tracks.reduce(0) { $0 + $1.points.count } }

  /// The most faults that are listed.
  public static let listedFaults = 20

  mutating func leaveOut(line: Int, _ reason: String) {
    faultCount += 1
    if faults.count < Trace.listedFaults { faults.append(TraceFault(line: line, reason: reason)) }
  }

  mutating func remark(_ sentence: String) {
    if !remarks.contains(sentence) { remarks.append(sentence) }
  }
}

/// One line of movement in a trace.
public struct TraceTrack: Hashable, Sendable {
  /// What a list of points is in its file.
  public enum Kind: String, Hashable, Sendable {
    /// Recorded, one after the other.
    case track
    /// Planned.
    case route
    /// Single places.
    case waypoints
  }

  /// What it is.
  public var kind: Kind
  /// Its name in the file; may be empty.
  public var name: String
  /// The device, when the file names one.
  public var device: String?
  /// In the order of the file.
  public var points: [TracePoint]

  /// A track.
  public init(kind: Kind = .track, name: String = "", device: String? = nil, points: [TracePoint] = []) {
    self.kind = kind
    self.name = name
    self.device = device
    self.points = points
  }
}

/// One position as a file gives it.
public struct TracePoint: Hashable, Sendable {
  /// Where.
  public enum Place: Hashable, Sendable {
    /// Degrees.
    case degrees(Coordinate)
    /// Metres in a plane of the file's own.
    case metres(PlanePoint)
  }

  /// Where.
  public var place: Place
  /// When; `nil` when the file does not say.
  public var time: Instant?
  /// Radius at 68 %, metres; `nil` when the file does not say.
  public var accuracy: Double?
  /// The floor; `nil` when the file does not say.
  public var floor: FloorOrdinal?
  /// Metres above the sea, or the ellipsoid, as the file has it.
  public var elevation: Double?
  /// Until when the device rested there.
  public var stillUntil: Instant?
  /// Whether software made the position up.
  public var isMocked = false
  /// The line of the file where it begins, counted from 1; 0 for files without lines.
  public var line: Int

  /// A point.
  public init(
    place: Place, time: Instant? = nil, accuracy: Double? = nil, floor: FloorOrdinal? = nil, elevation: Double? = nil,
    stillUntil: Instant? = nil, isMocked: Bool = false, line: Int = 0
  ) {
    self.place = place
    self.time = time
    self.accuracy = accuracy
    self.floor = floor
    self.elevation = elevation
    self.stillUntil = stillUntil
    self.isMocked = isMocked
    self.line = line
  }
}

/// Something in a file that is no usable position.
public struct TraceFault: Hashable, Sendable {
  /// Counted from 1.
  public var line: Int
  /// What is wrong.
  public var reason: String

  /// A fault.
  public init(line: Int, reason: String) {
    self.line = line
    self.reason = reason
  }
}

/// Why a file could not be read, or not be written, as a whole.
public struct TraceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Kinds of mistake.
  public enum Code: String, Hashable, Sendable {
    /// The file cannot be opened or read.
    case unreadable
    /// Nothing that is known.
    case unknownFormat = "unknown-format"
    /// Not what the format prescribes.
    case malformed
    /// Larger than a limit.
    case tooLarge = "too-large"
    /// It holds no position.
    case empty
    /// Something must be told that the file does not hold.
    case missing
    /// The format cannot hold it.
    case unsuitable
  }

  /// The kind.
  public var code: Code
  /// One sentence.
  public var message: String
  /// The line, counted from 1, when it is about one.
  public var line: Int?

  /// An error.
  public init(_ code: Code, _ message: String, line: Int? = nil) {
    self.code = code
    self.message = message
    self.line = line
  }

  /// `line 3: what is wrong`.
  public var description: String { (line.map { "line \($0): " } ?? "") + message }
}

/// The formats of traces.
public enum TraceFormat: String, CaseIterable, Hashable, Sendable {
  /// GPX 1.0 and 1.1; 1.1 is written.
  case gpx
  /// NMEA 0183: RMC, GGA and GST.
  case nmea
  /// GeoJSON points, or lines with `coordTimes`; points are written.
  case geojson
  /// KML points with times, and `gx:Track`; tracks are written.
  case kml
  /// Comma-separated values with a header.
  case csv
  /// Bodies of the Overland receiver API.
  case overland
  /// OwnTracks location messages, one a line.
  case owntracks
  /// Rows of the published contact-monitoring ingest API.
  case ingest
  /// Text trajectories of JuPedSim.
  case jupedsim
  /// Captured requests of a server, see ``TraceCapture``.
  case capture

  /// The usual ending of file names.
  public var fileExtension: String {
    switch self {
    case .gpx, .nmea, .geojson, .kml, .csv: rawValue
    case .overland, .ingest: "json"
    case .owntracks, .capture: "jsonl"
    case .jupedsim: "txt"
    }
  }
}

/// How files are to be read where they do not say it themselves.
public struct TraceReadOptions: Hashable, Sendable {
  /// The format; `nil` tells it from the contents.
  public var format: TraceFormat?
  /// Columns and times of CSV files.
  public var columns = PointFileOptions()
  /// Frames in a second, for text trajectories without that comment.
  public var frameRate: Double?
  /// Centimetres instead of metres, for text trajectories.
  public var isCentimetres = false
  /// The day of NMEA sentences that never give one; midnight UTC of it.
  public var day: Instant?
  /// The most bytes (unpacked) of a file that has to be read as a whole, and the most points of any.
  public var limits = TraceLimits()

  /// The usual.
  public init() {}
}

/// Bounds of what is read.
public struct TraceLimits: Hashable, Sendable {
  /// Bytes of an XML or JSON document, unpacked.
  public var documentBytes = 512 << 20
  /// Points of a file.
  public var points = 50_000_000
  /// Elements or values that lie in each other.
  public var depth = 64

  /// The usual.
  public init() {}
}

/// Takes a file in pieces that end at the ends of lines, and gives out a trace.
protocol TraceReader {
  mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) throws(TraceError)
  mutating func finish() throws(TraceError) -> Trace
}
