import CordonConsole
import CordonCore
import CordonGeometry
import CordonSupport
import CordonVenues

/// Which spaces of a venue are recorded in full, by their floor only, or not at all.
struct RecordingSummary {
  struct Entry {
    var id: SpaceID
    var name: String?
    var kind: String
    var recording: GateVerdict.Recording
  }

  let entries: [Entry]

  /// Of a map: what a policy makes of its spaces.
  init(_ venue: Venue, policy: RecordingPolicy = RecordingPolicy()) {
    entries = venue.spaces.map {
      Entry(id: $0.id, name: $0.name.text(), kind: $0.kind.rawValue, recording: policy.recording(of: $0))
    }
  }

  /// Of a packed venue, which holds no names.
  init(_ packed: PackedVenue) {
    entries = packed.spaces.map { Entry(id: $0.id, name: nil, kind: $0.kind.rawValue, recording: $0.recording) }
  }

  private func entries(_ recording: GateVerdict.Recording) -> [Entry] { entries.filter { $0.recording == recording } }

  var json: JSONValue {
    func list(_ recording: GateVerdict.Recording) -> JSONValue {
      .array(
        entries(recording).map {
          ["id": .string($0.id.rawValue), "name": JSONValue($0.name), "kind": .string($0.kind)]
        })
    }
    return [
      "full_count": .count(entries(.full).count), "floor_only_count": .count(entries(.floorOnly).count),
      "unrecorded_count": .count(entries(.unrecorded).count), "floor_only": list(.floorOnly),
      "unrecorded": list(.unrecorded),
    ]
  }

  var text: String {
    var lines = ["Recording"]
    lines.append("  in full: \(Counted.of(entries(.full).count, "space"))")
    for (title, recording) in [("floor only", GateVerdict.Recording.floorOnly), ("unrecorded", .unrecorded)] {
      let kinds = Dictionary(grouping: entries(recording), by: \.kind).sorted { $0.key < $1.key }
      if kinds.isEmpty { lines.append("  \(title): none") }
      for (kind, spaces) in kinds {
        let names = spaces.prefix(10).map { Self.shown($0.name ?? $0.id.rawValue) }
        let rest = spaces.count > 10 ? " and \(spaces.count - 10) more" : ""
        lines.append("  \(title): \(spaces.count) \(kind) (\(names.joined(separator: ", "))\(rest))")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A name from a file, without what would move the cursor of a terminal.
  private static func shown(_ name: String) -> String {
    String(
      String.UnicodeScalarView(
        name.unicodeScalars.map {
          [.control, .format, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory) ? "?" : $0
        }))
  }
}
