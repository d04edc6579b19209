package import CordonCore
package import CordonGeometry
package import CordonVenues

/// A venue as the server holds it: its gate, its frame, and the files that are handed out.
package struct ServedVenue: Sendable {
  /// The venue.
  package let id: VenueID
  /// SHA-256 of the bundle.
  package let contentHash: String
  /// A name for people.
  package let name: String
  /// Judges positions.
  let gate: any VenueGate
  /// The venue in the form that devices load.
  let packed: [UInt8]
  /// The bundle as it lies in the folder, if it is one file.
  let bundle: Bundle?
  /// In which positions are projected to find contacts.
  let frame: LocalFrame
  /// The spaces that may be shown, and the plan that finds them.
  let plan: SpacePlan?
  /// The spaces whose rows are kept whole, in the order of the map.
  package let outlines: [SpaceOutline]
  /// The walls that decide whether a contact is in line of sight.
  let walls: VenueWalls
  /// The floors of the venue; `nil` without a map.
  let floors: Set<FloorOrdinal>?
  /// The map as pages draw it; `nil` without a map.
  var document: PlanDocument?
  /// The walls that could not be built: contacts there do not state whether the two were in line of sight.
  package internal(set) var findings: [VenueFinding] = []

  /// A file that is handed out.
  struct Bundle: Sendable {
    var bytes: [UInt8]
    var mediaType: String
    var hash: String
  }

  /// A venue without a map: for tests, and for places whose gate is all that is known.
  /// - Parameters:
  ///   - gate: judges positions.
  ///   - name: a name for people; the identifier by default.
  ///   - walls: of the floors of which they are known, in metres from the middle of the geofence.
  ///   - floors: the floors that it has; `nil` for any.
  package init(
    gate: any VenueGate, name: String? = nil, walls: [FloorOrdinal: [WallSegment]] = [:],
    floors: Set<FloorOrdinal>? = nil
  ) {
    self.floors = floors
    id = gate.venue
    contentHash = gate.contentHash
    self.name = name ?? gate.venue.rawValue
    self.gate = gate
    packed = []
    bundle = nil
    frame = LocalFrame(origin: gate.geofence.center)
    plan = nil
    outlines = []
    let byThousandths = walls.map { ($0.key.thousandths, $0.value) }
    self.walls = VenueWalls(
      origin: gate.geofence.center, segments: Dictionary(byThousandths) { first, _ in first })
  }

  init(packed venue: PackedVenue, name: String, bundle: Bundle?) throws(PackedVenueError) {
    id = venue.venue
    contentHash = venue.contentHash
    self.name = name
    gate = PackedVenueGate(venue)
    packed = try venue.encode()
    self.bundle = bundle
    frame = LocalFrame(origin: venue.geofence.center)
    plan = SpacePlan(venue, frame: frame)
    let ordinals = Dictionary(venue.floors.map { ($0.id, $0.ordinal) }) { first, _ in first }
    let place = frame
    outlines = venue.spaces.compactMap { space in
      guard space.recording == .full, let floor = ordinals[space.floor] else { return nil }
      return SpaceOutline(space, floor: floor, frame: place)
    }
    walls = VenueWalls(venue)
    floors = venue.floors.isEmpty ? nil : Set(venue.floors.map(\.ordinal))
  }
}
