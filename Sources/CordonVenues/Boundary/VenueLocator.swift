public import CordonCore
import CordonGeometry

/// The location of a position in a venue.
public struct VenueLocation: Hashable, Sendable {
  /// Whether the position is inside the boundary with the required probability. The boundary itself is inside, holes
  /// are outside.
  public var isInside: Bool
  /// Distance to the boundary in metres, negative inside; `nil` for an invalid position.
  public var signedDistance: Double?
  /// The identifier of the building that contains the position, if there is one.
  public var building: String?
  /// The floor of the space, or otherwise a floor of the ordinal whose outline contains the position.
  ///
  /// It is `nil` if the ordinal is unknown or the venue has no such floor.
  public var floor: FloorID?
  /// The smallest space that contains the position, on all floors of the ordinal.
  public var space: SpaceID?
  /// The probability that the device is inside, derived from the accuracy; `nil` if the accuracy is unknown.
  public var probabilityInside: Double?
}

/// A locator that determines the boundary, building, floor and space of positions.
///
/// It is created once for a venue. A query takes about a microsecond.
public struct VenueLocator: Sendable {
  private let gate: Gate
  private let minimumProbability: Double
  private let index: BoundaryIndex
  private let venue: Venue
  private let spaces: [FloorOrdinal: (index: SpaceIndex, spaces: [Space])]
  private let floorByID: [FloorID: Floor]

  /// Prepares a venue with its boundary.
  /// - Parameters:
  ///   - venue: the venue.
  ///   - boundary: the area that counts as the venue.
  ///   - tolerance: the distance outside the boundary that still counts as inside, in metres.
  ///   - minimumProbability: the minimum probability that the device is inside, in addition to its reported position.
  ///     With a value above 0, a position of unknown accuracy is outside.
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

  /// Locates a position.
  /// - Parameters:
  ///   - position: the position, longitude first.
  ///   - ordinal: the ordinal of the floor; `nil` if it is unknown, which differs from 0.
  ///   - accuracy: the radius in metres that contains the device with a probability of 68 %; `nil` if it is unknown.
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
    // Indoor floors take precedence, because the grounds of a campus may be drawn through its buildings.
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
