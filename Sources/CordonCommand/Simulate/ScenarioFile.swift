import CordonCommandLine
import CordonCore
import CordonOverlays
import CordonSimulator
import CordonSupport
import CordonVenueTools
import CordonVenues
import Foundation

/// What `cordon simulate` was given: a venue, or a scenario with the venue that it names.
struct SimulationInput {
  var venue: Venue
  /// `nil` for a venue alone.
  var scenario: Scenario?
  /// The files that were read.
  var inputs: [RunInputFile]

  struct RunInputFile {
    var role: String
    var name: String
    var sha256: String
  }

  /// Whether a path names a scenario: by its suffix, or for JSON by what is in it.
  static func isScenario(_ path: String) -> Bool {
    switch URL(fileURLWithPath: path).pathExtension.lowercased() {
    case "yaml", "yml": true
    case "json":
      (try? String(contentsOfFile: path, encoding: .utf8))?.contains("\"populations\"") ?? false
    default: false
    }
  }

  /// Reads a venue or a scenario.
  /// - Parameters:
  ///   - venuePath: replaces the venue that a scenario names.
  ///   - overlay: the overlay of the venue.
  ///   - changes: take the place of values of a scenario.
  static func read(
    _ path: String, venuePath: String? = nil, overlay: OverlayChoice = .besideMap, changes: [ScenarioChange] = []
  ) throws -> SimulationInput {
    guard isScenario(path) else {
      let loaded = try OverlaidVenue.noting(path, overlay)
      return SimulationInput(venue: loaded.venue, scenario: nil, inputs: inputs(path, loaded))
    }
    let (scenario, bytes) = try ScenarioFile.read(path, changes: changes)
    let name = URL(fileURLWithPath: path).lastPathComponent
    let read = RunInputFile(role: "scenario", name: name, sha256: SHA256.hexDigest(of: Array(bytes)))
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    if let venuePath {
      let loaded = try OverlaidVenue.noting(venuePath, overlay)
      return SimulationInput(venue: loaded.venue, scenario: scenario, inputs: [read] + inputs(venuePath, loaded))
    }
    switch scenario.venue {
    case .file(let file):
      let place = file.hasPrefix("/") ? file : folder.appendingPathComponent(file).path
      guard FileManager.default.fileExists(atPath: place) else {
        throw ScenarioError(
          file: path, line: scenario.venueLine, path: "venue",
          message: "no file or folder '\(file)'" + (file.hasPrefix("/") ? "" : " beside the scenario"))
      }
      let loaded = try OverlaidVenue.noting(place, overlay)
      return SimulationInput(venue: loaded.venue, scenario: scenario, inputs: [read] + inputs(place, loaded))
    case .generated(let kind, let floors, let area, let seed):
      if case .file(let file) = overlay {
        throw CommandError(
          "the scenario generates its venue, and an overlay changes maps in files; write the venue with 'cordon venue generate'",
          code: "overlay", file: file)
      }
      let venue: Venue
      do {
        venue = try VenueGenerator.generate(
          kind: kind, floors: floors, area: area ?? kind.defaultArea, seed: seed, origin: VenueGenerator.defaultOrigin)
      } catch {
        throw CommandError("venue.generate: \(error.message)", code: error.code, file: path)
      }
      return SimulationInput(
        venue: venue, scenario: scenario,
        inputs: [read, RunInputFile(role: "venue", name: "\(kind.rawValue) (generated)", sha256: venue.contentHash)])
    case nil:
      throw CommandError("names no venue: write 'venue: FILE', or give --venue FILE", code: "scenario", file: path)
    }
  }

  /// The venue, whose hash covers the overlay, and the overlay.
  private static func inputs(_ path: String, _ loaded: OverlaidVenue) -> [RunInputFile] {
    [input("venue", path, loaded.venue.contentHash)]
      + (loaded.overlay.map { [input("overlay", $0.path, $0.sha256)] } ?? [])
  }

  private static func input(_ role: String, _ path: String, _ hash: String) -> RunInputFile {
    RunInputFile(role: role, name: URL(fileURLWithPath: path).lastPathComponent, sha256: hash)
  }
}

/// Scenarios on disk.
enum ScenarioFile {
  /// Reads a scenario; tables that it names lie beside it.
  static func read(_ path: String, changes: [ScenarioChange] = []) throws -> (scenario: Scenario, bytes: Data) {
    let (text, bytes) = try TextFile.read(path, code: "scenario")
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    let scenario = try Scenario(parsing: text, file: path, changes: changes) { name in
      try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    }
    return (scenario, bytes)
  }
}

extension ScenarioError: CommandErrorConvertible {
  var commandError: CommandError {
    let place = [line > 0 ? "line \(line)" : "", path].filter { !$0.isEmpty }.joined(separator: ", ")
    return CommandError(message, code: "scenario", file: file.isEmpty ? nil : file, place: place)
  }
}
