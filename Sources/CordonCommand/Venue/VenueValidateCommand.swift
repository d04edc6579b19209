import ArgumentParser
import CordonCommandLine
import CordonCore
import CordonSupport
import CordonVenues
import Foundation

/// The command `cordon venue validate`.
struct VenueValidateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "List the faults of a map, with place and repair.",
    discussion: """
      Example:

        cordon venue validate venues/office.mvf.zip

      Each finding has a severity, a stable code, the file, the place in it, the object and the action: repaired, ignored \
      or refused. A summary by code precedes the list, which has at most 20 findings of a code. The report ends with the \
      parts that walking connects and with the spaces that stay unrecorded when the map is packed without options. Exit \
      status 1 when a finding is an error, or when more than 5 % of the area that people may use is out of reach of every \
      entrance; 2 when the map cannot be read.
      """)

  @OptionGroup(title: "Input") var input: VenueInput

  @Flag(help: "List all findings of a code, not only the first 20. JSON always has all.")
  var all = false

  @OptionGroup(title: "Output") var output: JSONOption

  func run() throws {
    let report = ValidationReport(try input.load(), file: URL(fileURLWithPath: input.path).lastPathComponent)
    try output.report(report.json, report.text(all: all))
    if report.hasErrors { throw ExitCode(1) }
  }
}

/// The report of `venue validate`.
struct ValidationReport {
  private let venue: Venue
  private let validation: VenueValidation
  /// The parts of the venue; `nil` if the map has no walkable area.
  let connectivity: ConnectivityReport?
  /// The routes of people; `nil` if the map has no walkable area.
  let routes: PlanNavigation?

  init(_ loaded: LoadedVenue, file: String) {
    venue = loaded.venue
    var validation = VenueValidation(loaded)
    do {
      let routes = try VenueRoutes(loaded.venue).routes
      let report = ConnectivityReport(routes, file: file)
      validation.findings += report.findings
      self.routes = routes
      connectivity = report
    } catch {
      validation.findings.append(
        VenueFinding(
          severity: .warning, code: error.code, file: file, pointer: error.pointer ?? "", action: .ignored,
          message: "nobody can walk on the map: \(error.message)"))
      connectivity = nil
      routes = nil
    }
    self.validation = validation
  }

  /// All findings: those of the reader, then those of connectivity.
  var findings: [VenueFinding] { validation.findings }

  /// Whether the map has an error, or too much of its area is unreachable.
  var hasErrors: Bool { validation.hasErrors || connectivity?.connectivity.isTooUnreachable == true }

  var json: JSONValue {
    [
      "schema": "cordon.venue-validate/1", "format": .string(venue.format.rawValue),
      "version": JSONValue(venue.formatVersion), "findings": .array(validation.findings.map(\.json)),
      "summary": .array(summary.map(\.json)),
      "floor_count": .count(validation.floorCount), "space_count": .count(validation.spaceCount),
      "opening_count": .count(validation.openingCount), "connection_count": .count(validation.connectionCount),
      "node_count": .count(validation.nodeCount), "parts": connectivity?.partsJSON ?? .null,
      "unreachable_spaces": connectivity?.unreachableJSON ?? .null, "recording": RecordingSummary(venue).json,
    ]
  }

  /// The number of findings with one severity and code.
  private struct SummaryEntry {
    var severity: VenueFinding.Severity
    var code: String
    var count: Int

    var json: JSONValue {
      ["severity": .string(severity.rawValue), "code": .string(code), "count": .count(count)]
    }
  }

  /// The numbers of findings by severity and code: errors first, then in order of occurrence.
  private var summary: [SummaryEntry] {
    var entries: [SummaryEntry] = []
    for group in validation.groups {
      let (severity, code) = (group.first.severity, group.first.code)
      if let place = entries.firstIndex(where: { $0.severity == severity && $0.code == code }) {
        entries[place].count += group.count
      } else {
        entries.append(SummaryEntry(severity: severity, code: code, count: group.count))
      }
    }
    return entries
  }

  /// The number of findings of one severity and code that a short list has.
  private static let listed = 20

  /// Returns the report for a terminal.
  /// - Parameter all: whether the list has all findings; otherwise at most ``listed`` of each severity and code.
  func text(all: Bool) -> String {
    var text = ""
    let summary = summary
    // A summary of a few different findings would repeat the list.
    if validation.findings.count > summary.count {
      for entry in summary { text += "\(entry.count) x \(entry.severity.rawValue): \(entry.code)\n" }
      text += "\n"
    }
    var counts: [String: Int] = [:]
    for finding in validation.findings {
      let kind = "\(finding.severity.rawValue): \(finding.code)"
      counts[kind, default: 0] += 1
      guard all || counts[kind, default: 0] <= Self.listed else { continue }
      let place = finding.pointer.isEmpty ? finding.file : "\(finding.file)#\(finding.pointer)"
      text += "\(kind): \(place): \(finding.message) (\(finding.action.rawValue))\n"
    }
    for entry in summary where !all && entry.count > Self.listed {
      text += "\(entry.severity.rawValue): \(entry.code): \(entry.count - Self.listed) more; --all lists them\n"
    }
    let totals = VenueFinding.Severity.allCases.map { severity in
      "\(validation.findings.count { $0.severity == severity }) \(severity.rawValue)"
    }
    let lines = connectivity.map { $0.lines.joined(separator: "\n") + "\n" } ?? ""
    return text + lines + RecordingSummary(venue).text
      + "\(venue.format.rawValue): \(totals.joined(separator: ", "))\n"
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
