import ArgumentParser
import CordonCommandLine
import CordonContacts
import CordonCore
import CordonExchange
import CordonSupport

/// The command `cordon contacts occupancy`.
struct ContactsOccupancyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "occupancy",
    abstract: "Count the devices on each floor and in each space over time, with dwell.",
    discussion: """
      Example:

        cordon contacts occupancy points.csv --venue school.zip --bin 5m \\
          -o occupancy.csv

      Spaces come from a run or from --venue; without them, floors are counted. Devices are counted, not people.
      Counts of several groups of devices add up with --stretches; the peaks of bins do not.
      """)

  @OptionGroup(title: "Input") var input: ContactInput

  /// The bins and visits.
  struct OccupancyOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The width of a bin of occupancy, at least 1s.", valueName: "duration"))
    var bin = DurationArgument(.seconds(60))

    @Option(help: ArgumentHelp("The maximum absence within one visit.", valueName: "duration"))
    var visitGap = DurationArgument(.seconds(60))

    @Flag(help: "Write stretches with a constant number of devices instead of bins.")
    var stretches = false

    func validate() throws {
      guard bin.span.milliseconds >= 1_000 else { throw ValidationError("--bin must be at least 1s") }
      guard visitGap.span.milliseconds >= 0 else { throw ValidationError("--visit-gap must not be negative") }
    }
  }

  @OptionGroup(title: "Occupancy") var own: OccupancyOptions
  @OptionGroup(title: "Output") var output: OutputOptions<RowFormat>

  func run() throws {
    let destination = try output.destination(inputs: input.files)
    if own.stretches, destination == nil { throw CommandError("--stretches needs --output", code: "usage") }
    let dataset = try input.open()
    var places: [[JSONValue.Member]] = []
    let counts = zip(dataset.venues, try dataset.occupancyCounts())
    let file = try destination.map {
      try RowFile(
        $0.file, as: $0.format, name: own.stretches ? "occupancy-stretches" : "occupancy",
        columns: own.stretches ? ContactsOccupancyCommand.columnsOfStretches : ContactsOccupancyCommand.columns)
    }
    for (group, count) in counts {
      let occupancy = Occupancy(count, bin: own.bin.span, visitGap: own.visitGap.span)
      for series in occupancy.series {
        let place = place(series.place, in: group, of: dataset)
        places.append(place + figures(series))
        guard let file else { continue }
        if own.stretches {
          for stretch in series.bins.stretches { try file.add(row(stretch, place)) }
        } else {
          for counted in series.bins { try file.add(row(counted, place)) }
        }
      }
    }
    try file?.finish()
    try output.report(
      [
        "schema": "cordon.contacts-occupancy/1", "max_gap_s": .number(dataset.maximumGap.seconds),
        "bin_s": .number(own.bin.span.seconds),
        "places": .array(places.map { .object($0) }),
      ], text(places))
  }

  private static let columns: [TableColumn] = [
    .text("venue"), .number("floor"), .text("space"), .text("name"), .time("bin_start"), .number("mean"),
    .count("peak"),
  ]
  private static let columnsOfStretches: [TableColumn] = [
    .text("venue"), .number("floor"), .text("space"), .text("name"), .time("start"), .time("end"), .count("devices"),
  ]

  private func place(
    _ place: Occupancy.Place, in group: ContactTracks.Venue, of dataset: ContactTracks
  ) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = [.init("venue", .string(group.name))]
    switch place {
    case .floor(let floor):
      let ordinal: JSONValue = floor == Segment.unknownFloor ? .null : .number(Double(floor) / 1_000)
      members += [.init("floor", ordinal), .init("space", .null), .init("name", .null)]
    case .space(let space):
      let name = dataset.map?.names[space]
      members += [.init("floor", .null), .init("space", JSONValue(name?.id)), .init("name", JSONValue(name?.name))]
    }
    return members
  }

  private func figures(_ series: Occupancy.Series) -> [JSONValue.Member] {
    [
      .init("peak", .count(Int(series.peak))), .init("peak_time", .time(milliseconds: series.peakTime)),
      .init("device_s", .number(Double(series.deviceMilliseconds) / 1_000)),
      .init("pair_s", .number(Double(series.pairMilliseconds) / 1_000)), .init("devices", .count(series.dwell.devices)),
      .init("visits", .count(series.dwell.visits)), .init("dwell_mean_s", .seconds(series.dwell.mean)),
      .init("dwell_median_s", .seconds(series.dwell.median)), .init("dwell_p90_s", .seconds(series.dwell.p90)),
      .init("dwell_longest_s", .seconds(series.dwell.longest)),
    ]
  }

  private func row(_ counted: Occupancy.Bin, _ place: [JSONValue.Member]) -> [JSONValue.Member] {
    place + [
      .init("bin_start", .time(milliseconds: counted.number * own.bin.span.milliseconds)),
      .init("mean", .number((counted.mean * 1e6).rounded() / 1e6)), .init("peak", .count(Int(counted.peak))),
    ]
  }

  private func row(_ stretch: Occupancy.Bins.Stretch, _ place: [JSONValue.Member]) -> [JSONValue.Member] {
    place + [
      .init("start", .time(milliseconds: stretch.start)), .init("end", .time(milliseconds: stretch.end)),
      .init("devices", .count(Int(stretch.present))),
    ]
  }

  private func text(_ places: [[JSONValue.Member]]) -> String {
    var text = ""
    for place in places {
      let value = { (key: String) in place.first { $0.key == key }?.value.text() ?? "" }
      let name = value("space") == "null" ? "floor \(value("floor"))" : value("space")
      text += "\(name)  peak \(value("peak"))  devices \(value("devices"))  dwell \(value("dwell_median_s")) s\n"
    }
    return text.isEmpty ? "no device was on any floor\n" : text
  }
}
