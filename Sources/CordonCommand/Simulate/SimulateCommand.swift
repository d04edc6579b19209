import ArgumentParser
import CordonCore
import CordonRun
import CordonSimulator
import CordonVenues
import Foundation

/// `cordon simulate`
struct SimulateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Fill a venue with people and phones, and compare the contacts that the phones saw with the true ones.",
    discussion: """
      Example:

        cordon simulate venues/office.mvf.zip --people 300 --duration 2h --seed 7 -o out

      People arrive, walk through doors, dwell in rooms, take stairs and elevators, and leave. Each carries a \
      phone that runs the real library: fixes are judged, kept only inside the venue, stored in SQLite, sent \
      every five minutes and deleted when acknowledged. The folder then holds run.sqlite, contacts.csv, \
      occupancy.csv, report.html (open it in a browser) and manifest.json. The same seed gives the same files.
      """)

  @Argument(help: "The venue: a zip or folder (MVF, IMDF, WRLD), or a GeoJSON file.")
  var venue: String

  @Option(help: "How many people come during the simulated time.")
  var people = 300

  @Option(help: "How long the simulated time is, with its unit: 90m, 2h, 1d.")
  var duration = DurationArgument(.hours(2))

  @Option(help: "Decides every random number; the same seed gives the same result.")
  var seed: UInt64 = 1

  @Option(help: "Start of the simulated time, RFC 3339.")
  var start = InstantArgument(SimulationSettings().start)

  @Option(help: "Time between two fixes of a phone, with its unit.")
  var interval = DurationArgument(.seconds(5))

  @Option(help: "How wrong phones are: \(PhonePreset.allCases.map(\.rawValue).joined(separator: ", ")).")
  var phones = PhonePreset.rtt

  @Option(help: "The share of people who carry a phone, 0 to 1.")
  var deviceShare = 1.0

  @Option(help: "Metres within which two devices are in contact.")
  var distance = 2.0

  @Option(help: "Two fixes farther apart in time than this are not joined.")
  var maxGap = DurationArgument(.seconds(30))

  @Option(help: "The outline that counts as the venue: buildings, floors, venue, spaces.")
  var boundary = "buildings"

  @Option(help: "How many threads may work; the result does not depend on it.")
  var threads = ProcessInfo.processInfo.activeProcessorCount

  @Option(name: [.short, .long], help: "The folder to make. (default: cordon-run-VENUE-seedSEED)")
  var output: String?

  @Flag(help: "Replace the output folder if it exists.")
  var force = false

  @Flag(help: "Print one JSON object instead of a table.")
  var json = false

  @Flag(name: [.short, .long], help: "Show no progress.")
  var quiet = false
}
