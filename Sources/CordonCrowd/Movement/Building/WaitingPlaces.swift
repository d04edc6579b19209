import CordonGeometry
import CordonNavigation
import CordonVenues

/// The places where people wait in front of stairs and elevators.
final class WaitingPlaces {
  private let state: WalkState
  /// The waiting place of each waiting person.
  private var assigned: [Int: Place] = [:]
  /// The waiting places by landing, computed when a person first waits there.
  private var placesByLanding: [Place: [Place]] = [:]
  /// The distance fields by landing, computed when a person who waits there first does not see it.
  private var fieldsByLanding: [Place: DistanceField] = [:]

  /// Distance in front of stairs that is kept free for people who leave them, in metres.
  static let apron = 1.5
  /// Distance between waiting people, in metres, so that others can pass between them.
  private static let spacing = 1.1
  /// Maximum distance from a landing to its waiting places, in metres, and their maximum number.
  private static let reach = 20.0
  private static let capacity = 40

  init(_ state: WalkState) { self.state = state }

  /// Returns the waiting place of a person; `nil` for people who have none.
  subscript(person: Int) -> Place? { assigned[person] }

  /// Gives a waiting place to a person.
  func assign(_ place: Place, to person: Int) { assigned[person] = place }

  /// Frees the waiting place of a person.
  func free(_ person: Int) { assigned[person] = nil }

  /// Sends a person to a free waiting place for which no other person heads.
  /// - Parameters:
  ///   - way: the vertical way.
  ///   - stop: the stop of the way.
  ///   - others: the other people who wait there.
  func send(_ person: Int, way: Int, stop: Int, others: [Int]) {
    let places = self.places(before: way, stop: stop)
    assigned[person] = firstFree(of: places[...], others: others)
    // If every place is taken, the person joins the waiting crowd instead of blocking people on their way out.
    guard let place = assigned[person] ?? (places.isEmpty ? nil : places[person % places.count]) else {
      return state.stay(person)
    }
    state.send(person, to: place, radius: 0.2, along: field(ofLanding: way, stop))
  }

  /// Returns the first place that has room for a body and that no other person heads for.
  func firstFree(of places: ArraySlice<Place>, others: [Int]) -> Place? {
    let taken = others.compactMap { assigned[$0] }
    return places.first {
      !taken.contains($0) && state.crowd.isFree(state.plane.center(of: $0), radius: 0.2, margin: 0.05)
    }
  }

  /// Returns the distance field of a landing.
  func field(ofLanding way: Int, _ stop: Int) -> DistanceField {
    let place = state.landings.centers[way][stop]
    if let field = fieldsByLanding[place] { return field }
    let field = state.world.routes.navigation.field(to: place)
    fieldsByLanding[place] = field
    return field
  }

  /// Returns the waiting places of a stop, the nearest first. Places along walls precede those in the open, and
  /// doorways have none.
  func places(before way: Int, stop: Int) -> [Place] {
    let landing = state.landings.centers[way][stop]
    if let places = placesByLanding[landing] { return places }
    let raster = state.world.routes.navigation.floors[landing.floor]
    let field = self.field(ofLanding: way, stop)
    let cells = raster.cells(round: landing.cell, within: Self.reach)
      .compactMap { cell in field.distance(of: cell, on: raster).map { (cell: cell, distance: $0) } }
      .filter { !isOn(way, stop: stop, raster.center(of: $0.cell)) }
      .sorted { ($0.distance, $0.cell) < ($1.distance, $1.cell) }
    // Places are in front of the stairs or the car, not in the rooms beside them.
    guard let first = cells.first else { return [] }
    func space(_ cell: Int) -> Int? { state.world.plan.space(at: raster.center(of: cell), floor: landing.floor) }
    let front = space(first.cell)
    let nearest = Double(first.distance) + Self.apron / raster.cellSize * 10
    let near = cells.filter { Double($0.distance) > nearest && space($0.cell) == front }.map(\.cell)
    let edges = raster.spread(near.filter { !raster.isComfortable($0) }, apart: Self.spacing, limit: Self.capacity)
    let all = raster.spread(edges + near, apart: Self.spacing, limit: 2 * Self.capacity)
    let found = all.filter { !state.blocksPassage(raster.center(of: $0), floor: landing.floor) }
      .prefix(Self.capacity).map { Place(floor: landing.floor, cell: $0) }
    placesByLanding[landing] = found
    return found
  }

  /// Checks whether a point of a stop's floor is on the stairs there, or in the car.
  private func isOn(_ way: Int, stop: Int, _ point: PlanePoint) -> Bool {
    let landings = state.landings
    guard landings.kinds[way] == .elevator else {
      return landings.flights[way][stop].contains(point, in: state.world)
    }
    if let shaft = landings.shafts[way][stop] { return state.world.plan.spaces[shaft].contains(point) }
    return PlaneSegment(state.center(of: landings.centers[way][stop]), point).length < Landings.openCarRadius
  }
}

extension [PlanePoint] {
  /// Returns a way without its last metres; at least its first corner remains.
  func withoutEnd(of metres: Double) -> [PlanePoint] {
    var left = metres
    var corners = self
    while corners.count > 1 {
      let last = PlaneSegment(corners[corners.count - 1], corners[corners.count - 2])
      if last.length > left {
        corners[corners.count - 1] = last.point(at: left / last.length)
        return corners
      }
      left -= last.length
      corners.removeLast()
    }
    return corners
  }
}
