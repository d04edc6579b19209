import Cordon
import Foundation

func monitorWithTwoSinks(gate: PackedVenueGate, store: String) throws -> ContactMonitor {
  guard let server = URL(string: "https://cordon.example.org"), let backup = URL(string: "https://overland.example.org")
  else { throw URLError(.badURL) }
  let endpoints = [
    SinkEndpoint(.cordon, url: server), SinkEndpoint(.overland, url: backup, token: "secret of the receiver"),
  ]
  var configuration = MonitorConfiguration(preset: .balanced)
  // A row leaves the device when the server has it; the second receiver never holds it back.
  configuration.sinks = [Sink(.cordon), Sink(.overland, isRequired: false)]
  return try ContactMonitor(
    venue: gate, endpoints: endpoints, provider: GPSDProvider(), file: store, configuration: configuration)
}
