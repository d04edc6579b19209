import CordonNavigation

/// The decisions of a walk that involve several of its parts.
///
/// ``BuildingWalk`` makes them. The parts (queues, stairs, elevators) know only their own state and request a decision
/// through this protocol.
protocol WalkCoordinator: AnyObject {
  /// Finds a new way from a person's current position.
  func replan(_ person: Int)

  /// Sends a person to the next stop, or to the exit.
  func proceed(_ person: Int)

  /// Starts the stay of a person at the current stop.
  func reachStop(_ person: Int)

  /// Starts the ride of a person at a landing.
  func beginRide(_ person: Int, way: Int, from: Int, to: Int)

  /// Makes a person who waits for stairs or a car take another way if that is faster, and returns whether it is.
  /// - Parameter waited: the time that the person has waited without boarding, in milliseconds.
  func takeFasterWay(_ person: Int, waited: Int64) -> Bool

  /// Returns navigation through the building without some of the vertical ways.
  func navigation(avoiding ways: Set<Int>) -> Navigation
}
