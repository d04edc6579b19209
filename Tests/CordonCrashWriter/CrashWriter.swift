import CordonCore
import CordonMonitoring
import CordonStorage
import CordonTesting
import Foundation

/// Records, delivers and confirms stays without end, and prints the identity of every accepted location: a phone for
/// tests that kill it at any moment.
///
/// `CordonCrashWriter STORE START`, START in milliseconds since 1970. A line is `+` and an identity when the location
/// was accepted, `-` and an identity when the server had stored it.
@main
enum CrashWriter {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, let start = Int64(arguments[2]) else {
      print("usage: CordonCrashWriter STORE START")
      exit(2)
    }
    var configuration = MonitorConfiguration()
    configuration.thinning = .zero
    configuration.flushAfter = .minutes(2)
    configuration.stillAfter = .minutes(1)
    configuration.sinks = [Sink(.cordon, needsActivation: false)]
    let store = try SQLiteStore(path: arguments[1])
    let sink = InProcessSink()
    let phone = try TestPhone(
      configuration: configuration, store: store, sink: sink, device: DeviceID("phone"),
      start: Instant(milliseconds: start))
    phone.consentAndStart()
    var known: Set<FixID> = []
    var delivered = 0
    while true {
      for step in 0..<12 {
        phone.stay(at: (east: Double(step) * 2, north: 1), for: .seconds(20))
        for row in try store.locations(of: phone.runtime.device) where known.insert(row.id).inserted {
          put("+ \(row.id)\n")
        }
      }
      phone.stay(at: (east: 25, north: 1), for: .minutes(4))
      let all = sink.locations
      for row in all.dropFirst(delivered) { put("- \(row.id)\n") }
      delivered = all.count
    }
  }

  /// Written at once and without a buffer, so that a printed location is an accepted one.
  static func put(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }
}
