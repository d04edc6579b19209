import CordonCore
public import CordonVenues

/// Something that people do somewhere for a while.
///
/// The parts are those that ArchABM showed to describe an office day well: windows of the day, a duration, how often, and
/// whether people do it together.
public struct Activity: Hashable, Sendable {
  /// The name that populations refer to.
  public var name: String
  /// The line of its definition, for messages; 0 when it was not read.
  public var line = 0
  /// Kinds of space where it happens.
  public var kinds: [SpaceKind] = []
  /// Names or identifiers of spaces where it happens, besides the kinds.
  public var spaces: [String] = []
  /// When in the day it may begin.
  public var windows: [ClockWindow] = [.wholeDay]
  /// How long it takes.
  public var duration: DurationRule
  /// Each person does it at least so often in a visit, where the windows allow it.
  public var least = 0
  /// And at most so often; `nil` for any number.
  public var most: Int?
  /// How often it is chosen, against the others.
  public var weight = 1.0
  /// Everybody has a place of their own for it, the same every time: a desk.
  public var isOwnPlace = false
  /// Many do it together, at set times.
  public var collective: Collective?
  /// The share of the times that somebody does it next to somebody else who is there: talk, a picture looked at together.
  public var companyShare = 0.0
  /// How long somebody stays at one spot before they go on to another of the same place: from picture to picture, from
  /// one group that talks to the next. `nil` for the whole time at one spot.
  public var moves: DurationRule?
  /// People stand in line and are served one after the other; the duration is that of being served.
  public var isServed = false

  /// An activity that begins for all who take part at the same time: a meeting, a lecture, a tour.
  public struct Collective: Hashable, Sendable {
    /// When it begins, every day; empty draws times from the windows.
    public var starts: [ClockTime]
    /// How many times a day, when no times are set.
    public var events: Int
    /// At most so many take part in one.
    public var capacity: Int
  }

  /// An activity with a name and a duration.
  public init(name: String, duration: DurationRule) {
    self.name = name
    self.duration = duration
  }
}
