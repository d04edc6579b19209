import CordonGeometry
import CordonNavigation
import CordonVenues

/// The cells of the part of a way that a floor shows, and the choice of places among them.
struct FlightLayout {
  let landing: Place
  private let center: PlanePoint
  private let spots: [Spot]
  private let doors: [PlanePoint]
  private let raster: WalkableRaster

  /// A cell and its centre.
  struct Spot {
    var cell: Int
    var point: PlanePoint
  }

  /// Distance between the lanes of leaving and arriving people, in metres.
  private static let laneDistance = 0.9

  /// Creates a layout.
  /// - Parameters:
  ///   - landing: the landing.
  ///   - cells: the cells of the part.
  ///   - doors: points at which the part is entered.
  ///   - raster: the raster of the floor.
  init(landing: Place, cells: [Int], doors: [PlanePoint], raster: WalkableRaster) {
    self.landing = landing
    self.doors = doors
    self.raster = raster
    center = raster.center(of: landing.cell)
    spots = cells.map { Spot(cell: $0, point: raster.center(of: $0)) }
  }

  /// The spot far from the landing and from the doors; the landing if there is no other.
  var farEnd: Spot { best(worth) ?? Spot(cell: landing.cell, point: center) }

  private func worth(_ point: PlanePoint) -> Double {
    min(PlaneSegment(center, point).length, 3.5) + min(doors.map { PlaneSegment($0, point).length }.min() ?? 0, 6)
  }

  /// Returns the first of the spots with the greatest worth; spots without a worth are left out.
  private func best(_ worth: (PlanePoint) -> Double?) -> Spot? {
    var found: Spot?
    var maximum = -Double.infinity
    for spot in spots {
      if let value = worth(spot.point), value > maximum { (found, maximum) = (spot, value) }
    }
    return found
  }

  /// Returns a spot for the people of the other direction, on the same side of the landing; `nil` if there is no room.
  func secondLane(beside end: Spot) -> Spot? {
    let depth = PlaneSegment(center, end.point).length
    return best { point in
      let apart = PlaneSegment(end.point, point).length
      let ahead = (end.point.x - center.x) * (point.x - center.x) + (end.point.y - center.y) * (point.y - center.y)
      guard apart >= Self.laneDistance, apart < 2.5, ahead > 0, PlaneSegment(center, point).length > 0.6 * depth else {
        return nil
      }
      return worth(point) - 0.2 * abs(apart - 1.2)
    }
  }

  /// Checks whether a spot lies to the left of another one, seen from the landing.
  func isLeft(_ spot: Spot, of other: Spot) -> Bool {
    (other.point.x - center.x) * (spot.point.y - center.y) - (other.point.y - center.y) * (spot.point.x - center.x) > 0
  }

  /// Returns a place beside the landing on the side of one lane; the landing itself if there is none.
  func placeBesideLanding(towards side: Spot, awayFrom other: Spot) -> Place {
    let width = PlaneSegment(side.point, other.point).length
    let point = PlanePoint(
      x: center.x + (side.point.x - other.point.x) / width * Self.laneDistance / 2,
      y: center.y + (side.point.y - other.point.y) / width * Self.laneDistance / 2)
    let near = best { candidate in
      let distance = PlaneSegment(point, candidate).length
      return distance < 0.3 && !raster.barriers.isCrossed(from: side.point, to: candidate) ? -distance : nil
    }
    return near.map(place) ?? landing
  }

  /// Returns places to stand on around a spot, the nearest first.
  func places(around middle: Spot, awayFrom other: PlanePoint?) -> [Place] {
    let near = spots.map { (cell: $0.cell, point: $0.point, distance: PlaneSegment(middle.point, $0.point).length) }
      .filter { near in
        near.distance < 0.8 && (other.map { PlaneSegment($0, near.point).length > 0.5 } ?? true)
      }
    let kept = raster.spread(
      near.sorted { ($0.distance, $0.cell) < ($1.distance, $1.cell) }.map(\.cell), apart: 0.2, limit: 12)
    return (kept.isEmpty ? [middle.cell] : kept).map { Place(floor: landing.floor, cell: $0) }
  }

  /// Returns the place of a spot.
  func place(_ spot: Spot) -> Place { Place(floor: landing.floor, cell: spot.cell) }
}
