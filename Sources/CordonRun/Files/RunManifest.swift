import CordonCore
import CordonSupport

/// The resources that a run used.
///
/// Only this part of the manifest and the output path differ between two equal runs.
package struct RunTimings: Hashable, Sendable {
  /// A phase of the work.
  package struct Phase: Hashable, Sendable {
    /// The name: `venue`, `movement`, `contacts`, `report`.
    package var name: String
    /// The user and system time of all threads in seconds.
    package var cpuSeconds: Double
    /// The elapsed time in seconds.
    package var wallSeconds: Double

    /// Creates a phase from its parts.
    package init(name: String, cpuSeconds: Double, wallSeconds: Double) {
      self.name = name
      self.cpuSeconds = cpuSeconds
      self.wallSeconds = wallSeconds
    }
  }

  /// The phases in the order of their execution.
  package var phases: [Phase]
  /// The user and system time of the process so far in seconds.
  package var cpuSeconds: Double
  /// The maximum resident size so far in MiB.
  package var peakMebibytes: Double
  /// The number of threads.
  package var threads: Int

  /// Creates timings from their parts.
  package init(phases: [Phase] = [], cpuSeconds: Double = 0, peakMebibytes: Double = 0, threads: Int = 1) {
    self.phases = phases
    self.cpuSeconds = cpuSeconds
    self.peakMebibytes = peakMebibytes
    self.threads = threads
  }

  var json: JSONValue {
    [
      "cpu_s": .number(RunTimings.rounded(cpuSeconds)),
      "peak_mib": .number(RunTimings.rounded(peakMebibytes)),
      "threads": JSONValue(threads),
      "phases": .array(
        phases.map {
          [
            "name": .string($0.name), "cpu_s": .number(RunTimings.rounded($0.cpuSeconds)),
            "wall_s": .number(RunTimings.rounded($0.wallSeconds)),
          ]
        }),
    ]
  }

  private static func rounded(_ value: Double) -> Double { (value * 1_000).rounded() / 1_000 }
}

/// The file `manifest.json`: the origin of the folder and its files.
struct RunManifest {
  static let schema = "cordon.run/1"
  static let fileName = "manifest.json"

  /// A file of the folder.
  struct Entry {
    var name: String
    /// The SHA-256 of the bytes, or of the logical dump of a database.
    var sha256: String
    var isDatabase = false
  }

  var contents: RunContents
  var entries: [Entry]
  var timings: RunTimings
  var outputPath: String

  var json: JSONValue {
    let parameters = contents.parameters
    return [
      "schema": .string(RunManifest.schema),
      "version": .string(parameters.version),
      "partial": .bool(contents.isPartial),
      "arguments": .array(parameters.command.map(JSONValue.string)),
      // Beyond 2^53, a reader with double precision would read another number.
      "seed": parameters.seed < 1 << 53 ? .integer(Int64(parameters.seed)) : .string(String(parameters.seed)),
      "start": .string(parameters.start.rfc3339),
      "duration_s": .number(parameters.duration.seconds),
      "venue": [
        "id": .string(contents.venue.id.rawValue), "name": .string(contents.venue.name),
        "sha256": .string(contents.venue.contentHash),
      ],
      "inputs": .array(
        contents.inputs.map {
          ["role": .string($0.role), "name": .string($0.name), "sha256": .string($0.sha256)]
        }),
      "outputs": .array(
        entries.map {
          ["name": .string($0.name), $0.isDatabase ? "content_sha256" : "sha256": .string($0.sha256)]
        }),
      "output_path": .string(outputPath),
      "timings": timings.json,
    ]
  }
}
