package import CordonCore

/// The ranges of a scenario's values, for the reader of files, the command line and ``Scenario/check()``.
package enum ScenarioLimits {
  /// People of a run, each population, capacity or group.
  package static let people = 1...1_000_000
  /// The simulated time, from a millisecond.
  package static let duration = TimeSpan.milliseconds(1)...TimeSpan.days(31)
  /// Share of people who carry a phone.
  package static let deviceShare = 0.0...1.0
  /// Time between two fixes of a phone.
  package static let interval = TimeSpan.milliseconds(100)...TimeSpan.hours(1)
  /// One fix of each such interval is kept; zero keeps all.
  package static let thinning = TimeSpan.zero...TimeSpan.hours(1)
  /// Rows are sent once the oldest has waited for this long.
  package static let flushAfter = TimeSpan.seconds(1)...TimeSpan.days(1)
  /// Contact distance in metres.
  package static let contactDistance = 0.0...1_000.0
  /// Two fixes farther apart in time are not joined.
  package static let maximumGap = TimeSpan.milliseconds(1)...TimeSpan.days(1)
  /// Contact duration that triggers a warning.
  package static let warningThreshold = TimeSpan.seconds(1)...TimeSpan.days(31)
  /// Width of a bin of occupancy.
  package static let occupancyBin = TimeSpan.seconds(1)...TimeSpan.days(1)
  /// Step of the movement models that have steps.
  package static let movementStep = TimeSpan.milliseconds(10)...TimeSpan.milliseconds(150)
  /// Repetitions.
  package static let replicas = 1...10_000
  /// Start of the simulated time: 1970 to 2099.
  package static let start = Instant(milliseconds: 0)...Instant(milliseconds: 4_102_444_799_999)

  static func check<Value: Comparable>(
    _ value: Value, in range: ClosedRange<Value>, key: String
  ) throws(ScenarioError) {
    guard !range.contains(value) else { return }
    throw ScenarioError(
      line: 0, path: key,
      message: "must be between \(range.lowerBound) and \(range.upperBound), not \(value)")
  }
}

extension Scenario {
  /// Checks the values that a program can set and that have a range.
  ///
  /// A scenario that was read from a file is within all ranges.
  /// - Throws: ``ScenarioError`` without a line, with the key of the first value out of its range.
  public func check() throws(ScenarioError) {
    typealias Limits = ScenarioLimits
    if let visitors {
      try Limits.check(visitors.count, in: Limits.people, key: "visitors.count")
      try Limits.check(visitors.deviceShare, in: Limits.deviceShare, key: "visitors.device_share")
    }
    guard Limits.start.contains(start) else {
      throw ScenarioError(line: 0, path: "time.start", message: "must be between 1970 and 2099, not \(start.rfc3339)")
    }
    try Limits.check(duration, in: Limits.duration, key: "time.duration")
    try Limits.check(phones.interval, in: Limits.interval, key: "phones.interval")
    if let thinning = phones.thinning { try Limits.check(thinning, in: Limits.thinning, key: "phones.thinning") }
    if let flush = phones.flushAfter { try Limits.check(flush, in: Limits.flushAfter, key: "phones.flush_after") }
    try Limits.check(.milliseconds(movement.step), in: Limits.movementStep, key: "movement.step")
    try Limits.check(contactDistance, in: Limits.contactDistance, key: "contacts.distance")
    try Limits.check(maximumGap, in: Limits.maximumGap, key: "contacts.max_gap")
    try Limits.check(warningThreshold, in: Limits.warningThreshold, key: "contacts.warning")
    try Limits.check(occupancyBin, in: Limits.occupancyBin, key: "contacts.occupancy_bin")
    try Limits.check(replicas, in: Limits.replicas, key: "replicas")
    if let share = policies.deviceShare {
      try Limits.check(share, in: Limits.deviceShare, key: "policies.devices")
    }
  }
}
