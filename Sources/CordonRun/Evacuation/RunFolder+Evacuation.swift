import CordonCore
import CordonSupport
import Foundation

/// The origin of an evacuation: the command, its inputs and its resources.
package struct EvacuationOrigin: Sendable {
  /// The version of the program, and the words of a command that gives the same result.
  package var version: String
  package var command: [String]
  /// The files that were read.
  package var inputs: [RunInput]
  package var seed: UInt64
  package var timings: RunTimings

  /// Creates an origin from its parts.
  package init(version: String, command: [String], inputs: [RunInput], seed: UInt64, timings: RunTimings) {
    self.version = version
    self.command = command
    self.inputs = inputs
    self.seed = seed
    self.timings = timings
  }
}

extension RunFolder {
  /// The name of the object in an evacuation folder.
  static let evacuationFile = "evacuation.json"
  private static var evacuationTables: [(String, (EvacuationReport, @escaping EvacuationTables.Sink) throws -> Void)] {
    [
      ("replicas.csv", EvacuationTables.replicas), ("people.csv", EvacuationTables.people),
      ("exits.csv", EvacuationTables.exits), ("bottlenecks.csv", EvacuationTables.bottlenecks),
      ("flows.csv", EvacuationTables.flows), ("inside.csv", EvacuationTables.inside),
      ("spaces.csv", EvacuationTables.spaces), ("density.csv", EvacuationTables.density),
    ]
  }

  /// Writes an evacuation and moves the folder into place. After an error, the hidden folder is removed and the target
  /// is unchanged.
  /// - Returns: the files of the folder at their final paths.
  /// - Throws: ``RunFolderError`` if a file cannot be written.
  package func write(_ report: EvacuationReport, origin: EvacuationOrigin) throws -> [RunOutput] {
    do {
      var entries = try Self.evacuationTables.map { name, write in try put(name) { try write(report, $0) } }
      entries.append(
        try put(Self.evacuationFile) { try $0(Array((EvacuationJSON(report).object.text(pretty: true) + "\n").utf8)) })
      entries.append(
        try put(TrajectoryFile.name) { sink in
          try sink(TrajectoryFile.encode(report.segments, origin: report.origin, start: report.start).bytes)
        })
      entries.append(try put("report.html") { try $0(Array(EvacuationPage(report, origin: origin).html.utf8)) })
      entries.sort { $0.name < $1.name }
      let manifest = Self.manifest(report, origin: origin, entries: entries, path: path)
      _ = try put(RunManifest.fileName) { try $0(Array((manifest.text(pretty: true) + "\n").utf8)) }
      try moveIntoPlace()
    } catch {
      discard()
      throw error
    }
    return Self.evacuationOutputs(at: path)
  }

  /// The paths of all files that the hidden folder of an evacuation can hold.
  package var unfinishedEvacuationFiles: [String] {
    (Self.evacuationTables.map(\.0) + [Self.evacuationFile, TrajectoryFile.name, "report.html", RunManifest.fileName])
      .map(file)
  }

  /// Returns the files of an evacuation folder by role.
  package static func evacuationOutputs(at path: String) -> [RunOutput] {
    let folder = path.hasSuffix("/") ? String(path.dropLast()) : path
    func output(_ role: String, _ name: String) -> RunOutput { RunOutput(role: role, path: folder + "/" + name) }
    return [
      RunOutput(role: "folder", path: path), output("report", "report.html"), output("evacuation", evacuationFile),
      output("manifest", RunManifest.fileName),
    ] + evacuationTables.map { output(String($0.0.dropLast(4)), $0.0) } + [output("trajectories", TrajectoryFile.name)]
  }

  private static func manifest(
    _ report: EvacuationReport, origin: EvacuationOrigin, entries: [RunManifest.Entry], path: String
  ) -> JSONValue {
    [
      "schema": "cordon.evacuation/1", "version": .string(origin.version), "partial": .bool(report.isPartial),
      "arguments": .array(origin.command.map(JSONValue.string)),
      "seed": origin.seed < 1 << 53 ? .integer(Int64(origin.seed)) : .string(String(origin.seed)),
      "start": .string(report.start.rfc3339),
      "venue": [
        "id": .string(report.venue.id.rawValue), "name": .string(report.venue.name),
        "sha256": .string(report.venue.contentHash),
      ],
      "inputs": .array(
        origin.inputs.map {
          ["role": .string($0.role), "name": .string($0.name), "sha256": .string($0.sha256)]
        }),
      "outputs": .array(entries.map { ["name": .string($0.name), "sha256": .string($0.sha256)] }),
      "output_path": .string(path), "timings": origin.timings.json,
    ]
  }
}
