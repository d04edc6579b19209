public import CordonCore

/// The house rules of a scenario, for comparisons with and without them.
public struct Policies: Hashable, Sendable {
  /// The maximum numbers of people in spaces.
  public var capacities: [Capacity] = []
  /// Names, identifiers or kinds of spaces where people may not stay.
  public var closedSpaces: [Target] = []
  /// Identifiers, names or kinds of closed stairs, elevators and escalators.
  public var closedConnections: [Target] = []
  /// Identifiers or names of closed doors.
  public var closedOpenings: [Target] = []
  /// Doors that people may pass in one direction only.
  public var oneWay: [OneWay] = []
  /// The maximum additional delay of arrivals, by which they are spread.
  public var stagger = TimeSpan.zero
  /// Times at which some people may not enter; their arrivals are delayed to the end of that time.
  public var masks: [Mask] = []
  /// Share of people with a phone, which replaces that of every population; `nil` to keep those.
  public var deviceShare: Double?

  /// A name in the scenario, with its line.
  public struct Target: Hashable, Sendable {
    /// The name as written.
    public var name: String
    /// The line, for messages.
    public var line: Int
  }

  /// The maximum number of people in spaces of a name or kind.
  public struct Capacity: Hashable, Sendable {
    /// The spaces.
    public var target: Target
    /// The maximum number of people at one time, in each of the spaces.
    public var people: Int
  }

  /// A door that people may pass in one direction only.
  public struct OneWay: Hashable, Sendable {
    /// The door, by its identifier or name.
    public var target: Target
    /// The identifier or name of the space from which people pass the door. ``outside`` stands for a door of the venue
    /// that is only an entrance.
    public var from: String

    /// The name of the area outside the venue.
    public static let outside = "outside"

    /// For a door of the venue: whether it is only an entrance.
    var isInwards: Bool { from == OneWay.outside }
  }

  /// A time at which some people may not enter.
  public struct Mask: Hashable, Sendable {
    /// The part of the day.
    public var window: ClockWindow
    /// The names of the populations; empty for all.
    public var populations: [String]
  }

  /// Creates policies without rules.
  public init() {}
}
