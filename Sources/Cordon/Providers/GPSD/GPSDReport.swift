package import CordonCore
package import CordonWire

/// One line of gpsd's JSON protocol, limited to the members that a tracker needs.
package enum GPSDReport: Hashable, Sendable {
  /// The release of the daemon.
  case version(release: String)
  /// The receivers that the daemon reads, by path.
  case devices([String])
  /// A position (`TPV`), or the report that there is none.
  case position(Position)
  /// The receiver's own estimate of its errors (`GST`).
  case deviations(Deviations)
  /// Anything else; gpsd adds classes now and then.
  case other

  /// A `TPV` line.
  package struct Position: Hashable, Sendable {
    /// The path of the receiver; empty when the line has none.
    package var device = ""
    /// 0 and 1: no fix; 2: longitude and latitude; 3: height as well.
    package var mode: Int64 = 0
    /// The kind of fix; 8 is a simulator.
    package var status: Int64 = 0
    /// The time of the epoch.
    package var time: Instant?
    /// Degrees, east positive.
    package var longitude: Double?
    /// Degrees, north positive.
    package var latitude: Double?
    /// `epx`: metres, 95 % of the east-west axis.
    package var errorEast: Double?
    /// `epy`: metres, 95 % of the north-south axis.
    package var errorNorth: Double?
    /// `eph`: metres in the plane, of a confidence that gpsd's manual calls unknown.
    package var errorHorizontal: Double?

    /// Makes an empty report.
    package init() {}
  }

  /// A `GST` line: standard deviations in metres.
  package struct Deviations: Hashable, Sendable {
    /// The path of the receiver; empty when the line has none.
    package var device = ""
    /// The time of the epoch.
    package var time: Instant?
    /// The deviation of the east-west axis.
    package var east: Double?
    /// The deviation of the north-south axis.
    package var north: Double?

    /// Makes an empty report.
    package init() {}
  }

  /// Reads one line, without its end.
  /// - Throws: an error with the position when the line is not JSON, or a member has an unexpected type.
  package init(parsing line: [UInt8]) throws(WireError) {
    self = try JSONReader.read(line) { reader throws(WireError) in
      var fields = Fields()
      try reader.expect(UInt8(ascii: "{"))
      var isFirst = true
      while let key = try reader.nextKey(&isFirst) { try fields.read(key, from: &reader) }
      return fields.report
    }
  }

  /// The members of all classes; gpsd does not promise that `class` comes first.
  private struct Fields {
    var kind = ""
    var release = ""
    var paths: [String] = []
    var position = Position()
    var east: Double?
    var north: Double?

    mutating func read(_ key: JSONReader.Text, from reader: inout JSONReader) throws(WireError) {
      if key.equals("class") {
        kind = try reader.string()
      } else if key.equals("release") {
        release = try reader.string()
      } else if key.equals("device") {
        position.device = try reader.string()
      } else if key.equals("mode") {
        position.mode = try reader.integer()
      } else if key.equals("status") {
        position.status = try reader.integer()
      } else if key.equals("time"), reader.peek() == UInt8(ascii: "\"") {
        position.time = try? Instant(rfc3339: try reader.string())
      } else if key.equals("lon") {
        // In a GST line the same names are deviations.
        position.longitude = try reader.double()
        east = position.longitude
      } else if key.equals("lat") {
        position.latitude = try reader.double()
        north = position.latitude
      } else if key.equals("epx") {
        position.errorEast = try reader.double()
      } else if key.equals("epy") {
        position.errorNorth = try reader.double()
      } else if key.equals("eph") {
        position.errorHorizontal = try reader.double()
      } else if key.equals("devices"), reader.peek() == UInt8(ascii: "[") {
        paths = try Fields.paths(from: &reader)
      } else {
        try reader.skipValue()
      }
    }

    private static func paths(from reader: inout JSONReader) throws(WireError) -> [String] {
      var paths: [String] = []
      try reader.expect(UInt8(ascii: "["))
      var isFirst = true
      while try reader.nextElement(&isFirst) {
        try reader.expect(UInt8(ascii: "{"))
        var isFirstKey = true
        while let key = try reader.nextKey(&isFirstKey) {
          if key.equals("path") { paths.append(try reader.string()) } else { try reader.skipValue() }
        }
      }
      return paths
    }

    var report: GPSDReport {
      switch kind {
      case "TPV": return .position(position)
      case "GST":
        var deviations = Deviations()
        deviations.device = position.device
        deviations.time = position.time
        deviations.east = east
        deviations.north = north
        return .deviations(deviations)
      case "VERSION": return .version(release: release)
      case "DEVICES": return .devices(paths)
      default: return .other
      }
    }
  }
}
