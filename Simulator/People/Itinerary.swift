public import CordonCore
public import CordonGeometry

/// What one person sets out to do: come in, be at places until planned times, leave.
public struct Itinerary: Sendable {
  /// Number of the person, from 0; who comes several times has an itinerary for each visit.
  public var person: Int
  /// Metres a second on level ground with nobody in the way.
  public var freeSpeed: Double
  /// When they come in.
  public var arrival: Instant
  /// Where they come in: index in ``World/entrances``.
  public var entrance: Int
  /// Where they go, in order.
  public var stops: [Stop]
  /// Where they leave: index in ``World/entrances``.
  public var exit: Int
  /// Somebody with the same stops and times to walk with, by their place in the list of itineraries; `nil` for people on
  /// their own. The companion of each leads to the next of the party, that of the last to the first: two are each other's.
  /// The first walks beside the second, the third beside the fourth.
  public var companion: Int?

  /// A place to be.
  public struct Stop: Sendable {
    /// Index in ``World/destinations``.
    public var destination: Int
    /// The spot there that is theirs.
    public var spot: Place
    /// When they mean to go on; they stay a few seconds at least, even when they come later than this.
    public var leave: Instant
    /// How long they are served when it is their turn, for stops at a service point where people stand in line;
    /// `nil` for places where they just are. ``leave`` does not matter then.
    public var service: TimeSpan?
    /// How long they stay, whenever they come; `nil` to stay until ``leave``.
    public var length: TimeSpan?

    /// Takes the values as they are.
    public init(
      destination: Int, spot: Place, leave: Instant, service: TimeSpan? = nil, length: TimeSpan? = nil
    ) {
      self.service = service
      self.length = length
      self.destination = destination
      self.spot = spot
      self.leave = leave
    }
  }

  /// Takes the values as they are.
  public init(
    person: Int, freeSpeed: Double, arrival: Instant, entrance: Int, stops: [Stop], exit: Int, companion: Int? = nil
  ) {
    self.companion = companion
    self.person = person
    self.freeSpeed = freeSpeed
    self.arrival = arrival
    self.entrance = entrance
    self.stops = stops
    self.exit = exit
  }
}

extension Itinerary.Stop {
  /// When somebody goes on who came at a time, both milliseconds since 1970; who has no length of their own stays
  /// at least `least`, however late they come.
  func end(from time: Int64, least: Int64) -> Int64 {
    if let length { return time + max(length.milliseconds, 0) }
    return max(time + least, leave.milliseconds)
  }
}
