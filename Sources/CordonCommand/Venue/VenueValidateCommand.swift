import ArgumentParser
import CordonCommandLine
import CordonCore
import CordonSupport
import CordonVenues

/// The command `cordon venue validate`.
struct VenueValidateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "List the faults of a map, with place and repair.",
    discussion: """
      Example:

        cordon venue validate venues/office.mvf.zip

      Each finding has a severity, a stable code, the file, the place in it, the object and the action: repaired, ignored \
      or refused. The report ends with the spaces that stay unrecorded when the map is packed without options. Exit status 1 \
      when a finding is an error, 2 when the map cannot be read.
      """)

  @OptionGroup(title: "Input") var input: VenueInput

  @OptionGroup(title: "Output") var output: JSONOption

  func run() throws {
    let report = ValidationReport(try input.load())
    try output.report(report.json, report.text)
    if report.hasErrors { throw ExitCode(1) }
  }
}

/// The report of `venue validate`.
struct ValidationReport {
  let loaded: LoadedVenue

  init(_ loaded: LoadedVenue) { self.loaded = loaded }

  var hasErrors: Bool { loaded.findings.contains { $0.severity == .error } }

  var json: JSONValue {
    let venue = loaded.venue
    return [
      "schema": "cordon.venue-validate/1", "format": .string(venue.format.rawValue),
      "version": JSONValue(venue.formatVersion), "findings": .array(loaded.findings.map(\.json)),
      "floor_count": .count(venue.floors.count), "space_count": .count(venue.spaces.count),
      "opening_count": .count(venue.openings.count), "connection_count": .count(venue.connections.count),
      "node_count": .count(venue.graph?.nodes.count ?? 0), "recording": RecordingSummary(venue).json,
    ]
  }

  var text: String {
    var text = ""
    for finding in loaded.findings {
      let place = finding.pointer.isEmpty ? finding.file : "\(finding.file)#\(finding.pointer)"
      text +=
        "\(finding.severity.rawValue): \(finding.code): \(place): \(finding.message) (\(finding.action.rawValue))\n"
    }
    let counts = VenueFinding.Severity.allCases.map { severity in
      "\(loaded.findings.count { $0.severity == severity }) \(severity.rawValue)"
    }
    return text + RecordingSummary(loaded.venue).text
      + "\(loaded.venue.format.rawValue): \(counts.joined(separator: ", "))\n"
  }
}

extension VenueFinding {
  /// A finding in the JSON of `venue validate` and `venue pack`.
  var json: JSONValue {
    [
      "severity": .string(severity.rawValue), "code": .string(code), "file": .string(file),
      "pointer": .string(pointer), "object": JSONValue(object), "action": .string(action.rawValue),
      "message": .string(message),
    ]
  }
}
