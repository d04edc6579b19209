import CordonCore
package import CordonCrowd
public import CordonVenues

/// Something that people do in a place for a while.
///
/// The parts are those with which ArchABM describes an office day: windows of the day, a duration, a frequency, and
/// whether people do it together.
public struct Activity: Hashable, Sendable {
  /// The name by which populations refer to the activity.
  public var name: String
  /// The line of the definition, for messages; 0 if the activity was not read from a file.
  public var line = 0
  /// The kinds of space where the activity takes place.
  public var kinds: [SpaceKind] = []
  /// The names or identifiers of further spaces where the activity takes place.
  public var spaces: [String] = []
  /// Factors on the chance that people choose a space; 1 for others.
  package var popularity: [Popularity] = []
  /// The parts of the day in which the activity may begin.
  public var windows: [ClockWindow] = [.wholeDay]
  /// The duration of the activity.
  public var duration: DurationRule
  /// The minimum number of times per visit, where the windows allow it.
  public var minimum = 0
  /// The maximum number of times per visit; `nil` for no limit.
  public var maximum: Int?
  /// The weight with which the activity is chosen among others.
  public var weight = 1.0
  /// Whether each person has a place of their own for the activity, such as a desk.
  public var isOwnPlace = false
  /// The desks, each of which is given to one person for the whole run; `nil` for places without desks.
  package var desks: DeskRule?
  /// The rules of an activity that many people do together; `nil` for others.
  public var collective: Collective?
  /// The share of the times at which a person does the activity next to another person who is there, 0 ... 1.
  public var companyShare = 0.0
  /// The time at one spot before a person moves to another spot of the same place, such as the next exhibit; `nil` to
  /// stay at one spot.
  public var moves: DurationRule?
  /// Whether people queue and are served one after the other; the duration is that of service.
  public var isServed = false
  /// The servers in each space, for an activity that is served; empty for one server who always works.
  package var servers: [ServerShift] = []
  /// The order of service.
  package var order = QueueingStation.Order.arrival
  /// Whether people stay until a server of the next step calls them; the duration has no meaning then.
  package var isUntilCalled = false

  /// The popularity of spaces.
  package struct Popularity: Hashable, Sendable {
    /// The spaces, by name, identifier or kind.
    package var target: Policies.Target
    /// The factor on the chance that people choose a space, which is otherwise proportional to its free room.
    package var factor: Double
  }

  /// The rules of an event that begins for all participants at the same time, such as a meeting, a lecture or a tour.
  public struct Collective: Hashable, Sendable {
    /// The times at which an event begins, every day; empty to draw times from the windows.
    public var starts: [ClockTime]
    /// The number of events per day, if no times are set.
    public var events: Int
    /// The maximum number of participants of one event.
    public var capacity: Int
  }

  /// Creates an activity with a name and a duration.
  public init(name: String, duration: DurationRule) {
    self.name = name
    self.duration = duration
  }
}
