package import CordonCore
package import CordonPresence
import CordonSupport
import CordonWire
import Foundation

/// The positions that the sinks of a tracker keep in files on this machine.
package struct RecordedFixes: Sendable {
  /// The positions by time, each once.
  package private(set) var fixes: [PresenceFix] = []
  /// The number of lines that cannot be read.
  package private(set) var unreadable = 0
  /// The number of files that exist.
  package private(set) var files = 0

  /// The maximum size of a file in bytes.
  static let largestFile = 1 << 30

  /// Reads the files of all sinks of the kind `file`.
  /// - Throws: ``TrackerError`` without such a sink, or for a file that cannot be read.
  package init(_ sinks: [TrackerSink]) throws(TrackerError) {
    var numbers: [String: Int] = [:]
    for path in try RecordedFixes.paths(of: sinks) {
      guard let data = try RecordedFixes.contents(of: path) else { continue }
      files += 1
      for line in data.split(separator: 0x0A) {
        guard let (id, fix) = RecordedFixes.fix(of: Array(line)) else {
          unreadable += 1
          continue
        }
        if let number = numbers[id] {
          // A later line has a later end of a rest.
          fixes[number].until = max(fixes[number].until, fix.until)
        } else {
          numbers[id] = fixes.count
          fixes.append(fix)
        }
      }
    }
    let order = fixes.indices.sorted { (fixes[$0].time, $0) < (fixes[$1].time, $1) }
    fixes = order.map { fixes[$0] }
  }

  /// Returns the rows from a time on, by time and each once. Other lines are left out.
  /// - Parameters:
  ///   - sinks: the sinks of a tracker; those of the kind `file` are read.
  ///   - start: milliseconds since 1970.
  /// - Throws: ``TrackerError`` as for ``init(_:)``.
  package static func locations(_ sinks: [TrackerSink], since start: Int64) throws(TrackerError) -> [Location] {
    var rows: [Location] = []
    var numbers: [FixID: Int] = [:]
    for path in try paths(of: sinks) {
      guard let data = try contents(of: path) else { continue }
      for line in data.split(separator: 0x0A) {
        let line = Array(line)
        guard let fix = fix(of: line)?.fix, fix.time >= start, let row = location(of: line) else { continue }
        if let number = numbers[row.id] {
          // A later line has a later end of a rest.
          rows[number] = row
        } else {
          numbers[row.id] = rows.count
          rows.append(row)
        }
      }
    }
    let order = rows.indices.sorted { (rows[$0].time, $0) < (rows[$1].time, $1) }
    return order.map { rows[$0] }
  }

  /// Returns the location of a line; `nil` for other text.
  package static func location(of line: [UInt8]) -> Location? {
    guard let rows = try? PositionBatch.decode(Array(#"{"rows":["#.utf8) + line + Array("]}".utf8)),
      rows.count == 1, case .location(let location) = rows[0]
    else { return nil }
    return location
  }

  private static func paths(of sinks: [TrackerSink]) throws(TrackerError) -> [String] {
    let sinks = sinks.filter { $0.kind == .file }
    guard !sinks.isEmpty else {
      throw TrackerError(
        "no-file", #"no sink keeps positions on this machine; add {"kind": "file", "path": "rows.jsonl"} to the sinks"#)
    }
    return sinks.map(\.url.path)
  }

  private static func contents(of path: String) throws(TrackerError) -> Data? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    guard let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int, size <= largestFile,
      let data = FileManager.default.contents(atPath: path)
    else { throw TrackerError("unreadable", "cannot be read, or is larger than 1 GiB", file: path) }
    return data
  }

  /// Reads a row as the sink wrote it.
  private static func fix(of line: [UInt8]) -> (id: String, fix: PresenceFix)? {
    guard let row = try? JSONReader.value(of: line), let id = row["id"]?.stringValue,
      let time = row["time"]?.integerValue, let place = row["lonlat"]?.elements, place.count == 2,
      let longitude = number(place[0]), let latitude = number(place[1])
    else { return nil }
    let coordinate = Coordinate(longitude: longitude, latitude: latitude)
    guard coordinate.isValid else { return nil }
    return (
      id,
      PresenceFix(
        time: time, until: row["still_until"]?.integerValue, coordinate: coordinate,
        accuracy: row["acc"].flatMap(number))
    )
  }

  private static func number(_ value: JSONValue) -> Double? {
    switch value {
    case .number(let number): number
    case .integer(let number): Double(number)
    default: nil
    }
  }
}
