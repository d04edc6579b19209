import Cordon
import CordonApple
import Foundation

func startTracking(venue: Data, server: URL, store: URL) async throws -> ContactMonitor {
  let gate = PackedVenueGate(try PackedVenue(decoding: Array(venue)))
  let monitor = try ContactMonitor(
    venue: gate, endpoints: [SinkEndpoint(.cordon, url: server)], provider: CoreLocationProvider(), file: store.path)
  try await monitor.consent(to: Consent(version: "2026-01", time: monitor.now.wall))
  await monitor.start()
  return monitor
}
