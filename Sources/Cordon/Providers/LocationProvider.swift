public import CordonMonitoring

/// Something that knows where the device is: a receiver, an operating system, a recording.
///
/// It does what the monitor asks for and reports what happens; it judges nothing.
public protocol LocationProvider: Sendable {
  /// What happens: fixes, region crossings, motion, permission. Ends when there will be nothing more.
  ///
  /// A ``ProviderEvent`` says nothing about consent or deliveries, so the monitor need not trust a provider in these.
  func events() -> AsyncStream<ProviderEvent>
  /// Does what the monitor asks of the operating system. A provider that cannot watch regions delivers fixes instead.
  func obey(_ command: Command)
  /// What keeps this provider from delivering, or from delivering well; empty when all is well.
  var troubles: [Trouble] { get }
}

extension LocationProvider {
  /// None.
  public var troubles: [Trouble] { [] }
}
