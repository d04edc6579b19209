import CordonCore
import CordonMonitoring
import CordonStorage
import CordonTesting

/// The timers of an idle monitor, and the memory of one phone.
enum IdleBenchmark {
  static func run() throws {
    let phone = try TestPhone()
    phone.consentAndStart()
    phone.stay(at: (east: 1, north: 1), for: .minutes(2))
    phone.leave()
    phone.wait(.minutes(1))
    var now = phone.now
    var output = MonitorOutput()
    var wakes = 0
    var shortest = TimeSpan.days(1)
    let end = now.monotonic + .days(1)
    while let due = phone.runtime.nextTimer, due <= end {
      shortest = min(shortest, due - now.monotonic)
      now = now + max(due - now.monotonic, .milliseconds(1))
      phone.runtime.step(now, .wake, into: &output)
      output.removeAll()
      wakes += 1
    }
    print("armed and idle for a day: \(wakes) timers, the shortest wait \(shortest.milliseconds / 1_000) s")
  }
}
