public import CordonCore

/// A definition of a close contact: distance, duration, window and source.
public struct ExposureRule: Hashable, Sendable {
  /// A name for outputs.
  public var name: String
  /// The contact distance, metres.
  public var distance: Double
  /// The cumulative time that makes an exposure.
  public var threshold: TimeSpan
  /// The length of the sliding window over which time is summed.
  public var window: TimeSpan
  /// The source of the numbers.
  public var source: String

  /// Creates a custom rule.
  public init(name: String, distance: Double, threshold: TimeSpan, window: TimeSpan, source: String) {
    self.name = name
    self.distance = distance
    self.threshold = threshold
    self.window = window
    self.source = source
  }

  /// 6 feet, 15 minutes in any 24 hours.
  public static let sixFeet = ExposureRule(
    name: "cdc-6ft", distance: 1.8288, threshold: .minutes(15), window: .hours(24),
    source: "CDC, 21 October 2020: within 6 feet for a cumulative 15 minutes or more over 24 hours")

  /// 2 metres, 15 minutes in any 24 hours.
  public static let twoMetres = ExposureRule(
    name: "eu-2m", distance: 2, threshold: .minutes(15), window: .hours(24),
    source: "the European distance of 2 m and 15 minutes, over 24 hours")

  /// 1 metre, 15 minutes in any 24 hours.
  public static let oneMetre = ExposureRule(
    name: "who-1m", distance: 1, threshold: .minutes(15), window: .hours(24),
    source: "WHO: within 1 metre for 15 minutes, over 24 hours")

  /// The named rules.
  public static let named = [sixFeet, twoMetres, oneMetre]
}
