public import CordonContacts
public import CordonCore

/// A model that turns itineraries into tracks.
public protocol MovementModel: Sendable {
  /// Polled from time to time, on any thread; `true` ends the run early. Positions are then known up to
  /// ``MovementFigures/interruptedAt``; later parts of the tracks must be ignored.
  var isInterrupted: (@Sendable () -> Bool)? { get set }

  /// Moves all people through the venue. The tracks do not depend on the number of threads.
  ///
  /// - Parameters:
  ///   - itineraries: the plans, by number of the person.
  ///   - fields: distance fields of every destination and exit in `itineraries`.
  ///   - world: the venue.
  ///   - scenario: start, end and seed of the run.
  ///   - threads: the number of threads that may be used.
  ///   - progress: receives the share of finished work, 0 ... 1, on any thread.
  func tracks(
    of itineraries: [Itinerary], fields: RouteFields, world: World, scenario: CrowdScenario, threads: Int,
    progress: (@Sendable (Double) -> Void)?
  ) -> MovementResult
}

/// The path of one person, from entry to exit or to the end of the run.
public struct Track: Sendable {
  /// Contiguous segments in order of time; their device is the number of the person.
  public var segments: [Segment] = []
  /// The stays at destinations.
  public var stays: [Stay] = []
  /// The waits in queues.
  public var waits: [Wait] = []
  /// Whether the person has left; otherwise they are still inside at the end of the run.
  public var hasLeft = false
  /// The number of stops and exits that were skipped because no way leads there.
  public var unreachable = 0

  /// Creates an empty track.
  public init() {}
}

/// A stay at one destination.
public struct Stay: Hashable, Sendable {
  /// Index in ``World/destinations``.
  public var destination: Int
  /// Index in `VenuePlan.spaces`; `nil` for a part of a floor outside all spaces.
  public var space: Int?
  /// When the person reached their spot.
  public var start: Instant
  /// When the person went on, or when the run ended.
  public var end: Instant

  /// Creates a stay from its parts.
  public init(destination: Int, space: Int?, start: Instant, end: Instant) {
    self.destination = destination
    self.space = space
    self.start = start
    self.end = end
  }
}

/// A wait in a queue: for a vertical way, or to be served.
public struct Wait: Hashable, Sendable {
  /// What the person waited for.
  public var reason: Reason
  /// Index of the floor.
  public var floor: Int
  /// When the person joined the queue.
  public var start: Instant
  /// When it was their turn, or when the run ended.
  public var end: Instant

  /// What a queue is for.
  public enum Reason: Hashable, Sendable {
    /// A way between floors: its index in `VenuePlan.connections`.
    case connection(Int)
    /// A service point: its index in ``World/destinations``.
    case service(Int)
  }

  /// Creates a wait from its parts.
  public init(reason: Reason, floor: Int, start: Instant, end: Instant) {
    self.reason = reason
    self.floor = floor
    self.start = start
    self.end = end
  }
}
