import CordonCore
import CordonGeometry
import CordonReplay
import CordonRun
import CordonVenues

/// A venue as replays use it.
struct ReplayPlace: Sendable {
  let venue: Venue
  let packed: PackedVenue
  /// Names of spaces, which stand for their identifiers in expectations.
  let spaceNames: [SpaceID: String]

  init(_ venue: Venue, _ packed: PackedVenue) {
    self.venue = venue
    self.packed = packed
    spaceNames = Dictionary(
      venue.spaces.map { ($0.id, $0.name.text() ?? "") }.filter { !$0.1.isEmpty },
      uniquingKeysWith: { first, _ in first }
    )
  }

  /// The venue's name, or its identifier.
  var name: String {
    let name = venue.name.text() ?? ""
    return name.isEmpty ? venue.id.rawValue : name
  }
}

/// What one replay gave, and what became of its expectations.
struct ReplayOutcome {
  let result: ReplayResult
  /// The venue's name.
  let venue: String
  /// How long the replay took.
  let seconds: Double
  /// Without `--update`: what became of the expectations.
  var expectations: [ExpectationOutcome] = []
  /// With `--update`, of a file that was there: the changes.
  var update: ExpectationUpdate?
  /// The written files.
  var files: [RunOutput] = []

  init(_ result: ReplayResult, venue: String, seconds: Double) {
    self.result = result
    self.venue = venue
    self.seconds = seconds
  }

  /// How many expectations there are.
  var expectationCount: Int { update?.count ?? expectations.count }

  /// Those that do not hold in the end.
  var failed: [ExpectationOutcome] { update?.left ?? expectations.filter { !$0.isMet } }

  /// Whether the exit status is 1.
  var hasFailed: Bool { !failed.isEmpty || !result.storedOutside.isEmpty }
}
