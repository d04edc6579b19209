import CordonCore
import CordonCrowd
import CordonGeometry
import CordonNavigation
import CordonVenues

/// The bookings of the spots of all destinations.
struct SpotBook {
  private let world: World
  private var spots: [[BookedTimes]]
  /// The spots of each destination that were booked at any time, in the order of their first booking.
  private var used: [[Int]]
  /// The spots of each destination by their position, computed with the first search for a near one.
  private var grids: [SpotGrid?]

  /// Maximum distance of a spot near another one, in metres.
  private static let nearDistance = 3.0

  init(world: World) {
    self.world = world
    spots = world.destinations.map { Array(repeating: BookedTimes(), count: $0.spots.count) }
    used = Array(repeating: [], count: world.destinations.count)
    grids = Array(repeating: nil, count: world.destinations.count)
  }

  /// Checks whether a number of spots, or all spots of the destination if it has fewer, are free during a span.
  func hasSpots(_ count: Int, _ destination: Int, _ span: ClosedRange<Int64>, _ random: inout RandomStream) -> Bool {
    let all = spots[destination].count
    var wanted = min(max(count, 1), all)
    let first = random.nextIndex(below: all)
    for offset in 0..<all where isFree(destination, (first + offset) % all, span) {
      wanted -= 1
      if wanted == 0 { return true }
    }
    return false
  }

  /// Books a spot that is free during a span, or any spot if the place is full, and returns it.
  /// - Parameter near: a spot to which the new one should be close.
  mutating func book(
    _ destination: Int, _ span: ClosedRange<Int64>, near: Int? = nil, _ random: inout RandomStream
  ) -> Int {
    let count = spots[destination].count
    var spot = random.nextIndex(below: count)
    if let near {
      spot = nearestFree(destination, span, to: near) ?? spot
    } else {
      for attempt in 0..<(count + 8) {
        // Tries a few spots at random, then one after the other.
        spot = attempt < 8 ? random.nextIndex(below: count) : (spot + 1) % count
        if isFree(destination, spot, span) { break }
      }
    }
    book(destination, spot: spot, span)
    return spot
  }

  /// Books another spot of a place, and returns it: the nearest one, at least 1 m away, of a few random free spots.
  mutating func bookNext(
    _ destination: Int, _ span: ClosedRange<Int64>, from previous: Int, _ random: inout RandomStream
  ) -> Int {
    let places = world.destinations[destination].spots
    let navigation = world.routes.navigation
    let here = navigation.center(of: places[previous])
    var best: (distance: Double, spot: Int)?
    for _ in 0..<min(places.count, 6) {
      let spot = random.nextIndex(below: places.count)
      let distance = PlanePoint.distance(navigation.center(of: places[spot]), here)
      guard distance >= 1, distance < best?.distance ?? .infinity, isFree(destination, spot, span) else { continue }
      best = (distance, spot)
    }
    guard let best else { return book(destination, span, &random) }
    book(destination, spot: best.spot, span)
    return best.spot
  }

  /// Books a given spot.
  mutating func book(_ destination: Int, spot: Int, _ span: ClosedRange<Int64>) {
    if spots[destination][spot].isEmpty { used[destination].append(spot) }
    spots[destination][spot].book(span)
  }

  /// Books a random spot that is free during a span, or any spot if the place is full, and returns it.
  mutating func bookFree(_ destination: Int, _ span: ClosedRange<Int64>, _ random: inout RandomStream) -> Int {
    let count = spots[destination].count
    let first = random.nextIndex(below: count)
    let spot = (0..<count).lazy.map { (first + $0) % count }.first { self.isFree(destination, $0, span) } ?? first
    book(destination, spot: spot, span)
    return spot
  }

  /// Books the spot nearest to a point that is free during a span, or any spot if the place is full, and returns it.
  mutating func bookFree(_ destination: Int, _ span: ClosedRange<Int64>, nearestTo point: PlanePoint) -> Int {
    var best: (distance: Double, spot: Int)?
    for (spot, place) in world.destinations[destination].spots.enumerated() where isFree(destination, spot, span) {
      let distance = PlanePoint.distance(world.routes.navigation.center(of: place), point)
      if distance < best?.distance ?? .infinity { best = (distance, spot) }
    }
    book(destination, spot: best?.spot ?? 0, span)
    return best?.spot ?? 0
  }

  /// Returns a random spot that is taken during a span; `nil` if there is none.
  func occupied(_ destination: Int, _ span: ClosedRange<Int64>, _ random: inout RandomStream) -> Int? {
    let used = used[destination]
    guard !used.isEmpty else { return nil }
    let first = random.nextIndex(below: used.count)
    for offset in used.indices {
      let spot = used[(first + offset) % used.count]
      if !isFree(destination, spot, span) { return spot }
    }
    return nil
  }

  private func isFree(_ destination: Int, _ spot: Int, _ span: ClosedRange<Int64>) -> Bool {
    spots[destination][spot].isFree(span)
  }

  private mutating func nearestFree(_ destination: Int, _ span: ClosedRange<Int64>, to near: Int) -> Int? {
    let places = world.destinations[destination].spots
    let navigation = world.routes.navigation
    let middle = navigation.center(of: places[near])
    var best: (distance: Double, spot: Int)?
    for spot in grid(of: destination).numbers(near: middle) where spot != near {
      let distance = PlanePoint.distance(navigation.center(of: places[spot]), middle)
      guard distance < best?.distance ?? Self.nearDistance, isFree(destination, spot, span) else { continue }
      best = (distance, spot)
    }
    return best?.spot
  }

  private mutating func grid(of destination: Int) -> SpotGrid {
    if let grid = grids[destination] { return grid }
    var grid = SpotGrid(side: Self.nearDistance)
    for place in world.destinations[destination].spots { grid.add(world.routes.navigation.center(of: place)) }
    grids[destination] = grid
    return grid
  }
}
