public import CordonCore
public import CordonGeometry

/// The positions of a recorded file. Data that the file does not contain are not filled in.
///
/// `TraceResolution` creates fixes from traces and lists its assumptions.
public struct Trace: Hashable, Sendable {
  /// The format of the file.
  public var format: TraceFormat
  /// The name of the file.
  public var name: String
  /// The tracks in the order of the file.
  public var tracks: [TraceTrack]
  /// The first parts of the file that were left out, at most ``listedFaults``.
  public var faults: [TraceFault] = []
  /// The number of parts that were left out.
  public var faultCount = 0
  /// Interpretations of the file, such as times without a zone; each sentence once.
  public var remarks: [String] = []

  /// Creates a trace from its parts.
  public init(format: TraceFormat, name: String = "", tracks: [TraceTrack] = []) {
    self.format = format
    self.name = name
    self.tracks = tracks
  }

  /// The number of points.
  public var pointCount: Int { tracks.reduce(0) { $0 + $1.points.count } }

  /// How many points with a time came after a later one of their device in the file.
  public var outOfOrder: Int {
    var latest: [String: Instant] = [:]
    var count = 0
    for track in tracks where track.kind == .track {
      let device = track.label
      var last = latest[device]
      for case let time? in track.points.lazy.map(\.time) {
        if let known = last, time < known {
          count += 1
        } else {
          last = time
        }
      }
      latest[device] = last
    }
    return count
  }

  /// The maximum number of faults in ``faults``.
  public static let listedFaults = 20

  mutating func leaveOut(line: Int, _ reason: String) {
    faultCount += 1
    if faults.count < Trace.listedFaults { faults.append(TraceFault(line: line, reason: reason)) }
  }

  mutating func remark(_ sentence: String) {
    if !remarks.contains(sentence) { remarks.append(sentence) }
  }
}

/// A list of points in a trace.
public struct TraceTrack: Hashable, Sendable {
  /// The kinds of lists.
  public enum Kind: String, Hashable, Sendable {
    /// Recorded points in their order.
    case track
    /// A planned route.
    case route
    /// Single places.
    case waypoints
  }

  /// The kind of the list.
  public var kind: Kind
  /// The name in the file; may be empty.
  public var name: String
  /// The device, if the file names one.
  public var device: String?
  /// The points in the order of the file.
  public var points: [TracePoint]

  /// Creates a track from its parts.
  public init(kind: Kind = .track, name: String = "", device: String? = nil, points: [TracePoint] = []) {
    self.kind = kind
    self.name = name
    self.device = device
    self.points = points
  }
}

/// A position as given in a file.
public struct TracePoint: Hashable, Sendable {
  /// The coordinates of a point.
  public enum Place: Hashable, Sendable {
    /// A position in degrees.
    case degrees(Coordinate)
    /// A position in metres in the file's own plane.
    case metres(PlanePoint)
  }

  /// The coordinates.
  public var place: Place
  /// The time; `nil` if the file does not contain it.
  public var time: Instant?
  /// The 68 % error radius in metres; `nil` if the file does not contain it.
  public var accuracy: Double?
  /// The floor; `nil` if the file does not contain it.
  public var floor: FloorOrdinal?
  /// The height in metres above the sea or the ellipsoid, as in the file; `nil` if the file does not contain it.
  public var elevation: Double?
  /// The end of the device's rest at the position; `nil` if it did not rest.
  public var stillUntil: Instant?
  /// Whether the position was produced by software.
  public var isMocked = false
  /// The line of the file where the point starts, from 1; 0 for files without lines.
  public var line: Int

  /// Creates a point from its parts.
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

/// A part of a file that is not a usable position.
public struct TraceFault: Hashable, Sendable {
  /// The line, from 1.
  public var line: Int
  /// The reason.
  public var reason: String

  /// Creates a fault from its parts.
  public init(line: Int, reason: String) {
    self.line = line
    self.reason = reason
  }
}

/// An error of reading or writing a file as a whole.
public struct TraceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of errors.
  public enum Code: String, Hashable, Sendable {
    /// The file cannot be opened or read.
    case unreadable
    /// The format is unknown.
    case unknownFormat = "unknown-format"
    /// The file violates its format.
    case malformed
    /// The file exceeds a limit.
    case tooLarge = "too-large"
    /// The file contains no positions.
    case empty
    /// An option must supply data that the file does not contain.
    case missing
    /// The format does not support the data.
    case unsuitable
  }

  /// The kind of the error.
  public var code: Code
  /// A description on one line.
  public var message: String
  /// The line, from 1; `nil` if the error does not refer to one.
  public var line: Int?

  /// Creates an error from its parts.
  public init(_ code: Code, _ message: String, line: Int? = nil) {
    self.code = code
    self.message = message
    self.line = line
  }

  /// The error on one line: `line 3: the place is out of range`.
  public var description: String { (line.map { "line \($0): " } ?? "") + message }
}

/// The formats of traces.
public enum TraceFormat: String, CaseIterable, Hashable, Sendable {
  /// GPX 1.0 and 1.1; written as 1.1.
  case gpx
  /// NMEA 0183: RMC, GGA, GST and, when reading, ZDA.
  case nmea
  /// GeoJSON points, or lines with `coordTimes`; written as points.
  case geojson
  /// KML points with times, and `gx:Track`; written as tracks.
  case kml
  /// Comma-separated values with a header.
  case csv
  /// Bodies of the Overland receiver API.
  case overland
  /// OwnTracks location messages, one on each line.
  case owntracks
  /// Rows of the published contact-monitoring ingest API.
  case ingest
  /// Text trajectories of JuPedSim.
  case jupedsim
  /// Captured requests of a server, see ``TraceCapture``.
  case capture

  /// The default extension of file names.
  public var fileExtension: String {
    switch self {
    case .gpx, .nmea, .geojson, .kml, .csv: rawValue
    case .overland, .ingest: "json"
    case .owntracks, .capture: "jsonl"
    case .jupedsim: "txt"
    }
  }
}

/// The options for reading files, for data that they do not contain themselves.
public struct TraceReadOptions: Hashable, Sendable {
  /// The format; `nil` detects it from the contents.
  public var format: TraceFormat?
  /// The columns and times of CSV files.
  public var columns = PointFileOptions()
  /// The number of frames per second, for text trajectories without that comment.
  public var frameRate: Double?
  /// Whether text trajectories are in centimetres instead of metres.
  public var isCentimetres = false
  /// The day of NMEA sentences without a date, as its midnight in UTC.
  public var day: Instant?
  /// The limits for reading.
  public var limits = TraceLimits()

  /// Creates the default options.
  public init() {}
}

/// The limits for reading files.
public struct TraceLimits: Hashable, Sendable {
  /// The maximum size of an XML or JSON document in bytes, decompressed.
  public var documentBytes = 512 << 20
  /// The maximum number of points in a file.
  public var points = 50_000_000
  /// The maximum depth of nested elements or values.
  public var depth = 64

  /// Creates the default limits.
  public init() {}
}

/// A reader that receives a file in pieces that end at line ends, and returns a trace.
protocol TraceReader {
  mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) throws(TraceError)
  mutating func finish() throws(TraceError) -> Trace
}
