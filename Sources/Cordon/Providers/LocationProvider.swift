public import CordonMonitoring

/// A source of device locations: a receiver, an operating system or a recording.
///
/// It does what the monitor asks for and reports what happens; it judges nothing.
///
/// ``events()`` and ``perform(_:)`` are called on the monitor's executor: they must return at once. Measure in a task or on a
/// thread of the provider's own.
public protocol LocationProvider: Sendable {
  /// What happens, one after the other: `AsyncStream` for a provider that cannot fail, `AsyncThrowingStream` or another
  /// sequence for one that can.
  associatedtype Events: AsyncSequence & Sendable where Events.Element == ProviderEvent

  /// What happens: fixes, region crossings, motion, permission. Ends when there will be nothing more, or throws; the status
  /// says so then (`provider-ended`, `provider-failed`), and `ContactMonitor.start()` calls this again.
  ///
  /// A `ProviderEvent` says nothing about consent or deliveries, so the monitor need not trust a provider in these.
  func events() -> Events
  /// Does what the monitor asks of the operating system. A provider that cannot watch regions delivers fixes instead.
  /// A command may come again, such as when ``events()`` begins anew.
  func perform(_ command: ProviderCommand)
  /// The issues that prevent or degrade delivery by this provider; empty without issues.
  var issues: [MonitorIssue] { get }
}

extension LocationProvider {
  /// None.
  public var issues: [MonitorIssue] { [] }
}
