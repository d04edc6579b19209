import CordonCore
import CordonMonitoring

/// A runtime in one place, and the values that are read after each step: a runtime is large, and reading it through the
/// phone would copy it.
final class TortureProcess {
  /// The values that the phone and the checker read frequently.
  struct Glance {
    var device: DeviceID
    var phase: Phase
    var accounting: Accounting
    var hasConsent: Bool
    var hasEverywhere: Bool
    /// Whether fixes outside of venues are recorded.
    var isTrackingOutside: Bool
    var isActivated: Bool
    var hasUnfinishedWrites: Bool
    var hasErasures: Bool
    /// The virtual time of the runtime's next timer, in milliseconds.
    var timerDue: Int64

    init(_ runtime: inout Runtime) {
      device = runtime.device
      phase = runtime.phase
      accounting = runtime.accounting
      hasConsent = runtime.monitor.state.consent != nil
      hasEverywhere = runtime.monitor.state.consent?.everywhere != nil
      isTrackingOutside = runtime.monitor.isTrackingOutside
      isActivated = runtime.monitor.state.isActivated
      hasUnfinishedWrites = runtime.hasUnfinishedWrites
      hasErasures = !runtime.monitor.state.erasures.isEmpty
      timerDue = runtime.nextTimer?.milliseconds ?? .max
    }
  }

  @exclusivity(unchecked) private var driver: RuntimeDriver
  @exclusivity(unchecked) private(set) var seen: Glance

  init(_ runtime: consuming Runtime, at now: ClockReading) {
    driver = RuntimeDriver(runtime, at: now)
    seen = Glance(&driver.runtime)
  }

  var runtime: Runtime { driver.runtime }
  /// Whether the last step asked for a request.
  var hasRequests: Bool { !driver.output.requests.isEmpty }

  func nextOutput() -> MonitorOutput? { driver.nextOutput() }

  func step(_ event: MonitorEvent, at now: ClockReading) -> Verdict {
    TortureProcess.step(&driver, &seen, event, now)
  }

  func receive(_ response: SinkResponse, at now: ClockReading) {
    TortureProcess.receive(&driver, &seen, response, now)
  }

  // The optimizer knows that parameters have no other owner.
  private static func step(
    _ driver: inout RuntimeDriver, _ seen: inout Glance, _ event: MonitorEvent, _ now: ClockReading
  ) -> Verdict {
    let verdict = driver.step(event, at: now)
    seen = Glance(&driver.runtime)
    return verdict
  }

  private static func receive(
    _ driver: inout RuntimeDriver, _ seen: inout Glance, _ response: SinkResponse, _ now: ClockReading
  ) {
    driver.receive(response, at: now)
    seen = Glance(&driver.runtime)
  }
}
