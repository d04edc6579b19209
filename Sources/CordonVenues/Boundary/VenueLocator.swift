public import CordonCore
import CordonGeometry

/// Where a position lies in a venue.
public struct VenueLocation: Hashable, Sendable {
  /// Whether it is within the boundary, and as probably as the locator asks; the boundary itself is inside, holes are outside.
  public var isInside: Bool
  /// Metres to the boundary, negative inside; `nil` for what is no position.
  public var signedDistance: Double?
  /// The identifier of the building, if it lies in one.
  public var building: String?
  /// The floor: that of the space, else one of the right ordinal whose outline holds the position. `nil` when the
  /// ordinal is unknown or the venue has no such floor.
  public var floor: FloorID?
  /// The smallest space of all floors of the ordinal that holds the position.
  public var space: SpaceID?
  /// The probability that the device is inside, by its accuracy; `nil` when that is unknown.
  public var probabilityInside: Double?
}

/// Answers everything about a position from one question: inside or not, how far from the boundary, which building, floor and
/// space, how probable. Made once for a venue; asking takes about a microsecond.
public struct VenueLocator: Sendable {
  private let gate: Gate
  private let minimumProbability: Double
  private let index: BoundaryIndex
  private let venue: Venue
  private let spaces: [FloorOrdinal: (index: SpaceIndex, spaces: [Space])]
  private let floorByID: [FloorID: Floor]

  /// Prepares a venue with what counts as in it.
  /// - Parameters:
  ///   - tolerance: metres outside of the boundary that still count as inside.
  ///   - minimumProbability: how probably a device has to be inside to count as inside, beside its reported position;
  ///     with more than 0, a position of unknown accuracy is outside.
  ///   - venue: the venue.
  ///   - boundary: its outline.
  public init(_ venue: Venue, boundary: VenueBoundary, tolerance: Double = 0, minimumProbability: Double = 0) {
    self.venue = venue
    self.minimumProbability = minimumProbability
    gate = Gate(boundary.area, tolerance: tolerance)
    index = BoundaryIndex(boundary.area)
    let floors = Dictionary(venue.floors.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    floorByID = floors
    var byOrdinal: [FloorOrdinal: [Space]] = [:]
    for space in venue.spaces {
      guard let ordinal = floors[space.floor]?.ordinal else { continue }
      byOrdinal[ordinal, default: []].append(space)
    }
    spaces = byOrdinal.mapValues { (SpaceIndex($0.map(\.outline)), $0) }
  }

  /// Looks a position up.
  /// - Parameters:
  ///   - ordinal: the floor's ordinal; `nil` when it is not known, which is not the same as 0.
  ///   - accuracy: metres within which the device is with a probability of 68 %; `nil` when it is not known.
  ///   - position: the position, longitude first.
  public func locate(_ position: Coordinate, floor ordinal: FloorOrdinal?, accuracy: Double? = nil) -> VenueLocation {
    let known = ordinal.flatMap { spaces[$0] }
    let space = known.flatMap { known in known.index.space(at: position).map { known.spaces[$0] } }
    let floor = space?.floor ?? ordinal.flatMap { floorID(at: $0, holding: position) }
    let probability = accuracy.map { index.probabilityInside(at: position, accuracy: $0) }
    return VenueLocation(
      isInside: gate.contains(position) && (minimumProbability <= 0 || (probability ?? 0) >= minimumProbability),
      signedDistance: index.signedDistance(from: position),
      building: floor.flatMap { floorByID[$0]?.building } ?? building(holding: position), floor: floor,
      space: space?.id,
      probabilityInside: probability)
  }

  private func floorID(at ordinal: FloorOrdinal, holding position: Coordinate) -> FloorID? {
    let candidates = venue.floors.filter { $0.ordinal == ordinal }
    // Indoors before outdoors: the grounds of a campus may be drawn through its buildings.
    let holding = candidates.filter { $0.outline?.contains(position) ?? false }
    return (holding.first { !$0.isOutdoor } ?? holding.first)?.id
  }

  private func building(holding position: Coordinate) -> String? {
    venue.buildings.first { building in
      if let outline = building.outline { return outline.contains(position) }
      return building.floors.contains { floorByID[$0]?.outline?.contains(position) ?? false }
    }?.id
  }
}
