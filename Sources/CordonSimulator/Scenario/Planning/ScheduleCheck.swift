import CordonCore

/// The check for impossible schedules, which precedes the planning.
extension Scenario {
  /// Finds activities that cannot begin during the run, and required activities of people who are never present at the
  /// time.
  /// - Throws: ``ScenarioError`` with the line of the activity.
  func checkSchedules() throws(ScenarioError) {
    let days = clock.days(from: start, to: end)
    for activity in activities {
      guard isPossible(activity, on: days) else {
        throw ScenarioError(
          line: activity.line, path: "activities.\(activity.name)",
          message:
            "can only begin \(Scenario.times(of: activity)), and the run lasts from \(clock.text(of: start)) to \(clock.text(of: end))"
        )
      }
      if let starts = activity.collective?.starts,
        let stray = starts.first(where: { at in
          !activity.windows.contains { window in
            [at.seconds, at.seconds + 86_400].contains {
              $0 >= window.from.seconds && $0 <= Scenario.end(of: window)
            }
          }
        })
      {
        throw ScenarioError(
          line: activity.line, path: "activities.\(activity.name)",
          message: "an event at \(stray) is outside 'between'")
      }
      guard activity.minimum > 0, activity.collective == nil else { continue }
      for population in populations
      where population.steps.isEmpty && population.includes(activity) {
        guard let presence = population.presence else { continue }
        let isThere = activity.windows.contains { window in
          presence.contains { $0.lowerBound < Scenario.end(of: window) && window.from.seconds < $0.upperBound }
        }
        guard isThere else {
          throw ScenarioError(
            line: activity.line, path: "activities.\(activity.name)",
            message:
              "all people of '\(population.name)' must do it, but it begins \(Scenario.times(of: activity)), when none "
              + "of them is present")
        }
      }
    }
  }

  private func isPossible(_ activity: Activity, on days: [CalendarDay]) -> Bool {
    let starts = activity.collective?.starts ?? []
    return days.contains { day in
      if !starts.isEmpty {
        return starts.contains { (start..<end).contains(clock.instant(day, $0)) }
      }
      return activity.windows.contains { window in
        clock.instant(day, window.from) < end
          && clock.instant(day, ClockTime(seconds: Scenario.end(of: window))) > start
      }
    }
  }

  /// Returns the end of a window in seconds since the midnight before its beginning. A window past midnight ends on the
  /// next day.
  private static func end(of window: ClockWindow) -> Int {
    window.to.seconds > window.from.seconds ? window.to.seconds : window.to.seconds + 86_400
  }

  private static func times(of activity: Activity) -> String {
    if let starts = activity.collective?.starts, !starts.isEmpty {
      return "at " + starts.map(\.description).joined(separator: ", ")
    }
    return activity.windows.map { "from \($0.from) to \($0.to)" }.joined(separator: " or ")
  }

}

extension Population {
  /// The seconds of the day in which people of the population can be present; `nil` if they are not known.
  fileprivate var presence: [Range<Int>]? {
    switch arrival {
    case .window(_, nil, _): return nil
    case .window(_, let window?, _):
      guard let leave, leave.to > window.from else { return nil }
      return [window.from.seconds..<leave.to.seconds]
    case .shifts(let shifts):
      return shifts.map { shift in
        let spread = Int(shift.spread.seconds)
        let to = shift.window.to.seconds
        let end = to > shift.window.from.seconds ? to : to + 86_400
        return (shift.window.from.seconds - spread)..<(end + spread)
      }
    case .hourly, .counts, .batches: return nil
    }
  }
}
