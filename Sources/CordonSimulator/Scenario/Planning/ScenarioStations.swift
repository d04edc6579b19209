import CordonCore
import CordonCrowd

/// The stations of a scenario's served activities.
///
/// A service whose people are called has one station for all its spaces that ways connect; each other space has a station
/// of its own.
struct ScenarioStations {
  /// The stations; ``Itinerary/Stop/station`` is an index into them.
  private(set) var list: [ServiceStation] = []
  /// The expected services of each station.
  private var forecasts: [ServiceForecast] = []
  private var indices: [Key: Int] = [:]

  private struct Key: Hashable {
    var activity: Int
    var destination: Int
  }

  init(_ scenario: Scenario, places: ScenarioPlaces) {
    let called = scenario.calledActivities
    for (index, activity) in scenario.activities.enumerated() where activity.isServed {
      let hours = Self.hours(of: activity, in: scenario)
      for group in places.places[index].keys.sorted() {
        let destinations = places.places[index][group] ?? []
        for part in called.contains(index) ? [destinations] : destinations.map({ [$0] }) {
          for destination in part { indices[Key(activity: index, destination: destination)] = list.count }
          list.append(
            ServiceStation(
              name: activity.name,
              servers: part.flatMap { destination in
                hours.map { ServiceStation.Server(destination: destination, hours: $0) }
              }, callsPeople: called.contains(index), order: activity.order))
          forecasts.append(ServiceForecast(list[list.count - 1], from: scenario.start, to: scenario.end))
        }
      }
    }
  }

  /// Returns the hours of the servers in each space of an activity.
  private static func hours(of activity: Activity, in scenario: Scenario) -> [ServerHours] {
    var shifts: [(span: Range<Int64>, servers: Int)] = []
    var always = activity.servers.isEmpty ? 1 : 0
    for shift in activity.servers {
      guard let window = shift.window else {
        always += shift.servers
        continue
      }
      for day in scenario.clock.days(from: scenario.start, to: scenario.end) {
        let from = scenario.clock.instant(day, window.from).milliseconds
        let to = scenario.clock.instant(day, window.to).milliseconds
        if from < to { shifts.append((from..<to, shift.servers)) }
      }
    }
    shifts.sort { ($0.span.lowerBound, $0.span.upperBound) < ($1.span.lowerBound, $1.span.upperBound) }
    var servers: [[Range<Int64>]] = []
    for shift in shifts {
      for _ in 0..<shift.servers {
        // A server whose last shift is over works the next one.
        if let free = servers.firstIndex(where: { ($0.last?.upperBound ?? .min) <= shift.span.lowerBound }) {
          servers[free].append(shift.span)
        } else {
          servers.append([shift.span])
        }
      }
    }
    return Array(repeating: .always, count: always) + servers.map { ServerHours($0) }
  }

  /// Returns the station of an activity at a destination; `nil` if people are not served there.
  func index(of activity: Int, at destination: Int) -> Int? {
    indices[Key(activity: activity, destination: destination)]
  }

  /// Returns the expected beginning of a service, in milliseconds since 1970; the time of arrival if no server is expected
  /// to have time during the run.
  func expectedStart(at station: Int, arrival: Int64, duration: Int64) -> Int64 {
    forecasts[station].next(from: arrival, duration: duration)?.start ?? arrival
  }

  /// Returns the place of the server who is expected to have time first.
  func expectedDestination(at station: Int, arrival: Int64, duration: Int64) -> Int {
    list[station].servers[forecasts[station].next(from: arrival, duration: duration)?.server ?? 0].destination
  }

  /// Books an expected service, and returns its beginning and the destination of the server.
  mutating func book(_ station: Int, arrival: Int64, duration: Int64) -> (start: Int64, destination: Int) {
    let found = forecasts[station].next(from: arrival, duration: duration)
    if let found { forecasts[station].book(found.server, found.start...(found.start + duration)) }
    return (found?.start ?? arrival, list[station].servers[found?.server ?? 0].destination)
  }
}

/// The expected services at a station while visits are planned, which is not in the order of service.
struct ServiceForecast {
  /// The times at which each server is busy or absent.
  private var servers: [BookedTimes]
  private let end: Int64

  init(_ station: ServiceStation, from start: Instant, to end: Instant) {
    self.end = end.milliseconds
    servers = station.servers.map { server in
      var times = BookedTimes()
      var last = start.milliseconds
      for change in server.hours.changes.sorted() + [end.milliseconds] where change > last {
        if !server.hours.contains(last) { times.book(last...(change - 1)) }
        last = change
      }
      return times
    }
  }

  /// Returns the server who has time first, and the beginning of the service; `nil` if none has time during the run.
  func next(from time: Int64, duration: Int64) -> (server: Int, start: Int64)? {
    var best: (server: Int, start: Int64)?
    for (index, server) in servers.enumerated() {
      let start = server.firstGap(from: time, length: duration)
      if start < end, start < best?.start ?? .max { best = (index, start) }
    }
    return best
  }

  mutating func book(_ server: Int, _ span: ClosedRange<Int64>) { servers[server].book(span) }
}
