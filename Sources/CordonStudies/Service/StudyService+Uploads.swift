package import CordonCore
package import CordonSupport

extension StudyService {
  /// What became of an upload.
  package struct Receipt: Hashable, Sendable {
    /// The rows that were stored now.
    package var stored = 0
    /// The rows that were there already.
    package var known = 0
    /// The rows that were measured outside of the times that count: in a pause, before the start, after leaving.
    package var outside = 0

    /// The answer to the phone.
    package var json: JSONValue {
      ["stored": .integer(Int64(stored)), "known": .integer(Int64(known)), "outside": .integer(Int64(outside))]
    }
  }

  /// The most rows of an upload; published trackers send 250.
  package static let maximumRows = 1_000
  /// Clocks of phones may be this much ahead.
  private static let ahead = TimeSpan.minutes(5)

  /// Stores events of a phone. The same upload again changes nothing.
  package func addEvents(_ body: StudyFields, of participant: Participant, now: Instant) throws(StudyError) -> Receipt {
    try checkPresent(participant)
    try body.only(["events"])
    var events: [StudyEvent] = []
    for entry in try Self.rows(body, "events") {
      try entry.only(["id", "time", "type", "permission", "value"])
      guard let kind = StudyEvent.Kind(rawValue: try entry.text("type", 1...64)), kind.isFromDevice else {
        let names = StudyEvent.Kind.allCases.filter(\.isFromDevice).map(\.rawValue).joined(separator: ", ")
        throw StudyError(.badField, "one of \(names)", field: entry.place("type"))
      }
      var permission: StudyEvent.Permission?
      var value: Int64?
      switch kind {
      case .permissionsUpdate:
        permission = StudyEvent.Permission(rawValue: try entry.text("permission", 1...64))
        guard permission != nil else {
          let names = StudyEvent.Permission.allCases.map(\.rawValue).joined(separator: ", ")
          throw StudyError(.badField, "one of \(names)", field: entry.place("permission"))
        }
        guard let isGiven = try entry.optionalFlag("value") else {
          throw StudyError(.badField, "true or false", field: entry.place("value"))
        }
        value = isGiven ? 1 : 0
      case .offsetChanged: value = try entry.integer("value", -1_440...1_440)
      default: break
      }
      events.append(
        StudyEvent(
          id: try Self.identifier(entry), participant: participant.id,
          time: try Self.time(entry, of: participant, now: now), received: now, kind: kind, permission: permission,
          value: value))
    }
    let stored = try store.add(events)
    return Receipt(stored: stored, known: events.count - stored)
  }

  /// Stores locations of a phone. The same upload again changes nothing; rows outside of the times that count are not stored.
  package func addLocations(
    _ body: StudyFields, of participant: Participant, now: Instant
  ) throws(StudyError) -> Receipt {
    try body.only(["locations"])
    let state = try state(of: participant)
    let study = try study(participant.study)
    var receipt = Receipt()
    var kept: [StudyLocation] = []
    for entry in try Self.rows(body, "locations") {
      let location = try Self.location(entry, of: participant, now: now)
      if state.counts(location.time), location.time >= study.begins, location.time < study.ends {
        kept.append(location)
      } else {
        receipt.outside += 1
      }
    }
    receipt.stored = try store.add(kept)
    receipt.known = kept.count - receipt.stored
    return receipt
  }

  private static func rows(_ body: StudyFields, _ name: String) throws(StudyError) -> [StudyFields] {
    let rows = try body.list(name)
    guard (1...maximumRows).contains(rows.count) else {
      throw StudyError(.badField, "1 to \(maximumRows) rows", field: name)
    }
    return rows
  }

  private static func identifier(_ entry: StudyFields) throws(StudyError) -> FixID {
    guard let id = FixID(try entry.text("id", 36...36)) else {
      throw StudyError(.badField, "a UUID", field: entry.place("id"))
    }
    return id
  }

  private static func time(
    _ entry: StudyFields, of participant: Participant, now: Instant
  ) throws(StudyError) -> Instant {
    let time = try entry.time("time")
    guard time <= now + ahead, time >= participant.enrolled - .days(1) else {
      throw StudyError(.badField, "after the enrolment and not in the future", field: entry.place("time"))
    }
    return time
  }

  private static let locationKeys = [
    "id", "time", "lon", "lat", "accuracy", "altitude", "activity", "battery", "odometer", "is_mocked",
  ]

  private static func location(
    _ entry: StudyFields, of participant: Participant, now: Instant
  ) throws(StudyError) -> StudyLocation {
    try entry.only(locationKeys)
    let name = try entry.optionalText("activity", 0...32) ?? "unknown"
    guard let activity = StudyLocation.Activity(rawValue: name) else {
      let names = StudyLocation.Activity.allCases.map(\.rawValue).joined(separator: ", ")
      throw StudyError(.badField, "one of \(names)", field: entry.place("activity"))
    }
    // Platforms report an accuracy of 0 or less when they know none.
    let accuracy = try entry.optionalNumber("accuracy", -1e6...1e6).flatMap { $0 > 0 ? $0 : nil }
    return StudyLocation(
      id: try identifier(entry), participant: participant.id, time: try time(entry, of: participant, now: now),
      coordinate: Coordinate(
        longitude: try entry.number("lon", -180...180), latitude: try entry.number("lat", -90...90)),
      accuracy: accuracy, altitude: try entry.optionalNumber("altitude", -1_000...20_000), activity: activity,
      battery: try entry.optionalInteger("battery", 0...100), odometer: try entry.optionalNumber("odometer", 0...1e9),
      isMocked: try entry.optionalFlag("is_mocked") ?? false)
  }
}
