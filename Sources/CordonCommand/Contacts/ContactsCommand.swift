import ArgumentParser

/// The command `cordon contacts`.
struct ContactsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "contacts",
    abstract: "Find contacts in tracks; exposures, tracing, networks, occupancy.",
    discussion: """
      INPUT is a run (its folder, or run.sqlite), a CSV, JSON Lines or Arrow file of points, or a binary \
      workload file. Columns are recognised by common names (device, time, lon, lat or x, y, floor, accuracy) or named \
      with --column. Begin with:

        cordon contacts find points.csv --distance 2 -o contacts.csv
        cordon contacts exposures out/monday --rule eu-2m
      """,
    subcommands: [
      ContactsFindCommand.self, ContactsExposuresCommand.self, ContactsBacktraceCommand.self,
      ContactsNetworkCommand.self, ContactsOccupancyCommand.self, ContactsGatheringsCommand.self,
      ContactsWorkerCommand.self,
    ])
}
