/// What is to be said about a bundle: how it was read, what is in it, and everything that is wrong with it.
public struct VenueValidation: Sendable {
  /// The format it was read as; `nil` when it could not be read.
  public var format: VenueFormat?
  /// The version that the source claims.
  public var version: String?
  /// All findings; the reason when it could not be read is the last one, with severity error and action refused.
  public var findings: [VenueFinding]
  /// Floors, also those outdoors.
  public var floorCount = 0
  /// Spaces, without furniture.
  public var spaceCount = 0
  /// Doors and other ways through walls.
  public var openingCount = 0
  /// Stairs, elevators and other ways between floors.
  public var connectionCount = 0
  /// Nodes of the source's own graph.
  public var nodeCount = 0

  /// Describes a venue that was read.
  public init(_ loaded: LoadedVenue) {
    format = loaded.venue.format
    version = loaded.venue.formatVersion
    findings = loaded.findings
    floorCount = loaded.venue.floors.count
    spaceCount = loaded.venue.spaces.count
    openingCount = loaded.venue.openings.count
    connectionCount = loaded.venue.connections.count
    nodeCount = loaded.venue.graph?.nodes.count ?? 0
  }

  /// Reads what is at a path and describes it. Errors: only those of a path with nothing readable at it
  /// (`not-found`, `unreadable`); whatever is wrong inside is a finding.
  public static func validate(path: String, options: VenueReadOptions = VenueReadOptions()) throws(VenueError) -> Self {
    do throws(VenueError) {
      return VenueValidation(try VenueLoader.load(path: path, options: options))
    } catch {
      guard error.code != "not-found", error.code != "unreadable" else { throw error }
      return VenueValidation(error)
    }
  }

  /// Describes a bundle that could not be read.
  public init(_ error: VenueError) {
    findings = [
      VenueFinding(
        severity: .error, code: error.code, file: error.file, pointer: error.pointer ?? "", action: .refused,
        message: error.message + (error.byteOffset.map { " (at byte \($0))" } ?? ""))
    ]
  }

  /// Whether there is a finding of severity error.
  public var hasErrors: Bool { findings.contains { $0.severity == .error } }

  /// Findings of one kind in one file, for people who need no list of a thousand.
  public struct Group: Hashable, Sendable {
    /// The first finding of the group.
    public var first: VenueFinding
    /// How many there are.
    public var count: Int
  }

  /// The findings by severity, code, file and action: errors first, then in the order in which they were met.
  public var groups: [Group] {
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
