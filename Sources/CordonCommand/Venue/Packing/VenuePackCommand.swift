import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonCore
import CordonGeometry
import CordonSupport
import CordonVenues
import Foundation

/// The command `cordon venue pack`.
struct VenuePackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pack",
    abstract: "Pack a venue for phones: boundary, geofence, spaces and walls.",
    discussion: """
      Example:

        cordon venue pack venues/office.mvf.zip --floor-only office -o office.cvp

      Phones record nothing in unrecorded spaces, and only the floor in floor-only spaces. Restrooms and prayer rooms are \
      unrecorded by default. The file holds no names; that of an office has a few kilobytes.
      """)

  @OptionGroup(title: "Input") var input: VenueInput
  @OptionGroup(title: "Boundary") var boundary: BoundaryOptions
  @OptionGroup(title: "Geofence") var geofence: GeofenceOptions

  /// The options for the places where phones record, and for the recorded detail.
  struct Recording: ParsableArguments {
    @Option(
      help: ArgumentHelp("The distance outside of the boundary that still counts as inside.", valueName: "metres"))
    var tolerance = DistanceArgument(0)

    @Option(
      help: ArgumentHelp(
        "A kind of space without recording; none for no kind. Repeat it for more. (default: restroom, prayer-room)",
        valueName: "kind"))
    var unrecorded: [KindList] = []

    @Option(
      help: ArgumentHelp("A kind of space of which only the floor is recorded. Repeat it for more.", valueName: "kind"))
    var floorOnly: [KindList] = []

    @Option(help: ArgumentHelp("A single space without recording. Repeat it for more.", valueName: "id"))
    var unrecordedSpace: [String] = []

    @Option(
      help: ArgumentHelp("A single space of which only the floor is recorded. Repeat it for more.", valueName: "id"))
    var floorOnlySpace: [String] = []

    func validate() throws {
      guard (0...1_000).contains(tolerance.metres) else {
        throw ValidationError("--tolerance must be from 0 to 1000 metres")
      }
    }
  }

  @OptionGroup(title: "Recording") var own: Recording
  @OptionGroup(title: "Output") var output: RequiredOutputOptions<PackFormat>

  private var policy: RecordingPolicy {
    RecordingPolicy(
      unrecordedKinds: own.unrecorded.isEmpty
        ? RecordingPolicy().unrecordedKinds : Set(own.unrecorded.compactMap(\.kind)),
      floorOnlyKinds: Set(own.floorOnly.compactMap(\.kind)),
      unrecordedSpaces: Set(own.unrecordedSpace.map { SpaceID($0) }),
      floorOnlySpaces: Set(own.floorOnlySpace.map { SpaceID($0) }))
  }

  /// Findings about spaces that may be private by their names, and are recorded in full all the same.
  private func doubts(in loaded: LoadedVenue) -> [VenueFinding] {
    let recorded = Set(loaded.venue.spaces.filter { policy.recording(of: $0) == .full }.map(\.id.rawValue))
    return loaded.findings.filter { $0.code == "possible-private-space" && recorded.contains($0.object ?? "") }
  }

  private func lines(_ findings: [VenueFinding]) -> String {
    findings.map { finding in
      let floor = finding.code == "walls-not-built" ? finding.object.map { "floor \($0): " } ?? "" : ""
      return "  \(finding.severity.rawValue): \(finding.code): \(floor)\(finding.message)\n"
    }.joined()
  }

  func run() throws {
    _ = try output.format()
    let destination = try output.destination(inputs: [input.path, boundary.boundaryPolygon].compactMap(\.self))
    let loaded = try input.load()
    let venue = loaded.venue
    let packing = try venue.packing(
      boundary: try boundary.choice(), policy: geofence.policy, recording: policy, tolerance: own.tolerance.metres)
    let packed = packing.venue
    let bytes: [UInt8]
    do {
      bytes = try packed.encode()
    } catch {
      throw CommandError(error.description, code: "not-packable", file: input.path)
    }
    try destination.write(bytes)
    try output.report(
      [
        "schema": "cordon.venue-pack/1", "venue": .string(venue.id.rawValue),
        "content_sha256": .string(venue.contentHash), "output": .string(output.output), "bytes": .count(bytes.count),
        "sha256": .string(SHA256.hexDigest(of: bytes)), "floor_count": .count(packed.floors.count),
        "space_count": .count(packed.spaces.count),
        "unrecorded_count": .count(packed.spaces.count { $0.recording == .unrecorded }),
        "floor_only_count": .count(packed.spaces.count { $0.recording == .floorOnly }),
        "wall_count": .count(packed.walls.reduce(0) { $0 + $1.segments.count }),
        "recording": RecordingSummary(venue, policy: policy).json, "findings": .array(packing.findings.map(\.json)),
      ],
      "\(output.output): venue \(venue.id), \(Counted.of(bytes.count, "byte")), "
        + "\(Counted.of(packed.spaces.count, "space"))\n" + RecordingSummary(venue, policy: policy).text
        + lines(packing.findings + doubts(in: loaded)))
  }
}

/// The format of a packed venue.
enum PackFormat: String, FileFormat, CaseIterable {
  case cvp

  static var endings: [(ending: String, format: PackFormat)] { [("cvp", .cvp)] }
  static var defaultFormat: PackFormat? { .cvp }
}

/// A kind of space on the command line, or `none`.
struct KindList: ExpressibleByArgument {
  let kind: SpaceKind?

  init?(argument: String) {
    guard argument == "none" || SpaceKind(rawValue: argument) != nil else { return nil }
    kind = SpaceKind(rawValue: argument)
  }

  static var allValueStrings: [String] { ["none"] + SpaceKind.allCases.map(\.rawValue) }
}
