package import CordonGeometry

/// Says in which space of a venue a place lies.
public protocol SpaceLocator: Sendable {
  /// How many spaces there are; their indices are 0 ..< count.
  var spaceCount: Int { get }

  /// The index of the space at a place of a floor (`FloorOrdinal.thousandths`), in metres of the venue's
  /// frame; `nil` when there is none, or on a floor that is not known.
  func space(floor: Int32, x: Double, y: Double) -> Int?
}

/// The spaces of several floors, each with an index of its own.
package struct FloorSpaces: SpaceLocator {
  private var floors: [Int32: (index: SpaceIndex, first: Int)] = [:]
  /// How many spaces there are on all floors.
  package private(set) var spaceCount = 0

  /// No spaces.
  package init() {}

  /// Adds the spaces of a floor (`FloorOrdinal.thousandths`); they get the next free indices, in their order.
  /// A floor that is added again replaces the earlier one, whose indices stay unused.
  package mutating func add(_ index: SpaceIndex, floor: Int32) {
    floors[floor] = (index, spaceCount)
    spaceCount += index.count
  }

  /// The index of the space at a place, `nil` when there is none.
  package func space(floor: Int32, x: Double, y: Double) -> Int? {
    guard let (index, first) = floors[floor], let space = index.space(at: PlanePoint(x: x, y: y))
    else { return nil }
    return first + space
  }
}
