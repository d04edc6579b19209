public import CordonMonitoring

/// A source of device locations: a receiver, an operating system or a recording.
///
/// It performs the monitor's commands and reports events; it decides nothing.
///
/// ``events()`` and ``perform(_:)`` are called on the monitor's executor: they must return at once. Measure in a task
/// or on a thread of the provider.
public protocol LocationProvider: Sendable {
  /// The sequence of events: `AsyncStream` for a provider that cannot fail, `AsyncThrowingStream` or another sequence
  /// for one that can.
  associatedtype Events: AsyncSequence & Sendable where Events.Element == ProviderEvent

  /// Returns the events: fixes, region crossings, motion, permission. The sequence ends after the last event, or
  /// throws. The status shows that (`provider-ended`, `provider-failed`), and `ContactMonitor.start()` calls this
  /// again.
  ///
  /// A `ProviderEvent` cannot express consent or deliveries, so the monitor need not trust a provider in these.
  func events() -> Events
  /// Performs a command of the monitor. A provider that cannot watch regions delivers fixes instead. A command may be
  /// repeated, such as when ``events()`` begins anew.
  func perform(_ command: ProviderCommand)
  /// The issues that prevent or degrade delivery by this provider; empty without issues.
  var issues: [MonitorIssue] { get }
}

extension LocationProvider {
  /// No issues.
  public var issues: [MonitorIssue] { [] }
}
