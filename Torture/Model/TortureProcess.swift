import CordonCore
import CordonMonitoring

/// A runtime in one place, and what is looked at after each of its steps: a runtime is large, and a look at it through the
/// phone would copy it.
final class TortureProcess {
  /// What the phone and the checker want to know all the time.
  struct Glance {
    var device: DeviceID
    var phase: Phase
    var accounting: Accounting
    var hasConsent: Bool
    var isActivated: Bool
    var hasUnfinishedWrites: Bool
    var hasErasures: Bool
    /// Milliseconds of virtual time at which the runtime wants to be woken.
    var timerDue: Int64

    init(_ runtime: inout Runtime) {
      device = runtime.device
      phase = runtime.phase
      accounting = runtime.accounting
      hasConsent = runtime.monitor.state.consent != nil
      isActivated = runtime.monitor.state.isActivated
      hasUnfinishedWrites = runtime.hasUnfinishedWrites
      hasErasures = !runtime.monitor.state.erasures.isEmpty
      timerDue = runtime.nextTimer?.milliseconds ?? .max
    }
  }

  @exclusivity(unchecked) private(set) var runtime: Runtime
  @exclusivity(unchecked) private(set) var seen: Glance

  init(_ runtime: consuming Runtime) {
    self.runtime = runtime
    seen = Glance(&self.runtime)
  }

  func step(_ now: ClockReading, _ event: MonitorEvent, into output: inout MonitorOutput) -> Verdict {
    TortureProcess.step(&runtime, &seen, now, event, &output)
  }

  func step(_ now: ClockReading, response: SinkResponse, into output: inout MonitorOutput) {
    TortureProcess.step(&runtime, &seen, now, response, &output)
  }

  // Of parameters the optimizer knows that nobody else has them.
  private static func step(
    _ runtime: inout Runtime, _ seen: inout Glance, _ now: ClockReading, _ event: MonitorEvent,
    _ output: inout MonitorOutput
  ) -> Verdict {
    let verdict = runtime.step(now, event, into: &output)
    seen = Glance(&runtime)
    return verdict
  }

  private static func step(
    _ runtime: inout Runtime, _ seen: inout Glance, _ now: ClockReading, _ response: SinkResponse,
    _ output: inout MonitorOutput
  ) {
    runtime.step(now, response: response, into: &output)
    seen = Glance(&runtime)
  }
}
