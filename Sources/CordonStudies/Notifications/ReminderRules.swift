package import CordonCore
package import CordonSupport

/// When a participant is reminded that a permission is missing.
package struct ReminderRules: Hashable, Sendable {
  /// The permissions whose loss is a reason.
  package var permissions: [StudyEvent.Permission] = [.location, .background]
  /// The shortest time between two reminders to one participant.
  package var interval: TimeSpan = .hours(24)
  /// The time after a loss before the first reminder.
  package var patience: TimeSpan = .minutes(30)
  /// The beginning of the quiet hours, in minutes of the local day.
  package var quietFrom: Int64 = 21 * 60
  /// The end of the quiet hours, in minutes of the local day. If it is the beginning, there are none.
  package var quietTo: Int64 = 8 * 60
  /// The most reminders of one loss.
  package var maximumPerLoss: Int64 = 5
  /// The most reminders to one participant within 24 hours.
  package var maximumPerDay: Int64 = 2

  /// Creates the default rules.
  package init() {}

  private static let keys = [
    "permissions", "interval_hours", "patience_minutes", "quiet_from", "quiet_to", "maximum_per_loss",
    "maximum_per_day",
  ]

  init(_ fields: StudyFields) throws(StudyError) {
    try fields.only(Self.keys)
    if fields.value("permissions") != nil {
      var list: [StudyEvent.Permission] = []
      for name in try fields.texts("permissions") {
        guard let permission = StudyEvent.Permission(rawValue: name) else {
          let names = StudyEvent.Permission.allCases.map(\.rawValue).joined(separator: ", ")
          throw StudyError(.badField, "each is one of \(names)", field: fields.place("permissions"))
        }
        if !list.contains(permission) { list.append(permission) }
      }
      permissions = list.sorted()
    }
    interval = .hours(try fields.optionalInteger("interval_hours", 1...720) ?? 24)
    patience = .minutes(try fields.optionalInteger("patience_minutes", 0...10_080) ?? 30)
    quietFrom = try Self.minutes(fields, "quiet_from") ?? quietFrom
    quietTo = try Self.minutes(fields, "quiet_to") ?? quietTo
    maximumPerLoss = try fields.optionalInteger("maximum_per_loss", 1...100) ?? maximumPerLoss
    maximumPerDay = try fields.optionalInteger("maximum_per_day", 1...24) ?? maximumPerDay
  }

  private static func minutes(_ fields: StudyFields, _ name: String) throws(StudyError) -> Int64? {
    guard let text = try fields.optionalText(name, 5...5) else { return nil }
    let parts = text.split(separator: ":").map { Int64($0) }
    guard parts.count == 2, let hour = parts[0], let minute = parts[1], (0...23).contains(hour),
      (0...59).contains(minute)
    else { throw StudyError(.badField, "a time of day such as 21:00", field: fields.place(name)) }
    return hour * 60 + minute
  }

  private static func text(_ minutes: Int64) -> String {
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(two(minutes / 60)):\(two(minutes % 60))"
  }

  /// The document of the rules.
  package var json: JSONValue {
    [
      "permissions": .array(permissions.map { .string($0.rawValue) }),
      "interval_hours": .integer(interval.milliseconds / 3_600_000),
      "patience_minutes": .integer(patience.milliseconds / 60_000), "quiet_from": .string(Self.text(quietFrom)),
      "quiet_to": .string(Self.text(quietTo)), "maximum_per_loss": .integer(maximumPerLoss),
      "maximum_per_day": .integer(maximumPerDay),
    ]
  }

  /// Returns the end of the quiet hours that a time lies in; `nil` outside of them.
  /// - Parameter offset: the time from UTC to the local clock.
  package func quietEnd(at time: Instant, offset: TimeSpan) -> Instant? {
    guard quietFrom != quietTo else { return nil }
    let day: Int64 = 86_400_000
    let local = (time + offset).milliseconds
    let rest = local % day
    let ofDay = rest < 0 ? rest + day : rest
    let (from, to) = (quietFrom * 60_000, quietTo * 60_000)
    let isQuiet = from < to ? (from..<to).contains(ofDay) : ofDay >= from || ofDay < to
    guard isQuiet else { return nil }
    return time + .milliseconds(ofDay < to ? to - ofDay : day - ofDay + to)
  }
}
