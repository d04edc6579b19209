/// A report on a bundle: its format, its contents and all findings.
package struct VenueValidation: Sendable {
  /// The format of the bundle; `nil` if it could not be read.
  package var format: VenueFormat?
  /// The version that the source states.
  package var version: String?
  /// All findings. If the bundle could not be read, the last one is the reason, with the severity error and the action
  /// refused.
  package var findings: [VenueFinding]
  /// The number of floors, including outdoor floors.
  package var floorCount = 0
  /// The number of spaces, without furniture.
  package var spaceCount = 0
  /// The number of openings in walls.
  package var openingCount = 0
  /// The number of connections between floors.
  package var connectionCount = 0
  /// The number of nodes in the source's own graph.
  package var nodeCount = 0

  /// Creates a report on a venue that was read.
  package init(_ loaded: LoadedVenue) {
    format = loaded.venue.format
    version = loaded.venue.formatVersion
    findings = loaded.findings
    floorCount = loaded.venue.floors.count
    spaceCount = loaded.venue.spaces.count
    openingCount = loaded.venue.openings.count
    connectionCount = loaded.venue.connections.count
    nodeCount = loaded.venue.graph?.nodes.count ?? 0
  }

  /// Reads the venue at a path, and returns a report on it.
  /// - Throws: ``VenueError`` with the code `not-found` or `unreadable`; all other faults are findings.
  package static func validate(path: String, options: VenueReadOptions = VenueReadOptions()) throws(VenueError) -> Self
  {
    do throws(VenueError) {
      return VenueValidation(try VenueLoader.load(path: path, options: options))
    } catch {
      guard error.code != "not-found", error.code != "unreadable" else { throw error }
      return VenueValidation(error)
    }
  }

  /// Creates a report on a bundle that could not be read.
  package init(_ error: VenueError) {
    findings = [
      VenueFinding(
        severity: .error, code: error.code, file: error.file, pointer: error.pointer ?? "", action: .refused,
        message: error.message + (error.byteOffset.map { " (at byte \($0))" } ?? ""))
    ]
  }

  /// Whether there is a finding with the severity error.
  package var hasErrors: Bool { findings.contains { $0.severity == .error } }

  /// Findings of one kind in one file, as a summary of long lists.
  package struct Group: Hashable, Sendable {
    /// The first finding of the group.
    package var first: VenueFinding
    /// The number of findings in the group.
    package var count: Int
  }

  /// The findings grouped by severity, code, file and action: errors first, then in order of occurrence.
  package var groups: [Group] {
    struct Key: Hashable {
      var severity: VenueFinding.Severity
      var code: String
      var file: String
      var action: VenueFinding.Action
    }
    var places: [Key: Int] = [:]
    var groups: [Group] = []
    for finding in findings {
      let key = Key(severity: finding.severity, code: finding.code, file: finding.file, action: finding.action)
      if let place = places[key] {
        groups[place].count += 1
      } else {
        places[key] = groups.count
        groups.append(Group(first: finding, count: 1))
      }
    }
    return VenueFinding.Severity.allCases.flatMap { severity in groups.filter { $0.first.severity == severity } }
  }
}
