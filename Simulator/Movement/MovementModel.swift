public import CordonContacts
public import CordonCore

/// How itineraries become tracks.
public protocol MovementModel: Sendable {
  /// Asked now and then, on any thread; `true` ends the run early. Where everybody was is then known up to
  /// ``MovementFigures/interruptedAt``, and what tracks say of the time after it is to be left out.
  var isInterrupted: (@Sendable () -> Bool)? { get set }

  /// Moves everybody through the venue. The same tracks for any number of threads.
  ///
  /// - Parameters:
  ///   - itineraries: what people set out to do, by number of the person.
  ///   - fields: distance fields of every destination and exit in `itineraries`.
  ///   - world: the venue.
  ///   - scenario: when the run begins and ends, and its seed.
  ///   - threads: how many threads may be used.
  ///   - progress: told the share of the work that is done, 0 ... 1, on any thread.
  func tracks(
    of itineraries: [Itinerary], fields: RouteFields, world: World, scenario: CrowdScenario, threads: Int,
    progress: (@Sendable (Double) -> Void)?
  ) -> MovementResult
}

/// Where one person was, from coming in to leaving or to the end of the run.
public struct Track: Sendable {
  /// Pieces in order of time, contiguous; their device is the number of the person.
  public var segments: [Segment] = []
  /// The stays at destinations.
  public var stays: [Stay] = []
  /// The times that the person stood in line.
  public var waits: [Wait] = []
  /// Whether the person has left; otherwise they are still inside at the end of the run.
  public var hasLeft = false
  /// Stops and exits that no way led to, which were left out.
  public var unreachable = 0

  /// A track without pieces.
  public init() {}
}

/// A time at one destination.
public struct Stay: Hashable, Sendable {
  /// Index in ``World/destinations``.
  public var destination: Int
  /// Index in `VenuePlan.spaces`; `nil` for a part of a floor that is in none.
  public var space: Int?
  /// When they came to their spot.
  public var start: Instant
  /// When they went on, or when the run ended.
  public var end: Instant

  /// Takes the values as they are.
  public init(destination: Int, space: Int?, start: Instant, end: Instant) {
    self.destination = destination
    self.space = space
    self.start = start
    self.end = end
  }
}

/// A time in a line: for an elevator, or to be served.
public struct Wait: Hashable, Sendable {
  /// What was waited for.
  public var reason: Reason
  /// Index of the floor.
  public var floor: Int
  /// When they joined the line.
  public var start: Instant
  /// When it was their turn, or when the run ended.
  public var end: Instant

  /// What a line is for.
  public enum Reason: Hashable, Sendable {
    /// A way between floors: its index in `VenuePlan.connections`.
    case connection(Int)
    /// A service point: its index in ``World/destinations``.
    case service(Int)
  }

  /// Takes the values as they are.
  public init(reason: Reason, floor: Int, start: Instant, end: Instant) {
    self.reason = reason
    self.floor = floor
    self.start = start
    self.end = end
  }
}
