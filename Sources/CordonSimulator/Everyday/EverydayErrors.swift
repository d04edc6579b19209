import CordonCore
import CordonGeometry
import CordonPresence

/// The errors of what rows report about a day: its stays, its ways and its length, by the rules of presence.
///
/// A stay is found when a visit within 200 m of it covers a part of it, and a way when a trip covers a part of it; the visit and the
/// trip that cover most count. Errors are found minus true.
struct EverydayErrors {
  /// The distance in metres within which a visit can be a stay.
  static let reach = 200.0

  /// The error of the length of the day in percent.
  private(set) var distance = 0.0
  private(set) var foundStays = 0
  private(set) var extraStays = 0
  private(set) var foundWays = 0
  private(set) var extraWays = 0
  /// In seconds. The night's beginning and the evening's end are not the person's.
  private(set) var arrivals: [Double] = []
  private(set) var departures: [Double] = []
  private(set) var dwells: [Double] = []
  /// In seconds.
  private(set) var starts: [Double] = []
  private(set) var ends: [Double] = []
  /// In percent.
  private(set) var lengths: [Double] = []

  init(_ rows: [Location], of day: EverydayDay) {
    var rules = PresenceRules()
    rules.movement = MovementRules()
    var stream = PresenceStream(rules)
    for row in rows {
      stream.add(
        PresenceFix(
          time: row.time.milliseconds, until: row.stillUntil?.milliseconds, coordinate: row.coordinate,
          accuracy: row.accuracy))
    }
    let report = stream.finish()
    distance = (report.days.reduce(0) { $0 + $1.distance } / day.length - 1) * 100
    compare(report.visits, day.stays)
    compare(report.trips, day.ways)
  }

  private static func second(_ time: Int64) -> Double { Double(time - EverydayPhone.start.milliseconds) / 1_000 }

  private mutating func compare(_ visits: [PresenceVisit], _ stays: [EverydayDay.Stay]) {
    let frame = LocalFrame(origin: EverydayPhone.origin)
    var used = Set<Int>()
    for (number, stay) in stays.enumerated() {
      let best = EverydayErrors.best(visits.map { ($0.arrival, $0.departure) }, from: stay.start, to: stay.end) {
        index in
        PlanePoint.distance(frame.project(visits[index].coordinate), stay.point) <= EverydayErrors.reach
      }
      guard let best else { continue }
      foundStays += 1
      used.insert(best)
      let (arrival, departure) = (
        EverydayErrors.second(visits[best].arrival), EverydayErrors.second(visits[best].departure)
      )
      let (isFirst, isLast) = (number == 0, number == stays.count - 1)
      if !isFirst { arrivals.append(arrival - stay.start) }
      if !isLast { departures.append(departure - stay.end) }
      if !isFirst, !isLast { dwells.append(departure - arrival - (stay.end - stay.start)) }
    }
    extraStays = visits.count - used.count
  }

  private mutating func compare(_ trips: [PresenceTrip], _ ways: [EverydayDay.Way]) {
    var used = Set<Int>()
    for way in ways {
      guard
        let best = EverydayErrors.best(
          trips.map { ($0.start, $0.end) }, from: way.start, to: way.end, where: { _ in true })
      else { continue }
      foundWays += 1
      used.insert(best)
      starts.append(EverydayErrors.second(trips[best].start) - way.start)
      ends.append(EverydayErrors.second(trips[best].end) - way.end)
      lengths.append((trips[best].distance / way.length - 1) * 100)
    }
    extraWays = trips.count - used.count
  }

  /// Returns the number of the time that covers most of a true one; `nil` when none does.
  private static func best(
    _ times: [(Int64, Int64)], from start: Double, to end: Double, where isPossible: (Int) -> Bool
  ) -> Int? {
    var best: (number: Int, cover: Double)?
    for (number, time) in times.enumerated() where isPossible(number) {
      let cover = min(second(time.1), end) - max(second(time.0), start)
      if cover > best?.cover ?? 0 { best = (number, cover) }
    }
    return best?.number
  }
}
