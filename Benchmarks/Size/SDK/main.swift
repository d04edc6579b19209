import Cordon
import CordonCore
import CordonGeometry
import CordonMonitoring
import Foundation

// A minimal app: a packed venue, an endpoint, a provider, a file.
let arguments = CommandLine.arguments
guard arguments.count == 4, let server = URL(string: arguments[2]) else {
  print("usage: size-sdk VENUE.packed SERVER STORE")
  exit(2)
}
let packed = try PackedVenue(decoding: Array(Data(contentsOf: URL(fileURLWithPath: arguments[1]))))
let monitor = try ContactMonitor(
  venue: PackedVenueGate(packed), endpoints: [SinkEndpoint(.cordon, url: server)], provider: GPSDProvider(),
  file: arguments[3])
try await monitor.consent(to: Consent(version: "2026-01", time: monitor.now.wall))
await monitor.start()
print(await monitor.status.sentence)
