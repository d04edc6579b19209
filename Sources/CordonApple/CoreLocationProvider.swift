public import Cordon
import CordonCore
public import CordonMonitoring
import Dispatch
import Foundation

#if canImport(CoreLocation)
  import CoreLocation
#else
  import CordonAppleShims
#endif

/// A provider of fixes, region crossings and the permission from Core Location.
///
/// ```swift
/// let provider = CoreLocationProvider(.init(runsInBackground: true))
/// ```
///
/// It uses Core Location only on the main queue, in the order of the monitor's commands. The app itself requests the
/// permission at a suitable time; the provider reports the result.
public final class CoreLocationProvider: LocationProvider {
  /// The options of a provider.
  public struct Options: Hashable, Sendable {
    /// Whether the provider delivers fixes while the app is in the background.
    ///
    /// That needs the background mode `location`; without it the operating system ends the app.
    public var runsInBackground: Bool
    /// The prefix of the identifiers of the watched regions.
    public var regionPrefix: String

    /// Creates options from their parts.
    public init(runsInBackground: Bool = true, regionPrefix: String = "cordon") {
      self.runsInBackground = runsInBackground
      self.regionPrefix = regionPrefix
    }
  }

  private let driver: CoreLocationDriver

  /// Creates a provider. It does not use Core Location before the monitor starts it.
  public convenience init(_ options: Options = Options()) { self.init(options) { CLLocationManager() } }

  init(_ options: Options, manager: @escaping @MainActor @Sendable () -> CLLocationManager) {
    driver = CoreLocationDriver(options, manager: manager)
  }

  /// See `LocationProvider.events()`.
  public func events() -> AsyncStream<ProviderEvent> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: ProviderEvent.self, bufferingPolicy: .bufferingNewest(1_000))
    onMain { $0.listen(continuation) }
    return stream
  }

  /// See `LocationProvider.perform(_:)`.
  public func perform(_ command: ProviderCommand) { onMain { $0.perform(command) } }

  /// See `LocationProvider.issues`.
  public var issues: [MonitorIssue] { driver.issues.list }

  /// Runs a closure on the main queue, which keeps the order of calls; tasks do not guarantee it.
  private func onMain(_ body: @escaping @MainActor @Sendable (CoreLocationDriver) -> Void) {
    let driver = driver
    DispatchQueue.main.async { MainActor.assumeIsolated { body(driver) } }
  }
}
