import ArgumentParser
import CordonCommandLine
import CordonCore
import CordonRun
import CordonSimulator
import CordonSupport
import CordonVenues

/// Options that override a scenario, or stand for one.
struct ScenarioOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The venue of a scenario. (default: the scenario's)", valueName: "venue"))
  var venue: String?

  @Option(help: ArgumentHelp("The number of people. (default: 300, or the scenario's)", valueName: "count"))
  var people: Int?

  @Option(help: ArgumentHelp("The simulated time. (default: 2h, or the scenario's)", valueName: "duration"))
  var duration: DurationArgument?

  @Option(help: "The seed of all random numbers. (default: 1, or the scenario's)")
  var seed: UInt64?

  @Option(
    help: ArgumentHelp(
      "The start of the simulated time, RFC 3339. (default: 09:00 on 2026-01-05 at the venue, or the scenario's)",
      valueName: "time"))
  var start: InstantArgument?

  @Option(
    help: ArgumentHelp(
      "The zone of a scenario's times without an offset. (default: the scenario's)", valueName: "zone"))
  var timeZone: String?

  @Option(
    help: ArgumentHelp(
      "The number of runs of a scenario, for mean and percentiles of occupancy; only the first one has phones. (default: the scenario's)",
      valueName: "count"))
  var replicas: Int?
}

/// Whether a map may be simulated that is out of reach in part.
struct ReachabilityOptions: ParsableArguments {
  @Flag(help: "Simulate a map on which no entrance reaches more than 5 % of the usable area.")
  var acceptUnreachable = false

  /// The share of the usable area, from 0 to 1, that may be out of reach.
  var maximumUnreachableShare: Double { acceptUnreachable ? 1 : Connectivity.maximumUnreachableShare }

  /// Runs a body, and adds the remedy to its error about an unreachable area.
  func checked<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as VenueError where error.code == "unreachable-area" {
      throw CommandError(
        error.message + "; mend the map (cordon venue validate), or use --accept-unreachable", code: error.code,
        file: error.file)
    }
  }
}

/// How people move.
struct ModelOptions: ParsableArguments {
  @Option(
    help:
      "The movement model: csm or avm (with bodies), way (people pass through each other), meso (travel times). (default: csm, or the scenario's)"
  )
  var model: MovementArgument?

  @Option(
    help: ArgumentHelp(
      "The time step of csm and avm, 10ms to 150ms. (default: 100ms, or the scenario's)", valueName: "duration"))
  var step: DurationArgument?

  @Flag(help: "Validate every step against the map (slow). Exit status 1 when one is invalid.")
  var checkEveryStep = false

  @Option(
    help: ArgumentHelp("The outline of the venue. (default: buildings, or the scenario's)", valueName: "outline"))
  var boundary: BoundaryName?
}

/// How phones measure, store and send.
struct PhoneOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The positioning error preset. (default: rtt, or the scenario's)", valueName: "preset"))
  var phones: PresetArgument?

  @Option(
    help: ArgumentHelp(
      "The share of people with a phone, 0 to 1. (default: 1, or that of each population)", valueName: "share"))
  var deviceShare: Double?

  @Option(
    help: ArgumentHelp("The time between two fixes of a phone. (default: 5s, or the scenario's)", valueName: "duration")
  )
  var interval: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "The interval of which one fix is kept; 0s keeps all. (default: 5s or --interval, the smaller)",
      valueName: "duration"))
  var thinning: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "When a phone makes fixes: library, continuous, motion, motion:TIME, distance:METRES. (default: library, or the scenario's)",
      valueName: "sampling"))
  var sampling: SamplingArgument?

  @Option(
    help: ArgumentHelp(
      "The age of the oldest row at which rows are sent. (default: 5m, or the scenario's)", valueName: "duration"))
  var flushAfter: DurationArgument?

  @Option(help: ArgumentHelp("The store of phones; the result does not depend on it.", valueName: "store"))
  var store = StoreKind.sqlite

  @Option(help: ArgumentHelp("The destination of rows: memory, or cordon=URL for a server.", valueName: "sink"))
  var sink = SinkArgument.memory

  @Option(help: ArgumentHelp("The invite code of the phones at the server of --sink.", valueName: "code"))
  var invite: String?
}

/// What counts as a contact, and how occupancy is counted.
struct ContactOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The contact distance, inclusive. (default: 2m, or the scenario's)", valueName: "metres"))
  var distance: DistanceArgument?

  @Option(
    help: ArgumentHelp(
      "The maximum time between two fixes that are joined. (default: 30s, or the scenario's)", valueName: "duration"))
  var maximumGap: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "The contact duration that triggers a warning. (default: 15m, or the scenario's)", valueName: "duration"))
  var warning: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "The width of a bin of occupancy, 1s to 1d. (default: 1m, or the scenario's)", valueName: "duration"))
  var bin: DurationArgument?
}

/// The contact tables of a run folder.
struct ContactFileOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The tables of contacts: all (contacts.csv and pairs.csv), pairs or none. (default: all, or pairs for more than a million)",
      valueName: "tables"))
  var contacts: ContactFilesArgument?
}

/// A choice of contact tables on the command line.
enum ContactFilesArgument: String, ExpressibleByArgument, CaseIterable {
  case all, pairs, none

  var files: ContactFiles {
    switch self {
    case .all: .all
    case .pairs: .pairs
    case .none: .none
    }
  }
}

/// The folder that a command creates, and what it prints.
struct FolderOptions: ParsableArguments, CarriesOutputFlags {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The folder to create. (default: cordon-run-VENUE-seedSEED)", valueName: "folder"))
  var output: String?

  @OptionGroup var flags: OutputFlags
}

/// The store of simulated phones.
enum StoreKind: String, ExpressibleByArgument, CaseIterable {
  case sqlite, memory
}

/// A movement model on the command line.
enum MovementArgument: String, ExpressibleByArgument, CaseIterable {
  case csm, avm, way, meso

  var choice: MovementChoice {
    switch self {
    case .csm: .csm
    case .avm: .avm
    case .way: .way
    case .meso: .meso
    }
  }
}
