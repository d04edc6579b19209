package import CordonCore
package import CordonPresence

/// The quality of the data of one participant.
package struct ParticipantQuality: Sendable {
  /// A calendar day of the participant.
  package struct Day: Hashable, Sendable {
    /// The date as `2026-01-31`.
    package var name: String
    /// The end of the day, milliseconds since 1970.
    package var end: Int64
    /// The valid time: that between consecutive positions, of which each gap counts up to five minutes. Milliseconds.
    package var valid: Int64
    /// The time in which positions were to be expected. Milliseconds.
    package var expected: Int64
    /// The number of positions.
    package var fixes: Int
    /// The number of gaps of more than five minutes.
    package var gaps: Int
    /// The longest gap. Milliseconds.
    package var longestGap: Int64
    /// The length of the path in metres.
    package var distance: Double
  }

  /// The days by date.
  package var days: [Day] = []
  /// The gaps of more than five minutes.
  package var gapCount = 0
  /// The gaps over the end of a day.
  package var gapsOverMidnight = 0
  /// The longest gap. Milliseconds.
  package var longestGap: Int64 = 0
  /// The accuracy radii in buildings and outside, in the order of the spans.
  package var indoors: [AccuracyStatistics] = []
  package var outdoors: [AccuracyStatistics] = []
  /// The visits, for the attribution to points of interest.
  package var visits: [PresenceVisit] = []
  /// The number of positions by quality.
  package var qualities: [StudyLocation.Quality: Int] = [:]

  /// The valid time of all days. Milliseconds.
  package var valid: Int64 { days.reduce(0) { $0 + $1.valid } }
  /// The expected time of all days. Milliseconds.
  package var expected: Int64 { days.reduce(0) { $0 + $1.expected } }
  /// The share of the expected time that is valid, 0 ... 1; `nil` when nothing was expected.
  package var coverage: Double? { expected > 0 ? min(Double(valid) / Double(expected), 1) : nil }

  /// Computes the quality of locations in the order of their times.
  ///
  /// Each time that counts is computed apart, so that a pause does not count as a gap and adds nothing.
  /// - Parameters:
  ///   - state: the times that count and the local clock.
  ///   - until: the present time, or the end of the study.
  ///   - buildings: the outlines of buildings; `nil` for none.
  package init(
    _ locations: [StudyLocation], _ state: ParticipantState, until: Instant, buildings: BuildingMap? = nil
  ) {
    var rules = PresenceRules(outdoors: OutdoorRule(buildings: buildings))
    rules.movement = MovementRules()
    var byDate: [Int64: Day] = [:]
    for location in locations { qualities[location.quality, default: 0] += 1 }
    var rest = locations[...]
    for span in state.spans {
      let end = min(span.to ?? until, until)
      guard span.from < end else { continue }
      Self.expect(from: span.from, to: end, state.calendar, &byDate)
      rest = rest.drop { $0.time < span.from }
      let inside = rest.prefix { $0.time < end }
      rest = rest.dropFirst(inside.count)
      guard !inside.isEmpty else { continue }
      var stream = PresenceStream(rules, calendar: state.calendar)
      for location in inside where location.quality != .mocked { stream.add(location.fix) }
      let report = stream.finish()
      for day in report.days {
        var entry = byDate[day.date] ?? Day(day)
        entry.valid += day.valid
        entry.fixes += day.fixes
        entry.gaps += day.gaps
        entry.longestGap = max(entry.longestGap, day.longestGap)
        entry.distance += day.distance
        byDate[day.date] = entry
      }
      gapCount += report.gaps.count
      gapsOverMidnight += report.gaps.countOverMidnight
      longestGap = max(longestGap, report.gaps.longest)
      indoors.append(report.indoors)
      outdoors.append(report.outdoors)
      visits += report.visits
    }
    days = byDate.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Adds the time of a span to the days of the local clock.
  private static func expect(
    from: Instant, to: Instant, _ calendar: DayCalendar, _ days: inout [Int64: Day]
  ) {
    // A stream with two fixes at the ends of the span makes its days.
    var stream = PresenceStream(PresenceRules(), calendar: calendar)
    let place = Coordinate(longitude: 0, latitude: 0)
    stream.add(PresenceFix(time: from.milliseconds, coordinate: place, accuracy: nil))
    stream.add(PresenceFix(time: max(to.milliseconds - 1, from.milliseconds + 1), coordinate: place, accuracy: nil))
    for day in stream.finish().days {
      let (start, end) = (max(day.start, from.milliseconds), min(day.start + day.length, to.milliseconds))
      guard end > start else { continue }
      var entry = days[day.date] ?? Day(day)
      entry.expected += end - start
      days[day.date] = entry
    }
  }
}

extension ParticipantQuality.Day {
  /// Creates an empty day of the same date.
  init(_ day: PresenceDay) {
    self.init(
      name: day.name, end: day.start + day.length, valid: 0, expected: 0, fixes: 0, gaps: 0, longestGap: 0, distance: 0)
  }
}

extension StudyService {
  /// Computes the quality of a participant's data.
  package func presence(
    of participant: Participant, _ study: Study, now: Instant? = nil, buildings: BuildingMap? = nil
  ) throws(StudyError) -> ParticipantQuality {
    let locations = try store.locations(of: participant.id, from: study.begins, to: study.ends)
    return ParticipantQuality(
      locations, try state(of: participant), until: min(now ?? study.ends, study.ends), buildings: buildings)
  }
}
