package import CordonCore
package import CordonGeometry

/// The positions of a recorded file. Data that the file does not contain are not filled in.
///
/// `TraceResolution` creates fixes from traces and lists its assumptions.
package struct Trace: Hashable, Sendable {
  /// The format of the file.
  package var format: TraceFormat
  /// The name of the file.
  package var name: String
  /// The tracks in the order of the file.
  package var tracks: [TraceTrack]
  /// The first parts of the file that were left out, at most ``listedFaults``.
  package var faults: [TraceFault] = []
  /// The number of parts that were left out.
  package var faultCount = 0
  /// Interpretations of the file, such as times without a zone; each sentence once.
  package var remarks: [String] = []

  /// Creates a trace from its parts.
  package init(format: TraceFormat, name: String = "", tracks: [TraceTrack] = []) {
    self.format = format
    self.name = name
    self.tracks = tracks
  }

  /// The number of points.
  package var pointCount: Int { tracks.reduce(0) { $0 + $1.points.count } }

  /// How many points with a time came after a later one of their device in the file.
  package var outOfOrder: Int {
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
  package static let listedFaults = 20

  mutating func leaveOut(line: Int, _ reason: String) {
    faultCount += 1
    if faults.count < Trace.listedFaults { faults.append(TraceFault(line: line, reason: reason)) }
  }

  mutating func remark(_ sentence: String) {
    if !remarks.contains(sentence) { remarks.append(sentence) }
  }
}

/// A list of points in a trace.
package struct TraceTrack: Hashable, Sendable {
  /// The kinds of lists.
  package enum Kind: String, Hashable, Sendable {
    /// Recorded points in their order.
    case track
    /// A planned route.
    case route
    /// Single places.
    case waypoints
  }

  /// The kind of the list.
  package var kind: Kind
  /// The name in the file; may be empty.
  package var name: String
  /// The device, if the file names one.
  package var device: String?
  /// The points in the order of the file.
  package var points: [TracePoint]

  /// Creates a track from its parts.
  package init(kind: Kind = .track, name: String = "", device: String? = nil, points: [TracePoint] = []) {
    self.kind = kind
    self.name = name
    self.device = device
    self.points = points
  }
}

/// A position as given in a file.
package struct TracePoint: Hashable, Sendable {
  /// The coordinates of a point.
  package enum Place: Hashable, Sendable {
    /// A position in degrees.
    case degrees(Coordinate)
    /// A position in metres in the file's own plane.
    case metres(PlanePoint)
  }

  /// The coordinates.
  package var place: Place
  /// The time; `nil` if the file does not contain it.
  package var time: Instant?
  /// The 68 % error radius in metres; `nil` if the file does not contain it.
  package var accuracy: Double?
  /// The floor; `nil` if the file does not contain it.
  package var floor: FloorOrdinal?
  /// The height in metres above the sea or the ellipsoid, as in the file; `nil` if the file does not contain it.
  package var elevation: Double?
  /// The end of the device's rest at the position; `nil` if it did not rest.
  package var stillUntil: Instant?
  /// Whether the position was produced by software.
  package var isMocked = false
  /// The line of the file where the point starts, from 1; 0 for files without lines.
  package var line: Int

  /// Creates a point from its parts.
  package init(
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
package struct TraceFault: Hashable, Sendable {
  /// The line, from 1.
  package var line: Int
  /// The reason.
  package var reason: String

  /// Creates a fault from its parts.
  package init(line: Int, reason: String) {
    self.line = line
    self.reason = reason
  }
}

/// An error of reading or writing a file as a whole.
package struct TraceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of errors.
  package enum Code: String, Hashable, Sendable {
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
  package var code: Code
  /// A description on one line.
  package var message: String
  /// The line, from 1; `nil` if the error does not refer to one.
  package var line: Int?

  /// Creates an error from its parts.
  package init(_ code: Code, _ message: String, line: Int? = nil) {
    self.code = code
    self.message = message
    self.line = line
  }

  /// The error on one line: `line 3: the place is out of range`.
  package var description: String { (line.map { "line \($0): " } ?? "") + message }
}

/// The formats of traces.
package enum TraceFormat: String, CaseIterable, Hashable, Sendable {
  /// GPX 1.0 and 1.1; written as 1.1.
  case gpx
  /// NMEA 0183: RMC, GGA, GST and, when reading, ZDA.
  case nmea
  /// GeoJSON points, or lines with `coordTimes`; written as points.
  case geojson
  /// MF-JSON of the OGC: moving points, and lines with `datetimes`; written as moving points.
  case mfJSON = "mf-json"
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
  package var fileExtension: String {
    switch self {
    case .gpx, .nmea, .geojson, .kml, .csv: rawValue
    case .overland, .ingest: "json"
    case .mfJSON: "mfjson"
    case .owntracks, .capture: "jsonl"
    case .jupedsim: "txt"
    }
  }
}

/// The options for reading files, for data that they do not contain themselves.
package struct TraceReadOptions: Hashable, Sendable {
  /// The format; `nil` detects it from the contents.
  package var format: TraceFormat?
  /// The columns and times of CSV files.
  package var columns = PointFileOptions()
  /// The number of frames per second, for text trajectories without that comment.
  package var frameRate: Double?
  /// Whether text trajectories are in centimetres instead of metres.
  package var isCentimetres = false
  /// The day of NMEA sentences without a date, as its midnight in UTC.
  package var day: Instant?
  /// The limits for reading.
  package var limits = TraceLimits()

  /// Creates the default options.
  package init() {}
}

/// The limits for reading files.
package struct TraceLimits: Hashable, Sendable {
  /// The maximum size of an XML or JSON document in bytes, decompressed.
  package var documentBytes = 512 << 20
  /// The maximum number of points in a file.
  package var points = 50_000_000
  /// The maximum depth of nested elements or values.
  package var depth = 64

  /// Creates the default limits.
  package init() {}
}

/// A reader that receives a file in pieces that end at line ends, and returns a trace.
protocol TraceReader {
  mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) throws(TraceError)
  mutating func finish() throws(TraceError) -> Trace
}
