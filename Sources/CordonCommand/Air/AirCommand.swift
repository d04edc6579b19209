import ArgumentParser
import CordonAir
import CordonCommandLine
import CordonCore
import CordonSupport

/// The command `cordon air`.
struct AirCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "air",
    abstract: "Compute carbon dioxide and infection risk from a table of occupancy.",
    discussion: """
      Example:

        cordon air occupancy.csv --spaces spaces.csv --bin 5m -o air.csv \\
          --people people.csv

      The occupancy is a table of stays (person,space,start,end and optionally infectious: 0 or 1), or of counts \
      (space,time,people and optionally infectious: a number), with times in RFC 3339. The spaces are a table with the \
      columns space, air_changes (per hour), and volume (m3) or area (m2) and height (m); recirculated (m3/h) and \
      filter_efficiency (0 to 1) are optional.

      The air of each space is mixed, and fresh at the first time of the table. Everybody does the same activity. Risks \
      are those of the mixed air (Wells and Riley).
      """)

  @Argument(help: ArgumentHelp("The table of occupancy (CSV).", valueName: "occupancy.csv"))
  var occupancy: String

  @OptionGroup(title: "Input") var tables: AirTableOptions
  @OptionGroup(title: "Air") var air: AirOptions
  @OptionGroup(title: "Output") var output: OutputOptions<RowFormat>

  @Option(
    help: ArgumentHelp(
      "The table of people to write: time, carbon dioxide, quanta and risk of each.", valueName: "file"))
  var people: String?

  func validate() throws {
    if people == "-" { throw ValidationError("--people must name a file") }
    if people != nil, people == output.output { throw ValidationError("--people and -o need different files") }
    if tables.links != nil, air.update == .intervalMean {
      throw ValidationError("--links and --update interval-mean exclude each other")
    }
  }

  func run() throws {
    let inputs = [occupancy, tables.spaces] + [tables.links].compactMap(\.self)
    let destination = try output.destination(inputs: inputs)
    let peopleFile = try people.map {
      (file: try Destination($0, force: output.force, inputs: inputs), format: try RowFormat.of($0, asked: nil))
    }
    let spaces = try AirTableFile.read(tables.spaces) { text throws(TableError) in try SpaceTable(parsing: text) }
    var model = AirModel(
      spaces: spaces.spaces, outdoorCO2: air.outdoorCO2, quantaLoss: air.decay + air.deposition, rule: air.update)
    if let links = tables.links {
      model.links = try AirTableFile.read(links) { text throws(TableError) in try spaces.links(parsing: text) }
    }
    let table = try AirTableFile.read(occupancy) { text throws(TableError) in
      try OccupancyTable(parsing: text, spaces: spaces.spaces)
    }
    guard let start = table.rows.map(\.start).min(), let end = table.rows.map(\.end).max() else {
      throw CommandError("has no time with people", code: "occupancy", file: occupancy)
    }
    let bin = tables.bin.span.milliseconds
    guard (end - start) / bin < AirTableOptions.maximumBins / Int64(max(1, spaces.spaces.count)) else {
      throw CommandError("--bin is too short for the time of the table", code: "usage", file: occupancy)
    }
    let (stays, loads) = table.stays(
      air.activity, exhaledMask: air.maskExhaled, inhaledMask: air.maskInhaled)
    let before = ProcessResources.cpuSeconds
    let result = model.run(stays: stays, loads: loads, start: start, end: end, bin: bin)
    let engineCPU = ProcessResources.cpuSeconds - before
    let report = AirReport(model: model, result: result, stays: stays, table: table, engineCPU: engineCPU)
    if let destination { try RowFile.write(report.rows, name: "air", columns: AirReport.columns, to: destination) }
    if let peopleFile {
      try RowFile.write(report.peopleRows, name: "air-people", columns: AirReport.peopleColumns, to: peopleFile)
    }
    try output.report(report.json, report.text)
  }
}

/// The tables of `cordon air`.
struct AirTableOptions: ParsableArguments {
  /// The maximum number of bins of all spaces.
  static let maximumBins: Int64 = 20_000_000

  @Option(help: ArgumentHelp("The table of spaces (CSV).", valueName: "file"))
  var spaces: String

  @Option(
    help: ArgumentHelp(
      "A table of openings between spaces: first,second,flow (m3/h in each direction).", valueName: "file"))
  var links: String?

  @Option(help: ArgumentHelp("The width of a bin of the results, at least 1s.", valueName: "duration"))
  var bin = DurationArgument(.seconds(300))

  func validate() throws {
    guard bin.span.milliseconds >= 1_000 else { throw ValidationError("--bin must be at least 1s") }
  }
}

/// The air, and the people who breathe it.
struct AirOptions: ParsableArguments {
  @Option(name: .customLong("outdoor-co2"), help: ArgumentHelp("The outdoor carbon dioxide in ppm.", valueName: "ppm"))
  var outdoorCO2 = AirDefaults.outdoorCO2

  @Option(
    name: .customLong("co2"), help: ArgumentHelp("The carbon dioxide that a person exhales, in L/s.", valueName: "rate")
  )
  var co2 = AirActivity.seated.co2

  @Option(help: ArgumentHelp("The breathing rate in m3/h.", valueName: "rate"))
  var breathing = AirActivity.seated.breathing

  @Option(help: ArgumentHelp("The quanta that an infectious person exhales per hour.", valueName: "rate"))
  var quanta = AirActivity.seated.quanta

  @Option(help: ArgumentHelp("The decay of infectious aerosol per hour.", valueName: "rate"))
  var decay = AirDefaults.decay

  @Option(help: ArgumentHelp("The deposition of infectious aerosol per hour.", valueName: "rate"))
  var deposition = AirDefaults.deposition

  @Option(help: ArgumentHelp("The share of exhaled quanta that masks keep back, 0 to 1.", valueName: "share"))
  var maskExhaled = 0.0

  @Option(help: ArgumentHelp("The share of inhaled quanta that masks keep back, 0 to 1.", valueName: "share"))
  var maskInhaled = 0.0

  @Option(
    help: ArgumentHelp(
      "The solution between two changes of occupancy: exact, or interval-mean as in ArchABM 0.4.1, to compare with it.",
      valueName: "rule"))
  var update = UpdateRule.exact

  /// The activity of everybody.
  var activity: AirActivity { AirActivity(co2: co2, breathing: breathing, quanta: quanta) }

  func validate() throws {
    for (name, value, range) in [
      ("--outdoor-co2", outdoorCO2, 0.0...10_000), ("--co2", co2, 0...1), ("--breathing", breathing, 0.01...20),
      ("--quanta", quanta, 0...1e6), ("--decay", decay, 0...1_000), ("--deposition", deposition, 0...1_000),
      ("--mask-exhaled", maskExhaled, 0...1), ("--mask-inhaled", maskInhaled, 0...1),
    ] where !range.contains(value) {
      throw ValidationError("\(name) must be \(range.lowerBound) to \(range.upperBound)")
    }
  }
}

extension UpdateRule: ExpressibleByArgument {}

/// A table of `cordon air` on disk.
enum AirTableFile {
  /// Reads a table.
  /// - Throws: ``CommandError`` with the file and the place.
  static func read<Table>(_ path: String, _ parse: (String) throws(TableError) -> Table) throws -> Table {
    let text = try TextFile.read(path, code: "table").text
    do {
      return try parse(text)
    } catch {
      throw CommandError(error.message, code: "table", file: path, place: error.place)
    }
  }
}
