public import CordonCore

/// The gate of a packed venue, which judges every fix on a device.
///
/// - A position in the venue's boundary or within its tolerance is inside. With a minimum probability, the device must
///   also be inside the boundary with that probability, given its accuracy. A position of unknown accuracy is then
///   outside.
/// - On a known floor, the space is the smallest one at the position on all floors of that ordinal.
/// - An unknown floor, and an ordinal that the venue does not have, never give a space.
/// - The recording protects privacy: the strictest space at the position decides, not the smallest. On a known floor,
///   any `unrecorded` space on a floor of that ordinal makes the position unrecorded. Otherwise any `floorOnly` space
///   makes it floorOnly. With an unknown floor, the same rule applies to the spaces of all floors, since the device may be
///   in any of them.
/// - The verdict contains the space only if the position may be kept in full.
///
/// Verdicts of outside do not allocate memory.
public struct PackedVenueGate: VenueGate {
  /// The venue's identifier.
  public let venue: VenueID
  /// The SHA-256 of the bundle that the packed venue was made from, 64 hexadecimal digits.
  public let contentHash: String
  /// The circle for region monitoring by the operating system.
  public let geofence: Geofence
  /// The minimum probability of being inside, 0 ... 1; 0 judges the reported position alone.
  public let minimumProbability: Double
  private let boundary: Gate
  private let index: BoundaryIndex?
  private let levels: [Level]
  /// The private spaces of all floors.
  private let everywhere: PrivateSpaces

  /// The floors of one ordinal.
  private struct Level {
    var ordinal: FloorOrdinal
    var identifiers: [SpaceID]
    var index: SpaceIndex
    var privateSpaces: PrivateSpaces
  }

  /// The areas with a restricted recording; `nil` if there are none.
  private struct PrivateSpaces {
    var unrecorded: Gate?
    var floorOnly: Gate?

    init(_ spaces: some Sequence<PackedVenue.Space>) {
      func gate(_ recording: GateVerdict.Recording) -> Gate? {
        let polygons = spaces.filter { $0.recording == recording }.flatMap(\.outline.polygons)
        return polygons.isEmpty ? nil : Gate(compact: GeoMultiPolygon(polygons))
      }
      unrecorded = gate(.unrecorded)
      floorOnly = gate(.floorOnly)
    }

    func recording(at position: Coordinate) -> GateVerdict.Recording {
      if let unrecorded, unrecorded.contains(position) { return .unrecorded }
      if let floorOnly, floorOnly.contains(position) { return .floorOnly }
      return .full
    }
  }

  /// Prepares a packed venue.
  ///
  /// The nearest probability in 0 ... 1 replaces a minimum probability outside that range; 1 replaces NaN.
  public init(_ packed: PackedVenue, minimumProbability: Double = 0) {
    let least = minimumProbability.isNaN ? 1 : min(max(minimumProbability, 0), 1)
    self.minimumProbability = least
    index = least > 0 ? BoundaryIndex(packed.boundary) : nil
    venue = packed.venue
    contentHash = packed.contentHash
    geofence = packed.geofence
    boundary = Gate(packed.boundary, tolerance: packed.tolerance)
    everywhere = PrivateSpaces(packed.spaces)
    let frame = packed.frame
    let ordinals = Dictionary(packed.floors.map { ($0.id, $0.ordinal) }) { first, _ in first }
    levels = Set(packed.floors.map(\.ordinal)).sorted().map { ordinal in
      let spaces = packed.spaces.filter { ordinals[$0.floor] == ordinal }
      return Level(
        ordinal: ordinal, identifiers: spaces.map(\.id), index: SpaceIndex(spaces.map(\.outline), frame: frame),
        privateSpaces: PrivateSpaces(spaces))
    }
  }

  /// Judges a reported position of unknown accuracy.
  public func judge(_ coordinate: Coordinate, floor: FloorOrdinal?) -> GateVerdict {
    judge(coordinate, floor: floor, accuracy: nil)
  }

  /// Judges a reported position with a 68 % error radius of `accuracy` metres, `nil` if it is unknown.
  public func judge(_ coordinate: Coordinate, floor: FloorOrdinal?, accuracy: Double?) -> GateVerdict {
    guard boundary.contains(coordinate) else { return .outside }
    if let index {
      guard let accuracy, index.probabilityInside(at: coordinate, accuracy: accuracy) >= minimumProbability else {
        return .outside
      }
    }
    guard let floor, let level = levels.first(where: { $0.ordinal == floor }) else {
      return GateVerdict(isInside: true, recording: everywhere.recording(at: coordinate))
    }
    let recording = level.privateSpaces.recording(at: coordinate)
    guard recording == .full, let space = level.index.space(at: coordinate) else {
      return GateVerdict(isInside: true, recording: recording)
    }
    return GateVerdict(isInside: true, space: level.identifiers[space])
  }
}
