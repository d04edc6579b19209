public import CordonCore

/// People who have something in common: staff, visitors, students, patients.
public struct Population: Hashable, Sendable {
  /// The name that outcomes are told by.
  public var name: String
  /// The line of its definition, for messages; 0 when it was not read.
  public var line = 0
  /// How they come.
  public var arrival: Arrival
  /// Days of the week on which they come, 0 for Monday.
  public var weekdays: Set<Int> = Set(0...6)
  /// How long they stay; `nil` leaves it to ``leave``, or to the venue's kind.
  public var visit: DurationRule?
  /// When they go, on the clock; takes precedence over ``visit``.
  public var leave: ClockWindow?
  /// Doors that they come in by: identifiers, or numbers from 0. Empty for all.
  public var entrances: [String] = []
  /// Free speed.
  public var speed = SpeedRule()
  /// Share who carry a phone.
  public var deviceShare = 1.0
  /// Share of the people who come in company; 0 for nobody.
  public var groupShare = 0.0
  /// The smallest and largest company.
  public var groupSize = 2...4
  /// Share of the stays that company spends side by side; in the others they are somewhere in the same place.
  public var besideShare = 1.0
  /// Names of activities; empty for all.
  public var activities: [String] = []

  /// How people come.
  public enum Arrival: Hashable, Sendable {
    /// So many people, the same every day, each at a time in the window; `nil` for any time of the day that the run covers.
    case window(size: Int, ClockWindow?, Shape)
    /// Each hour so many on average, new people every time: a Poisson process.
    case hourly([Rate])
    /// Measured counts: so many on average in each interval.
    case counts([Count])
    /// Many at once: a lecture, a train.
    case batches([Batch])
    /// The same people every day, who come and go with a shift.
    case shifts([Shift])
  }

  /// How arrivals spread over a window.
  public enum Shape: String, Hashable, Sendable, CaseIterable {
    /// Evenly.
    case uniform
    /// Most in the middle (a normal distribution; the window holds 95 %).
    case normal
    /// Many at the beginning, ever fewer later.
    case early
  }

  /// A rate in a part of every day.
  public struct Rate: Hashable, Sendable {
    /// The part of the day.
    public var window: ClockWindow
    /// People an hour.
    public var perHour: Double
  }

  /// A measured count.
  public struct Count: Hashable, Sendable {
    /// When the interval begins.
    public var start: Instant
    /// When it ends.
    public var end: Instant
    /// How many came.
    public var people: Double
  }

  /// Many at once.
  public struct Batch: Hashable, Sendable {
    /// When, every day.
    public var at: ClockTime
    /// How many.
    public var size: Int
    /// The last comes so much later than the first.
    public var spread: TimeSpan
  }

  /// A shift.
  public struct Shift: Hashable, Sendable {
    /// From when to when.
    public var window: ClockWindow
    /// How many.
    public var size: Int
    /// People come up to so much before it begins, and go up to so much after it ends.
    public var spread: TimeSpan
  }

  /// Free speed, metres a second: normal within bounds.
  public struct SpeedRule: Hashable, Sendable {
    /// Mean (Weidmann 1993: 1.34).
    public var mean = 1.34
    /// Standard deviation (Weidmann 1993: 0.26).
    public var deviation = 0.26
    /// Never less.
    public var least = 0.5
    /// Never more.
    public var most = 2.2

    /// Draws a speed; outside of the bounds anew, at last the nearer bound.
    func draw(_ random: inout RandomStream) -> Double {
      var speed = mean
      for _ in 0..<16 {
        speed = mean + deviation * random.nextNormal()
        if speed >= least && speed <= most { return speed }
      }
      return min(max(speed, least), most)
    }
  }

  /// A population with a name and arrivals.
  public init(name: String, arrival: Arrival) {
    self.name = name
    self.arrival = arrival
  }
}
