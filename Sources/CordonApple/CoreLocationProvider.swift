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

/// Fixes, region crossings and permission from Core Location.
///
/// ```swift
/// let provider = CoreLocationProvider(.init(runsInBackground: true))
/// ```
/// Core Location is used on the main queue only, in the order of the monitor's commands. The app asks for permission
/// itself, when it suits the person; the provider reports what was granted.
public final class CoreLocationProvider: LocationProvider {
  /// How Core Location is used.
  public struct Options: Hashable, Sendable {
    /// Whether fixes are wanted while the app is not in front. Needs the background mode `location`; without it the
    /// operating system ends the app.
    public var runsInBackground: Bool
    /// The names under which the regions are watched begin with this.
    public var regionPrefix: String

    /// Options.
    public init(runsInBackground: Bool = true, regionPrefix: String = "cordon") {
      self.runsInBackground = runsInBackground
      self.regionPrefix = regionPrefix
    }
  }

  private let driver: CoreLocationDriver

  /// A provider; the operating system is asked nothing before the monitor asks.
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

  /// See `LocationProvider.obey(_:)`.
  public func obey(_ command: Command) { onMain { $0.obey(command) } }

  /// See `LocationProvider.troubles`.
  public var troubles: [Trouble] { driver.troubles.list }

  /// The main queue keeps the order of what it is given; tasks need not.
  private func onMain(_ body: @escaping @MainActor @Sendable (CoreLocationDriver) -> Void) {
    let driver = driver
    DispatchQueue.main.async { MainActor.assumeIsolated { body(driver) } }
  }
}
