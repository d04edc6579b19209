import CordonCore

/// A random choice among places, in proportion to their free room.
struct PlaceChoice {
  private let places: [Int]
  private let byRoom: WeightedChoice
  /// Factors on the chance of each place; 1 for all by default.
  private let popularity: [Double]

  /// Number of draws by room before the free room of every place is compared.
  private static let draws = 12
  /// Maximum number of places that are examined after that.
  private static let trials = 24

  /// Creates a choice among destinations.
  /// - Parameters:
  ///   - places: the destinations.
  ///   - presence: the room of destinations.
  ///   - popularity: factors on the chances, by destination; 1 for a destination without one.
  init(_ places: [Int], presence: PresenceBook, popularity: [Int: Double] = [:]) {
    self.places = places
    self.popularity = places.map { popularity[$0] ?? 1 }
    byRoom = WeightedChoice(zip(places, self.popularity).map { ($0, Double(presence.room(of: $0)) * $1) })
  }

  /// Returns a place that fits; `nil` if none was found.
  ///
  /// The probability of a place is proportional to its free room at the time of arrival, times its popularity. If no place has free room, it
  /// is proportional to the whole room: people then sit closer together than the floor area allows.
  ///
  /// Complexity: constant on average while most of the room is free, otherwise linear in the number of places.
  /// - Parameters:
  ///   - arrival: returns the time of arrival at a place, in milliseconds since 1970.
  ///   - fits: whether the party can stay at a place, within its limit.
  func pick(
    in presence: PresenceBook, arrival: (Int) -> Int64, fits: (Int) -> Bool, _ random: inout RandomStream
  ) -> Int? {
    for _ in 0..<PlaceChoice.draws {
      guard let picked = byRoom.pick(&random) else { return nil }
      // Draws by room that are accepted by the free share of it are draws by free room.
      let free = presence.freeRoom(at: picked, arrival(picked))
      guard free > 0, random.nextUnit() * Double(presence.room(of: picked)) < Double(free) else { continue }
      if fits(picked) { return picked }
    }
    let free = zip(places, popularity).map { Double(max(presence.freeRoom(at: $0, arrival($0)), 0)) * $1 }
    return pick(weights: free, fits: fits, &random)
      ?? pick(
        weights: places.indices.map { free[$0] > 0 ? 0 : Double(presence.room(of: places[$0])) * popularity[$0] },
        fits: fits, &random)
  }

  private func pick(
    weights: [Double], fits: (Int) -> Bool, _ random: inout RandomStream
  ) -> Int? {
    var weights = weights
    for _ in 0..<PlaceChoice.trials {
      let choice = WeightedChoice(zip(places.indices, weights).map { ($0, $1) })
      guard let index = choice.pick(&random) else { return nil }
      if fits(places[index]) { return places[index] }
      weights[index] = 0
    }
    return nil
  }
}
