package import CordonContacts
package import CordonCore

/// A model that turns itineraries into tracks.
package protocol MovementModel: Sendable {
  /// Polled from time to time, on any thread; `true` ends the run early.
  ///
  /// Positions are then known up to ``MovementFigures/interruptedAt``. Later parts of the tracks must be ignored.
  var isInterrupted: (@Sendable () -> Bool)? { get set }

  /// The maximum number of people who stay at a destination at a time, by its index; people who pass do not count.
  var limits: [Int: Int] { get set }

  /// Moves all people through the venue, and returns their tracks.
  ///
  /// The tracks do not depend on the number of threads.
  ///
  /// - Parameters:
  ///   - itineraries: the plans, by number of the person.
  ///   - fields: the distance fields of every destination and exit in `itineraries`.
  ///   - world: the venue.
  ///   - replication: the start, end and seed of the run.
  ///   - threads: the maximum number of threads.
  ///   - progress: receives the share of finished work, 0 ... 1, on any thread.
  func tracks(
    of itineraries: [Itinerary], fields: RouteFields, world: World, replication: Replication, threads: Int,
    progress: (@Sendable (Double) -> Void)?
  ) -> MovementResult
}

/// The path of one person, from entry to exit or to the end of the run.
package struct Track: Sendable {
  /// Contiguous segments in order of time; their device is the number of the person.
  package var segments: [Segment] = []
  /// The stays at destinations, in order of time.
  package var stays: [Stay] = []
  /// The waits in queues, in order of time.
  package var waits: [Wait] = []
  /// Whether the person left before the end of the run.
  package var hasLeft = false
  /// The number of stops and exits that were skipped because no way leads to them.
  package var unreachable = 0
  /// The exit by which a person left in an evacuation: an index in ``World/entrances``.
  package var exit: Int?
  /// Whether smoke made the person unable to move in an evacuation.
  package var isIncapacitated = false

  /// Creates an empty track.
  package init() {}
}

/// A stay at one destination.
package struct Stay: Hashable, Sendable {
  /// Index in ``World/destinations``.
  package var destination: Int
  /// Index in `VenuePlan.spaces`; `nil` for a part of a floor outside all spaces.
  package var space: Int?
  /// The time at which the person reached the spot.
  package var start: Instant
  /// The time at which the person walked on, or the end of the run.
  package var end: Instant

  /// Creates a stay from its parts.
  package init(destination: Int, space: Int?, start: Instant, end: Instant) {
    self.destination = destination
    self.space = space
    self.start = start
    self.end = end
  }
}

/// A wait in a queue for a vertical way or for service.
package struct Wait: Hashable, Sendable {
  /// The reason for the wait.
  package var reason: Reason
  /// Index of the floor.
  package var floor: Int
  /// The time at which the person joined the queue.
  package var start: Instant
  /// The end of the wait, or the end of the run.
  package var end: Instant

  /// The purpose of a queue.
  package enum Reason: Hashable, Sendable {
    /// A connection between floors, by its index in `VenuePlan.connections`.
    case connection(Int)
    /// A service point without a station of the plan, by its index in ``World/destinations``.
    case service(Int)
    /// A full space with a limit, by the index of the destination in ``World/destinations``.
    case room(Int)
    /// A station of the plan, by its index in ``RouteFields/stations``, and the place of the wait, an index in
    /// ``World/destinations``.
    case station(Int, destination: Int)
  }

  /// Creates a wait from its parts.
  package init(reason: Reason, floor: Int, start: Instant, end: Instant) {
    self.reason = reason
    self.floor = floor
    self.start = start
    self.end = end
  }
}
