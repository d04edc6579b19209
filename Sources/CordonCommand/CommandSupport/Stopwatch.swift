import CordonRun
import Foundation

/// Measures phases one after the other, in processor time and on the clock.
final class Stopwatch {
  private(set) var phases: [RunTimings.Phase] = []
  private var lastCPU = ProcessResources.cpuSeconds
  private var lastClock = Date()

  /// Ends the phase that began with the one before.
  func end(_ name: String) {
    let cpu = ProcessResources.cpuSeconds
    let clock = Date()
    phases.append(
      RunTimings.Phase(
        name: name, cpuSeconds: cpu - lastCPU, wallSeconds: clock.timeIntervalSince(lastClock)))
    lastCPU = cpu
    lastClock = clock
  }

  /// Processor time of the phases of a name.
  func cpuSeconds(of name: String) -> Double {
    phases.filter { $0.name == name }.reduce(0) { $0 + $1.cpuSeconds }
  }
}
