public import CordonCore

/// People with common properties, such as staff, visitors, students or patients.
public struct Population: Hashable, Sendable {
  /// The name of the population in results.
  public var name: String
  /// The line of the definition, for messages; 0 if the population was not read from a file.
  public var line = 0
  /// The rule of arrivals.
  public var arrival: Arrival
  /// Weekdays on which the people arrive, 0 for Monday to 6 for Sunday.
  public var weekdays: Set<Int> = Set(0...6)
  /// The duration of a visit; `nil` if ``leave`` or the kind of venue determines it.
  public var visit: DurationRule?
  /// The local times between which people leave; takes precedence over ``visit``.
  public var leave: ClockWindow?
  /// The entrances of the population: names, identifiers, or numbers from 0. Empty for all.
  public var entrances: [String] = []
  /// The free speed.
  public var speed = SpeedRule()
  /// Share of people who carry a phone, 0 ... 1.
  public var deviceShare = 1.0
  /// Share of people who arrive in groups, 0 ... 1.
  public var groupShare = 0.0
  /// The minimum and maximum size of a group.
  public var groupSize = 2...4
  /// Share of the stays that a group spends side by side; in the others, its members are anywhere in the same place.
  public var besideShare = 1.0
  /// The names of the activities; empty for all.
  public var activities: [String] = []

  /// How much the rates of arrival differ between days: the standard deviation of a factor with the mean 1. Each rate has
  /// a factor of its own on each day (a gamma distribution); 0 for the same rates every day.
  package var variation = 0.0
  /// The steps of a visit, in order; empty for activities in any order.
  package var steps: [VisitStep] = []
  /// The appointments to which people come, apart from those of ``arrival``; `nil` without appointments.
  package var appointments: AppointmentList?
  /// The people who accompany others through their visit; `nil` for none.
  package var companions: Companions?

  /// The rule by which people arrive.
  public enum Arrival: Hashable, Sendable {
    /// A fixed number of people, the same every day, each at a time in the window. Without a window, they arrive at any
    /// time of the day that the run covers.
    case window(size: Int, ClockWindow?, Shape)
    /// A Poisson process with hourly rates; every arrival is a new person.
    case hourly([Rate])
    /// Measured counts: the mean number of new people in each interval.
    case counts([Count])
    /// Groups that arrive together at set times, for a lecture or by train.
    case batches([Batch])
    /// People who work in shifts, the same every day.
    case shifts([Shift])
  }

  /// The distribution of arrivals over a window.
  public enum Shape: String, Hashable, Sendable, CaseIterable {
    /// A uniform distribution.
    case uniform
    /// A normal distribution around the middle of the window, which contains 95 % of it.
    case normal
    /// A density that falls linearly to zero at the end of the window.
    case early
  }

  /// An arrival rate in a part of every day.
  public struct Rate: Hashable, Sendable {
    /// The part of the day.
    public var window: ClockWindow
    /// People per hour.
    public var perHour: Double
    /// The days of the week to which the rate applies, 0 for Monday to 6 for Sunday.
    package var weekdays = Set(0...6)
  }

  /// A measured number of arrivals.
  public struct Count: Hashable, Sendable {
    /// The start of the interval.
    public var start: Instant
    /// The end of the interval.
    public var end: Instant
    /// The number of people who arrived.
    public var people: Double
  }

  /// People who arrive together.
  public struct Batch: Hashable, Sendable {
    /// The time of arrival, every day.
    public var at: ClockTime
    /// The number of people.
    public var size: Int
    /// The time between the first and the last arrival.
    public var spread: TimeSpan
  }

  /// A shift.
  public struct Shift: Hashable, Sendable {
    /// The hours of the shift.
    public var window: ClockWindow
    /// The number of people.
    public var size: Int
    /// The maximum time by which people arrive before the shift begins, and leave after it ends.
    public var spread: TimeSpan
  }

  /// A normal distribution of free speeds with bounds, in metres per second.
  public struct SpeedRule: Hashable, Sendable {
    /// Mean (Weidmann 1993: 1.34).
    public var mean = 1.34
    /// Standard deviation (Weidmann 1993: 0.26).
    public var deviation = 0.26
    /// The minimum speed.
    public var minimum = 0.5
    /// The maximum speed.
    public var maximum = 2.2

    /// Draws a speed. Values out of bounds are redrawn up to 15 times, and then clamped.
    func draw(_ random: inout RandomStream) -> Double {
      var speed = mean
      for _ in 0..<16 {
        speed = mean + deviation * random.nextNormal()
        if speed >= minimum && speed <= maximum { return speed }
      }
      return min(max(speed, minimum), maximum)
    }
  }

  /// Checks whether the people may do an activity.
  func includes(_ activity: Activity) -> Bool {
    if !steps.isEmpty { return steps.activityNames.contains(activity.name) }
    return activities.isEmpty ? !activity.isUntilCalled : activities.contains(activity.name)
  }

  /// Creates a population with a name and a rule of arrivals.
  public init(name: String, arrival: Arrival) {
    self.name = name
    self.arrival = arrival
  }
}
