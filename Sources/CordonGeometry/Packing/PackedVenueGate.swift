public import CordonCore

/// The gate of a packed venue: what a device asks for every fix.
///
/// - Inside is what lies in the venue's boundary, its tolerance included; with a minimum probability, what is also as probably
///   in the boundary as that, by its accuracy. An unknown accuracy is not a good one: it is outside then.
/// - On a known floor, the space is the smallest one at the position on all floors of that ordinal.
/// - An unknown floor, and an ordinal that the venue does not have, never give a space.
/// - How much may be kept is decided for privacy. On a known floor any `unrecorded` space at the position, on any floor of that
///   ordinal, makes it unrecorded, else any `coarse` one makes it coarse, whichever space is the smallest. When the floor
///   is unknown the same holds for the spaces of all floors, since the device may be in any of them.
/// - The space is told only when the position may be kept in full.
///
/// Answers outside allocate nothing.
public struct PackedVenueGate: VenueGate {
  /// The venue.
  public let venue: VenueID
  /// SHA-256 of the bundle that it was made of, 64 hexadecimal digits.
  public let contentHash: String
  /// The circle to watch.
  public let geofence: Geofence
  /// How probably a device has to be inside, 0 ... 1; 0 asks for nothing but the reported position.
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

  /// The areas in which not everything may be kept; `nil` when there is none.
  private struct PrivateSpaces {
    var unrecorded: Gate?
    var coarse: Gate?

    init(_ spaces: some Sequence<PackedVenue.Space>) {
      func gate(_ recording: GateVerdict.Recording) -> Gate? {
        let polygons = spaces.filter { $0.recording == recording }.flatMap(\.outline.polygons)
        return polygons.isEmpty ? nil : Gate(compact: GeoMultiPolygon(polygons))
      }
      unrecorded = gate(.unrecorded)
      coarse = gate(.coarse)
    }

    func recording(at position: Coordinate) -> GateVerdict.Recording {
      if let unrecorded, unrecorded.contains(position) { return .unrecorded }
      if let coarse, coarse.contains(position) { return .coarse }
      return .full
    }
  }

  /// Prepares a packed venue. A minimum probability that is not from 0 to 1 counts as the nearest that is; one that is no number
  /// counts as 1.
  public init(_ packed: PackedVenue, minimumProbability: Double = 0) {
    let least = minimumProbability.isNaN ? 1 : min(max(minimumProbability, 0), 1)
    self.minimumProbability = least
    index = least > 0 ? BoundaryIndex(packed.boundary) : nil
    venue = packed.venue
    contentHash = packed.contentHash
    geofence = packed.geofence
    #if CORDON_BUGS
      let filled = GeoMultiPolygon(packed.boundary.polygons.map { GeoPolygon(outer: $0.outer) })
      boundary = Gate(
        DeliberateBug.ignoreHoles.isActive ? filled : packed.boundary, tolerance: packed.tolerance)
    #else
      boundary = Gate(packed.boundary, tolerance: packed.tolerance)
    #endif
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

  /// Judges a reported position.
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
