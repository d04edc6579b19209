import CordonConsole
import CordonCore
import CordonMonitoring

/// The keys of tracking outside of venues: `mode`, and the object `everywhere`.
extension ConfigurationFile {
  private typealias Key = ConfigurationKey<TrackingPolicy>

  private static let day = TimeSpan.zero...TimeSpan.days(1)

  private static var policyKeys: [Key] {
    [
      .choice("tracking", "the sources of fixes", \.mode),
      .choice("accuracy", "the accuracy that the receiver aims at", \.desiredAccuracy),
      .choice("activity", "the activity", \.activity),
      .number("maximum_accuracy_m", "maximum accuracy radius of a kept fix", \.maximumAccuracy, 1...10_000),
      .number("minimum_distance_m", "minimum distance of two kept fixes", \.minimumDistance, 0...10_000),
      .duration("minimum_interval", "minimum time between two kept fixes", \.minimumInterval, day),
      .durationOrOff("still_interval", "the same while the device is still", \.stillInterval, day),
      .durationOrOff("background_interval", "the same while an app is in the background", \.backgroundInterval, day),
      .flag("pauses", "whether positioning pauses in one place", \.pausesAutomatically),
      .duration("pause_after", "the time in one place before a pause", \.pauseAfter, .minutes(1) ... .days(1)),
      .number("exit_fence_m", "the radius around a pause", \.exitFence, 100...2_000),
      .flag("visits", "whether visits are recorded", \.recordsVisits),
      .durationOrOff("stale_after", "the time without a fix that is reported", \.staleAfter, .minutes(1) ... .days(7)),
    ]
  }

  /// Reads the object `everywhere`.
  static func readEverywhere(
    _ node: ConfigurationNode, into configuration: inout TrackerConfiguration
  ) throws(ConfigurationError) {
    guard let members = node.members else { throw ConfigurationError("is not a JSON object", place: "everywhere") }
    guard var policy = configuration.monitor.everywhere else {
      throw ConfigurationError(#"has no effect without "mode": "everywhere""#, place: "everywhere")
    }
    try ConfigurationReader(policyKeys).read(members: members, at: "everywhere", into: &policy)
    configuration.monitor.everywhere = policy
  }

  /// Reads the purposes of a sink, separated by spaces.
  static func purposes(_ text: String) throws(ConfigurationError) -> Consent.Purposes {
    var purposes: Consent.Purposes = []
    for name in text.split(separator: " ") {
      switch name {
      case "record": purposes.insert(.record)
      case "everywhere": purposes.insert(.everywhere)
      default: throw ConfigurationError("the purposes are record and everywhere, not '\(name)'")
      }
    }
    guard !purposes.isEmpty else { throw ConfigurationError("a sink needs a purpose: record or everywhere") }
    return purposes
  }
}

extension TrackerConfiguration {
  /// `venue`, or `everywhere`.
  var mode: String { monitor.everywhere == nil ? "venue" : "everywhere" }

  /// Replaces the rules by those of a preset. Whether positions outside of venues are recorded stays.
  package mutating func apply(preset name: String) throws(TrackerError) {
    let isEverywhere = monitor.everywhere != nil
    monitor = try TrackerConfiguration.preset(name)
    preset = Preset(rawValue: name) ?? .balanced
    if isEverywhere { monitor.everywhere = TrackingPolicy(preset: preset) }
  }

  /// Turns recording outside of venues on or off, with the policy of the preset.
  mutating func setMode(_ name: String) throws(ConfigurationError) {
    switch name {
    case "venue": monitor.everywhere = nil
    case "everywhere": monitor.everywhere = monitor.everywhere ?? TrackingPolicy(preset: preset)
    default: throw ConfigurationError("the modes are venue and everywhere, not '\(name)'")
    }
  }
}

extension ConfigurationKey {
  /// A key whose value is one of several names.
  fileprivate static func choice<Value: RawRepresentable & CaseIterable>(
    _ name: String, _ help: String, _ path: WritableKeyPath<Target, Value>
  ) -> Self where Value.RawValue == String {
    Self(name, help, shown: { $0[keyPath: path].rawValue }) { target, text throws(ConfigurationError) in
      guard let value = Value(rawValue: text) else {
        let names = Value.allCases.map(\.rawValue).joined(separator: ", ")
        throw ConfigurationError("the values of \(name) are \(names), not '\(text)'")
      }
      target[keyPath: path] = value
    }
  }
}
