import ArgumentParser

/// The command `cordon trace`.
struct TraceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trace",
    abstract: "Inspect, convert, pseudonymise and fuzz traces.",
    discussion: """
      Reads GPX 1.0 and 1.1, NMEA 0183 (RMC, GGA, GST), GeoJSON, KML, CSV, Overland, OwnTracks, rows of the published \
      ingest API, text trajectories of JuPedSim, captured requests, and runs of cordon simulate; gzipped or not, - for \
      standard input. Writes any of them, runs too (--output-format run), and reports data that the output format cannot hold.
      """,
    subcommands: [
      TraceInfoCommand.self, TraceConvertCommand.self, TracePseudonymiseCommand.self, TraceFuzzCommand.self,
    ])
}
