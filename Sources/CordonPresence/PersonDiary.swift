public import CordonCore

/// The diary of one person: days, stays and trips from their own positions, for an app's screens.
///
/// It holds positions in memory and computes nothing until it is asked. `cordon presence` has the same definitions, and more
/// figures.
public struct PersonDiary: Sendable {
  /// A calendar day. Times are durations; those that fixes do not cover are unknown, and never guessed.
  public struct Day: Hashable, Sendable {
    /// The date, as `2026-01-31`.
    public let date: String
    /// The time at home; zero without a home.
    public let atHome: TimeSpan
    /// The time away from home; zero without a home.
    public let away: TimeSpan
    /// The expected time outdoors.
    public let outdoors: TimeSpan
    /// The time of which it is not known whether it was at home.
    public let unknown: TimeSpan
    /// The length of the ways in metres.
    public let distance: Double
    /// The number of positions.
    public let positions: Int
  }

  /// A stay at one place.
  public struct Stay: Hashable, Sendable {
    /// The mean position.
    public let coordinate: Coordinate
    /// The time of the arrival, or of the first position there.
    public let arrival: Instant
    /// The time of the departure, or of the last position there.
    public let departure: Instant
    /// Whether the place is a home.
    public let isHome: Bool
    /// The person arrived at most this long before ``arrival``; `nil` when no position came before.
    public let arrivalUncertainty: TimeSpan?
    /// The person left at most this long after ``departure``; `nil` when no position followed.
    public let departureUncertainty: TimeSpan?
  }

  /// A trip that the person started.
  public struct Trip: Hashable, Sendable {
    /// The mode of travel, one of ``PersonDiary/tripModes``.
    public let mode: String
    /// The time of the start.
    public let start: Instant
    /// The time of the end.
    public let end: Instant
    /// The length of the way in metres.
    public let distance: Double
    /// The first position; `nil` without a position.
    public let startPlace: Coordinate?
    /// The last position; `nil` without a position.
    public let endPlace: Coordinate?
    /// Whether the trip ended by itself, 15 minutes after the last movement.
    public let hasEndedByItself: Bool
  }

  /// The modes of travel.
  public static let tripModes = TripMode.allCases.map(\.rawValue)
  /// The range of the radius of a home in metres.
  public static let homeRadii = HomePlace.radii

  private let offset: TimeSpan
  private var homes: [HomePlace] = []
  private var fixes: [PresenceFix] = []
  private var isSorted = true

  /// Makes an empty diary.
  /// - Parameter offset: the offset of the person's clock from UTC, positive to the east.
  public init(offset: TimeSpan = .zero) { self.offset = offset }

  /// The number of positions.
  public var count: Int { fixes.count }

  /// Adds a position; positions may come in any order.
  /// - Parameters:
  ///   - coordinate: the place.
  ///   - accuracy: the radius (68 %) in metres; `nil` when it is unknown.
  ///   - time: the time of the measurement.
  ///   - stillUntil: the end of a rest there; `nil` without one.
  public mutating func add(_ coordinate: Coordinate, accuracy: Double?, at time: Instant, stillUntil: Instant? = nil) {
    let fix = PresenceFix(
      time: time.milliseconds, until: stillUntil?.milliseconds, coordinate: coordinate, accuracy: accuracy)
    if let last = fixes.last, last.time > fix.time { isSorted = false }
    fixes.append(fix)
  }

  /// Adds a home, from a time on. Earlier days keep the homes that they had.
  /// - Parameters:
  ///   - coordinate: the centre.
  ///   - radius: 50 to 500 metres.
  ///   - from: the time at which the person moved in; `nil` for always.
  /// - Throws: an error for an invalid coordinate or radius.
  public mutating func addHome(_ coordinate: Coordinate, radius: Double = 100, from: Instant? = nil) throws {
    homes.append(try HomePlace(coordinate, radius: radius, from: from))
  }

  /// Removes all homes.
  public mutating func removeHomes() { homes = [] }

  /// Returns the days with those between them that have no position, and the stays.
  ///
  /// Time grows with the number of positions.
  public func summary() -> (days: [Day], stays: [Stay]) {
    var rules = PresenceRules(homes: HomeHistory(homes))
    rules.movement = MovementRules()
    var stream = PresenceStream(rules, calendar: DayCalendar(offset: offset))
    for fix in ordered { stream.add(fix) }
    let report = stream.finish()
    let days = report.days.map { day in
      Day(
        date: day.name, atHome: .milliseconds(day.home), away: .milliseconds(day.away),
        outdoors: .milliseconds(Int64(day.outdoors)), unknown: .milliseconds(day.unknown), distance: day.distance,
        positions: day.fixes)
    }
    let stays = report.visits.map { visit in
      Stay(
        coordinate: visit.coordinate, arrival: Instant(milliseconds: visit.arrival),
        departure: Instant(milliseconds: visit.departure), isHome: visit.place == .home,
        arrivalUncertainty: visit.arrivalUncertainty.map { .milliseconds($0) },
        departureUncertainty: visit.departureUncertainty.map { .milliseconds($0) })
    }
    return (days, stays)
  }

  /// Returns the trip of a time, from the positions in it.
  /// - Parameters:
  ///   - mode: one of ``tripModes``; another text counts as `bicycle`.
  ///   - start: the start of the trip.
  ///   - end: its end, or now.
  public func trip(_ mode: String, from start: Instant, until end: Instant) -> Trip {
    var recorder = TripRecorder(TripMode(rawValue: mode) ?? .bicycle, start: start.milliseconds)
    for fix in ordered where fix.time >= start.milliseconds && fix.time <= end.milliseconds { _ = recorder.add(fix) }
    let trip = recorder.stop(at: end.milliseconds)
    return Trip(
      mode: trip.mode.rawValue, start: Instant(milliseconds: trip.start), end: Instant(milliseconds: trip.end),
      distance: trip.distance, startPlace: trip.startCoordinate, endPlace: trip.endCoordinate,
      hasEndedByItself: trip.stoppedAutomatically)
  }

  private var ordered: [PresenceFix] {
    if isSorted { return fixes }
    return fixes.indices.sorted { (fixes[$0].time, $0) < (fixes[$1].time, $1) }.map { fixes[$0] }
  }
}
