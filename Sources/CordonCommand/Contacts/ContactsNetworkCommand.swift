import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonContacts
import CordonCore
import CordonExchange
import CordonSupport

/// What `cordon contacts network` adds to the network.
struct NetworkOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The length of a tick of tij.", valueName: "duration"))
  var tick = DurationArgument(.seconds(20))

  @Option(
    help: ArgumentHelp("List the devices that an infection of this device could have reached.", valueName: "device"))
  var index: String?

  @Option(
    help: ArgumentHelp(
      "The start of that spread: a date or an RFC 3339 time. (default: the first contact)", valueName: "date"))
  var start: OnsetArgument?

  func validate() throws {
    guard tick.span.milliseconds >= 1_000 else { throw ValidationError("--tick must be at least 1s") }
    if start != nil, index == nil { throw ValidationError("--start needs --index") }
  }
}

/// The command `cordon contacts network`.
struct ContactsNetworkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "network",
    abstract: "Build the network of contacts: degrees, durations, communities, reach.",
    discussion: """
      Examples:

        cordon contacts network points.csv -o network.gexf
        cordon contacts network out/monday --index badge-17 \\
          --start 2026-03-02T09:00:00Z --json

      -o writes the network in the format of the file's ending or of --output-format: csv, jsonl, tij, graphml, gexf. \
      Communities come from the Louvain method on contact time.
      """)

  @OptionGroup(title: "Input") var input: ContactInput
  @OptionGroup(title: "Contacts") var options: FinderOptions

  @OptionGroup(title: "Network") var own: NetworkOptions
  @OptionGroup(title: "Output") var output: OutputOptions<NetworkFormat>

  func run() throws {
    let destination = try output.destination(inputs: input.files)
    let dataset = try input.open(readingInPlace: true)
    let contacts = try dataset.contacts([options.finder(for: dataset)])[0]
    let network = ContactNetwork(contacts, among: dataset.presentDevices)
    if let (destination, format) = destination {
      let file = try destination.open()
      try NetworkWriter(network, name: dataset.name).write(format, tick: own.tick.span.milliseconds / 1_000) {
        try file.write($0)
      }
      try file.finish()
    }
    let summary = try summary(network, dataset)
    try output.report(summary, text(network, dataset))
  }

  private func summary(_ network: ContactNetwork, _ dataset: ContactTracks) throws -> JSONValue {
    let communities = network.communities()
    var members: [JSONValue.Member] = [
      .init("schema", "cordon.contacts-network/1"), .init("distance_m", .number(options.distance(in: dataset))),
      .init("max_gap_s", .number(dataset.maximumGap.seconds)), .init("devices", .count(network.nodes.count)),
      .init("pairs", .count(network.edges.count)), .init("contacts", .count(network.durations.count)),
      .init("density", .number(network.density)),
      .init("degree_counts", .array(network.degreeCounts.map { .count($0) })),
      .init("duration_s", ContactsNetworkCommand.quantiles(network.durations)),
      .init("gap_s", ContactsNetworkCommand.quantiles(network.gaps)),
      .init("communities", .count(ContactsNetworkCommand.sizes(communities).count { $0 > 1 })),
      .init(
        "nodes",
        .array(
          zip(network.nodes, communities).map { node, community in
            [
              "device": .string(dataset.name(node.device)), "degree": .count(node.degree),
              "contact_s": .number(Double(node.total) / 1e6), "contacts": .count(node.contacts),
              "community": .count(community),
            ]
          })),
    ]
    if let map = dataset.map {
      let spaces = network.contactsBySpace(map.spaces).map { space, contacts, total -> JSONValue in
        [
          "space": .string(map.names[space].id), "name": .string(map.names[space].name), "contacts": .count(contacts),
          "contact_s": .number(Double(total) / 1e6),
        ]
      }
      members.append(.init("spaces", .array(spaces)))
    }
    if let index = own.index {
      let first = network.edges.map(\.start).min() ?? 0
      let start = own.start?.instant ?? Instant(milliseconds: first / 1_000)
      let reached = network.reachable(from: try dataset.index(of: index), at: start)
      members.append(
        .init(
          "reachable",
          .array(reached.map { ["device": .string(dataset.name($0.device)), "time": .time(microseconds: $0.time)] })))
    }
    return .object(members)
  }

  /// How many devices each community has.
  private static func sizes(_ communities: [Int]) -> [Int] {
    var sizes = [Int](repeating: 0, count: (communities.max() ?? -1) + 1)
    for community in communities { sizes[community] += 1 }
    return sizes
  }

  private static func quantiles(_ sorted: [Int64]) -> JSONValue {
    let names = [("p10", 0.1), ("median", 0.5), ("p90", 0.9), ("p99", 0.99), ("longest", 1.0)]
    return .object(
      names.map { name, share in
        .init(name, JSONValue(ContactNetwork.quantile(share, of: sorted).map { Double($0) / 1e6 }))
      })
  }

  private func text(_ network: ContactNetwork, _ dataset: ContactTracks) -> String {
    let degrees = network.nodes.map(\.degree)
    let mean = degrees.isEmpty ? 0 : Double(degrees.reduce(0, +)) / Double(degrees.count)
    let alone = degrees.count { $0 == 0 }
    var text = """
      \(Counted.of(degrees.count - alone, "device")) met in \(Counted.of(network.edges.count, "pair")), \
      \(Counted.of(network.durations.count, "contact")); \(Counted.of(alone, "device")) without contacts
      mean degree \((mean * 10).rounded() / 10), density \((network.density * 1e4).rounded() / 1e4)

      """
    let met = network.nodes.filter { $0.degree > 0 }
    for node in met.sorted(by: { ($1.total, $0.device) < ($0.total, $1.device) }).prefix(10) {
      let hours = (Double(node.total) / 3.6e7).rounded() / 100
      text += "  \(dataset.shownName(node.device))  met \(node.degree), \(hours) h\n"
    }
    return text
  }
}

extension NetworkFormat: FileFormat {
  static var endings: [(ending: String, format: NetworkFormat)] {
    allCases.map { ($0.rawValue, $0) } + [("ndjson", .jsonLines)]
  }

  static var defaultFormat: NetworkFormat? { .csv }
}
