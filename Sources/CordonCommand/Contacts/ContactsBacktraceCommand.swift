import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonContacts
import CordonCore
import CordonExchange
import CordonSupport

/// The index cases of `cordon contacts backtrace`, and how far contacts are followed.
struct BacktraceOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The device of an index case. Repeat it for more.", valueName: "device"))
  var index: [String]

  @Option(
    help: ArgumentHelp(
      "The symptom onset: a date or an RFC 3339 time. One for all index cases, or one for each.", valueName: "date"))
  var onset: [OnsetArgument]

  @Option(help: ArgumentHelp("The direction of tracing.", valueName: "direction"))
  var direction = ChoiceArgument(Backtrace.Direction.forward)

  @Option(help: ArgumentHelp("The number of generations to follow.", valueName: "count"))
  var generations = 1

  @Option(help: ArgumentHelp("Forward: the time before onset from which contacts count.", valueName: "duration"))
  var before = DurationArgument(.days(2))

  @Option(
    help: ArgumentHelp(
      "Forward: the time after onset, or after infection, until which contacts count.", valueName: "duration")
  )
  var after = DurationArgument(.days(10))

  @Option(
    help: ArgumentHelp(
      "Backward: the time before onset, or before the later contact, from which contacts count.", valueName: "duration")
  )
  var incubation = DurationArgument(.days(14))

  @Option(help: ArgumentHelp("The minimum contact time of two devices.", valueName: "duration"))
  var minimumContact = DurationArgument(.zero)

  @Option(
    help: ArgumentHelp(
      "Also follow devices that were in the same space up to this much later. Needs a run or --venue.",
      valueName: "duration"))
  var indirect: DurationArgument?

  @Option(help: ArgumentHelp("The GraphML file of the steps to write.", valueName: "file"))
  var graph: String?

  func validate() throws {
    guard !index.isEmpty else { throw ValidationError("--index is required") }
    guard onset.count == 1 || onset.count == index.count else {
      throw ValidationError("give one --onset, or one for each --index")
    }
    guard (1...1_000).contains(generations) else { throw ValidationError("--generations must be 1 to 1000") }
    if let graph { try FileEnding.check(graph, is: ["graphml"]) }
  }
}

/// The command `cordon contacts backtrace`.
struct ContactsBacktraceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backtrace",
    abstract: "Trace contacts from index cases, forward or backward, by generation.",
    discussion: """
      Example:

        cordon contacts backtrace points.csv --index badge-17 --onset 2026-03-02 \\
          --generations 2 -o steps.csv
        cordon contacts backtrace out/monday --index badge-17 --onset 2026-03-02 \\
          --direction backward --graph steps.graphml

      Forward finds devices that an index case may have infected; contacts count from two days before onset. Backward finds \
      possible sources; contacts count up to the incubation time before onset. Steps follow one another in time.
      """)

  @OptionGroup(title: "Input") var input: ContactInput
  @OptionGroup(title: "Contacts") var options: FinderOptions

  @OptionGroup(title: "Tracing") var own: BacktraceOptions
  @OptionGroup(title: "Output") var output: OutputOptions<RowFormat>

  func validate() throws {
    if own.graph == "-", output.json || output.output == "-" {
      throw ValidationError("--graph - and other output on standard output exclude each other")
    }
  }

  func run() throws {
    let destination = try output.destination(inputs: input.files)
    let graphFile = try own.graph.map { try Destination($0, force: output.force, inputs: input.files) }
    let dataset = try input.open(readingInPlace: own.indirect == nil)
    if own.indirect != nil, dataset.map == nil {
      throw CommandError("--indirect needs the spaces of a run or of --venue", code: "usage")
    }
    let cases = try own.index.enumerated().map { k, name in
      Backtrace.IndexCase(
        device: try dataset.index(of: name), onset: (own.onset.count == 1 ? own.onset[0] : own.onset[k]).instant)
    }
    var follow = Backtrace.Options()
    follow.direction = own.direction.value
    follow.generations = own.generations
    follow.infectiousBefore = own.before.span
    follow.infectiousAfter = own.after.span
    follow.incubation = own.incubation.span
    follow.minimumContact = own.minimumContact.span
    follow.followsIndirect = own.indirect != nil
    let found = try dataset.gather([options.finder(for: dataset)], countsOccupancy: own.indirect != nil)
    let indirectContacts = own.indirect.map { delay in
      found.counts.flatMap { Occupancy($0).indirectContacts(within: delay.span) }
    }
    let trace = Backtrace(
      from: cases, contacts: found.contacts[0], indirect: indirectContacts ?? [],
      options: follow)
    let rows = trace.edges.map { row($0, dataset) }
    if let destination {
      try RowFile.write(rows, name: "backtrace", columns: ContactsBacktraceCommand.columns, to: destination)
    }
    if let graphFile { try writeGraph(trace, dataset, to: graphFile) }
    let nodes = trace.nodes.map { node(in: dataset, $0) }
    try output.report(
      [
        "schema": "cordon.contacts-backtrace/1", "distance_m": .number(options.distance(in: dataset)),
        "max_gap_s": .number(dataset.maximumGap.seconds), "direction": .string(own.direction.value.rawValue),
        "generations": .count(own.generations), "reached": .count(trace.nodes.count(where: { $0.generation > 0 })),
        "edges": .count(trace.edges.count), "nodes": .array(nodes.map { .object($0) }),
        "rows": .array(destination == nil ? rows.map { .object($0) } : []),
      ], own.graph == "-" ? "" : text(trace, dataset))
  }

  private static let columns: [TableColumn] = [
    .count("generation"), .text("source"), .text("target"), .time("start"), .time("end"), .number("total_s", unit: "s"),
    .count("contacts"), .number("min_distance_m", unit: "m"), .flag("indirect"),
  ]

  private func row(_ edge: Backtrace.Edge, _ dataset: ContactTracks) -> [JSONValue.Member] {
    [
      .init("generation", .count(edge.generation)), .init("source", .string(dataset.name(edge.source))),
      .init("target", .string(dataset.name(edge.target))), .init("start", .time(microseconds: edge.start)),
      .init("end", .time(microseconds: edge.end)), .init("total_s", .number(Double(edge.total) / 1e6)),
      .init("contacts", .count(edge.contacts)),
      .init("min_distance_m", edge.isIndirect ? .null : .metres(edge.minimumDistance)),
      .init("indirect", .bool(edge.isIndirect)),
    ]
  }

  private func node(in dataset: ContactTracks, _ node: Backtrace.Node) -> [JSONValue.Member] {
    [
      .init("device", .string(dataset.name(node.device))), .init("generation", .count(node.generation)),
      .init("time", .time(microseconds: node.time)),
      .init("sources", .array(node.sources.map { .string(dataset.name($0)) })),
    ]
  }

  private func writeGraph(_ trace: Backtrace, _ dataset: ContactTracks, to destination: Destination) throws {
    let file = try destination.open()
    try BacktraceGraph.write(trace, name: dataset.name) { try file.write($0) }
    try file.finish()
  }

  private func text(_ trace: Backtrace, _ dataset: ContactTracks) -> String {
    var text = ""
    for generation in 0...(trace.nodes.map(\.generation).max() ?? 0) {
      let devices = trace.nodes.filter { $0.generation == generation }
      let names = devices.prefix(20).map { dataset.shownName($0.device) }.joined(separator: " ")
      let more = devices.count > 20 ? " and \(devices.count - 20) more" : ""
      text += "generation \(generation): \(devices.count)  \(names)\(more)\n"
    }
    return text
  }
}
