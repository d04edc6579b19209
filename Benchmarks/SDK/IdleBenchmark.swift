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
    var wakes = 0
    var shortest = TimeSpan.days(1)
    let end = phone.now.monotonic + .days(1)
    while let due = phone.nextTimer, due <= end {
      let wait = max(due - phone.now.monotonic, .milliseconds(1))
      shortest = min(shortest, wait)
      phone.wait(wait)
      wakes += 1
    }
    print("armed and idle for a day: \(wakes) timers, the shortest wait \(shortest.milliseconds / 1_000) s")
  }
}
