public import CordonCore

/// Rules of the house, to compare with and without.
public struct Policies: Hashable, Sendable {
  /// Most people in a space at a time.
  public var capacities: [Capacity] = []
  /// Names, identifiers or kinds of spaces where nobody may go to stay.
  public var closedSpaces: [Target] = []
  /// Identifiers, names or kinds of stairs, elevators and escalators that are shut.
  public var closedConnections: [Target] = []
  /// Identifiers of doors that are shut.
  public var closedOpenings: [Target] = []
  /// Doors and connections that may be used in one direction only.
  public var oneWay: [OneWay] = []
  /// Arrivals at set times are spread over so much time more.
  public var stagger = TimeSpan.zero
  /// Times in which some may not come in; who would, comes when the time is over.
  public var masks: [Mask] = []
  /// Replaces the share of every population who carry a phone.
  public var deviceShare: Double?

  /// Something named in the scenario, with its line.
  public struct Target: Hashable, Sendable {
    /// As written.
    public var name: String
    /// Where, for messages.
    public var line: Int
  }

  /// The most people in spaces of a name or kind.
  public struct Capacity: Hashable, Sendable {
    /// The spaces.
    public var target: Target
    /// People at a time, in each of them.
    public var people: Int
  }

  /// One direction.
  public struct OneWay: Hashable, Sendable {
    /// The door, by its identifier.
    public var target: Target
    /// The identifier or name of the space that it is entered from; ``outside`` for a door of the venue that people only come
    /// in by.
    public var from: String

    /// What is before the doors of the venue.
    public static let outside = "outside"

    /// For a door of the venue: whether people only come in by it.
    var isInwards: Bool { from == OneWay.outside }
  }

  /// A time when some stay out.
  public struct Mask: Hashable, Sendable {
    /// The part of the day.
    public var window: ClockWindow
    /// Names of populations; empty for all.
    public var populations: [String]
  }

  /// No rules.
  public init() {}
}
