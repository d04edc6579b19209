import CordonGeometry
import CordonNavigation
import CordonVenues

/// The spaces of a venue with a limit of people, and where they are.
package struct LimitedSpaces: Sendable {
  /// The spaces with a limit, in ascending order: indices in `VenuePlan.spaces`.
  let spaces: [Int]
  /// The maximum number of people who stay in each of ``spaces``.
  let limits: [Int]
  private let indexOfSpace: [Int: Int]
  private let indexOfDestination: [Int?]
  private let rasters: [WalkableRaster]
  /// The floors of each ordinal in thousandths: several in a venue with several buildings.
  private let floorsOfOrdinal: [Int32: [Int]]
  /// By floor: the spaces of its cells; `nil` for floors without a limit.
  private let lookups: [SpaceLookup?]

  /// Distance between two points of a way that are examined, in metres.
  static let sampling = 0.2
  /// Shifts by which a person has to be clear of a space, in metres.
  static let threshold = [(0.4, 0.0), (-0.4, 0.0), (0.0, 0.4), (0.0, -0.4)]

  /// Finds the spaces with a limit. Complexity: proportional to the areas of the floors that have one.
  /// - Parameters:
  ///   - limits: the maximum number of people at a destination, by its index; destinations outside all spaces are
  ///     ignored, and of several destinations in a space the least limit counts.
  package init(_ limits: [Int: Int], in world: World) {
    var bySpace: [Int: Int] = [:]
    for (destination, limit) in limits {
      guard let space = world.destinations[destination].space else { continue }
      bySpace[space] = min(bySpace[space] ?? .max, limit)
    }
    let spaces = bySpace.keys.sorted()
    let indexOfSpace = Dictionary(uniqueKeysWithValues: spaces.enumerated().map { ($1, $0) })
    let rasters = spaces.isEmpty ? [] : world.routes.navigation.floors
    let floors = Set(spaces.map { world.plan.spaces[$0].floor })
    lookups = rasters.indices.map {
      floors.contains($0) ? SpaceLookup(plan: world.plan, floor: $0, raster: rasters[$0]) : nil
    }
    floorsOfOrdinal = Dictionary(grouping: floors.sorted()) { world.plan.floors[$0].ordinal.thousandths }
    self.limits = spaces.map { bySpace[$0] ?? 0 }
    indexOfDestination =
      spaces.isEmpty ? [] : world.destinations.map { $0.space.flatMap { indexOfSpace[$0] } }
    (self.spaces, self.indexOfSpace, self.rasters) = (spaces, indexOfSpace, rasters)
  }

  /// Whether no space has a limit.
  var isEmpty: Bool { spaces.isEmpty }

  /// Returns the space with a limit at a point of a floor, as an index in ``spaces``; `nil` elsewhere.
  func index(at point: PlanePoint, floor: Int) -> Int? {
    guard !isEmpty, let lookup = lookups[floor], let cell = rasters[floor].cell(at: point),
      let space = lookup.space(of: cell)
    else { return nil }
    return indexOfSpace[space]
  }

  /// Returns the space with a limit at a point of the floors of an ordinal in thousandths, as an index in ``spaces``.
  func index(at point: PlanePoint, ordinal: Int32) -> Int? {
    for floor in floorsOfOrdinal[ordinal] ?? [] {
      if let index = index(at: point, floor: floor) { return index }
    }
    return nil
  }

  /// Checks whether a point is outside of a space of ``spaces``, and so are the points around it.
  func isClear(of space: Int, at point: PlanePoint, ordinal: Int32) -> Bool {
    index(at: point, ordinal: ordinal) != space
      && !LimitedSpaces.threshold.contains { east, north in
        index(at: PlanePoint(x: point.x + east, y: point.y + north), ordinal: ordinal) == space
      }
  }

  /// Returns the space with a limit of a destination, as an index in ``spaces``; `nil` for other destinations.
  func index(ofDestination destination: Int) -> Int? { isEmpty ? nil : indexOfDestination[destination] }
}
