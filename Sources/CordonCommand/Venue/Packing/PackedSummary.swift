import CordonCommandLine
import CordonConsole
import CordonCore
import CordonGeometry
import CordonSupport
import CordonVenues
import Foundation

/// A packed venue named on the command line.
enum PackedVenueFile {
  /// Reads the file if it is a packed venue; `nil` when it is something else.
  /// - Throws: when it is a packed venue that is damaged, or of a newer version.
  static func read(_ path: String) throws -> PackedVenue? {
    guard isPacked(path) else { return nil }
    let bytes: Data
    do {
      bytes = try TextFile.contents(of: path)
    } catch {
      throw CommandError("cannot be read: \(Output.reason(of: error))", code: "unreadable", file: path)
    }
    do {
      return try PackedVenue(decoding: Array(bytes))
    } catch {
      throw CommandError(
        "\(error.description). \(error.remedy)", code: error.reason.rawValue, file: path,
        place: error.byteOffset.map { "at byte \($0)" })
    }
  }

  /// Whether a regular file begins like a packed venue.
  static func isPacked(_ path: String) -> Bool {
    // Only a regular file: to look into anything else takes its beginning away, or waits for it.
    let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let type = (try? FileManager.default.attributesOfItem(atPath: file))?[.type] as? FileAttributeType
    guard type == .typeRegular, let handle = FileHandle(forReadingAtPath: file) else { return false }
    defer { try? handle.close() }
    guard let start = try? handle.read(upToCount: PackedVenue.signature.count) else { return false }
    return Array(start) == PackedVenue.signature
  }
}

/// What `venue info` reports of a packed venue.
struct PackedSummary {
  let packed: PackedVenue

  private var kinds: [(kind: String, count: Int)] {
    Dictionary(grouping: packed.spaces, by: \.kind).map { ($0.key.rawValue, $0.value.count) }.sorted { $0.0 < $1.0 }
  }
  private var wallCount: Int { packed.walls.reduce(0) { $0 + $1.segments.count } }

  var json: JSONValue {
    let floors = packed.floors.map { floor -> JSONValue in
      [
        "id": .string(floor.id.rawValue), "ordinal": .number(floor.ordinal.value),
        "space_count": .count(packed.spaces.count { $0.floor == floor.id }),
      ]
    }
    return [
      "schema": "cordon.venue-info-packed/1", "id": .string(packed.venue.rawValue), "format": "packed",
      "content_sha256": .string(packed.contentHash),
      "geofence": [
        "center": packed.geofence.center.json, "radius_m": .number(packed.geofence.radius),
        "exit_radius_m": .number(packed.geofence.exitRadius),
      ],
      "tolerance_m": .number(packed.tolerance), "floors": .array(floors),
      "space_kinds": .object(kinds.map { JSONValue.Member($0.kind, .count($0.count)) }),
      "floor_count": .count(packed.floors.count), "space_count": .count(packed.spaces.count),
      "wall_count": .count(wallCount), "recording": RecordingSummary(packed).json,
    ]
  }

  var text: String {
    func metres(_ value: Double) -> String { "\((value * 100).rounded() / 100) m" }
    let center = packed.geofence.center
    var lines = [
      "\(packed.venue)  (packed venue)", "  id        \(packed.venue)", "  contents  \(packed.contentHash)",
      "  geofence  \((center.longitude * 1e7).rounded() / 1e7),\((center.latitude * 1e7).rounded() / 1e7), "
        + "radius \(metres(packed.geofence.radius)), left at \(metres(packed.geofence.exitRadius))",
      "  tolerance \(metres(packed.tolerance))", "Floors",
    ]
    lines += packed.floors.map { floor in
      "  \(floor.ordinal)  \(floor.id): \(Counted.of(packed.spaces.count { $0.floor == floor.id }, "space"))"
    }
    lines.append("Spaces")
    lines += kinds.map { "  \($0.count) \($0.kind)" }
    lines.append("\(wallCount) walls")
    return lines.joined(separator: "\n") + "\n" + RecordingSummary(packed).text
  }
}
