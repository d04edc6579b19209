import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonContacts
import CordonCore
import CordonExchange
import CordonGeometry
import CordonSupport

/// The definition of a gathering on the command line.
struct GatheringOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The minimum number of devices in a group, at least 2.", valueName: "count"))
  var minimumSize = 3

  @Option(help: ArgumentHelp("The minimum length of a gathering.", valueName: "duration"))
  var minimumDuration = DurationArgument(.seconds(300))

  @Option(
    help: ArgumentHelp(
      "The longest interruption of the contact of two devices that does not part them.", valueName: "duration"))
  var bridge = DurationArgument(.zero)

  func validate() throws {
    guard (2...1_000_000).contains(minimumSize) else { throw ValidationError("--minimum-size must be 2 to 1000000") }
    guard minimumDuration.span.milliseconds >= 0 else {
      throw ValidationError("--minimum-duration must not be negative")
    }
    guard bridge.span.milliseconds >= 0 else { throw ValidationError("--bridge must not be negative") }
  }

  var finder: GatheringFinder {
    GatheringFinder(
      minimumSize: minimumSize, minimumDuration: minimumDuration.span.milliseconds.multipliedClamped(by: 1_000),
      bridge: bridge.span.milliseconds.multipliedClamped(by: 1_000))
  }
}

/// The command `cordon contacts gatherings`.
struct ContactsGatheringsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gatherings",
    abstract: "Find groups of devices that stay together: where, when, who.",
    discussion: """
      Example:

        cordon contacts gatherings points.csv --minimum-size 5 \\
          --minimum-duration 10m -o gatherings.csv

      At every moment contacts connect the devices of a floor to groups. A gathering lasts as long as such a group has \
      --minimum-size devices or more. Members may come and go: groups of two moments belong to one gathering when groups that \
      follow one another in time and share devices lead from one to the other.

      Rows have start, end, the largest number of devices at once (peak) with its time and place, and all members. device_s is \
      the time of all members together.
      """)

  @OptionGroup(title: "Input") var input: ContactInput
  @OptionGroup(title: "Contacts") var options: FinderOptions
  @OptionGroup(title: "Gatherings") var own: GatheringOptions
  @OptionGroup(title: "Output") var output: OutputOptions<RowFormat>

  func run() throws {
    let destination = try output.destination(inputs: input.files)
    let tracks = try input.open(readingInPlace: true)
    let found = try gatherings(in: tracks)
    let rows = found.enumerated().map { number, found in
      row(number + 1, found.gathering, tracks.venues[found.venue], tracks)
    }
    if let (file, format) = destination {
      // A list of names is one cell where rows are flat.
      let flat = format == .csv || format == .arrow ? rows.map { $0.map(ContactsGatheringsCommand.flat) } : rows
      try RowFile.write(flat, name: "gatherings", columns: ContactsGatheringsCommand.columns, to: (file, format))
    }
    try output.report(
      [
        "schema": "cordon.contacts-gatherings/1", "distance_m": .number(options.distance(in: tracks)),
        "max_gap_s": .number(tracks.maximumGap.seconds), "minimum_size": .count(own.minimumSize),
        "minimum_duration_s": .number(own.minimumDuration.span.seconds), "bridge_s": .number(own.bridge.span.seconds),
        "gatherings": .count(found.count), "peak": .count(found.map(\.gathering.peak).max() ?? 0),
        "rows": .array(destination == nil ? rows.map { .object($0) } : []),
      ], text(found.map(\.gathering)))
  }

  /// The gatherings of all venues, each with the number of its venue.
  private func gatherings(in tracks: ContactTracks) throws -> [(venue: Int, gathering: Gathering)] {
    let finder = options.finder(for: tracks)
    var found: [(venue: Int, gathering: Gathering)] = []
    let room = MemoryBudget(file: tracks.path)
    for venue in tracks.venues.indices {
      let session = ContactSession(finder: finder)
      var list = ContactBuffer(room: room)
      try tracks.forEach(of: venue) { try session.run($0, into: &list) }
      try session.finish(into: &list)
      found += own.finder.gatherings(in: list.contacts).map { (venue, $0) }
    }
    tracks.warn()
    try tracks.checkThatPointsAreUsable()
    return found
  }

  private static let columns: [TableColumn] = [
    .count("gathering"), .text("venue"), .number("floor"), .text("space"), .time("start"), .time("end"),
    .number("duration_s", unit: "s"), .count("devices"), .count("peak"), .time("peak_time"),
    .number("device_s", unit: "s"), .number("x_m", unit: "m"), .number("y_m", unit: "m"),
    .number("longitude", unit: "degree"), .number("latitude", unit: "degree"), .text("members"),
  ]

  private static func flat(_ member: JSONValue.Member) -> JSONValue.Member {
    guard case .array = member.value else { return member }
    return .init(member.key, .string(member.value.text()))
  }

  private func row(
    _ number: Int, _ gathering: Gathering, _ venue: ContactTracks.Venue, _ tracks: ContactTracks
  ) -> [JSONValue.Member] {
    let place = venue.frame?.unproject(PlanePoint(x: gathering.x, y: gathering.y))
    let space = tracks.map.flatMap { map in
      map.spaces.space(floor: gathering.floor, x: gathering.x, y: gathering.y).map { map.names[$0].id }
    }
    func degrees(_ value: Double?) -> JSONValue { value.map { .number(($0 * 1e8).rounded() / 1e8) } ?? .null }
    let isKnown = gathering.floor != Segment.unknownFloor
    return [
      .init("gathering", .count(number)), .init("venue", venue.name.isEmpty ? .null : .string(venue.name)),
      .init("floor", isKnown ? .number(Double(gathering.floor) / 1_000) : .null), .init("space", JSONValue(space)),
      .init("start", .time(microseconds: gathering.start)), .init("end", .time(microseconds: gathering.end)),
      .init("duration_s", .number(Double(gathering.duration) / 1e6)), .init("devices", .count(gathering.members.count)),
      .init("peak", .count(gathering.peak)), .init("peak_time", .time(microseconds: gathering.peakTime)),
      .init("device_s", .number(Double(gathering.members.reduce(0) { $0 + $1.present }) / 1e6)),
      .init("x_m", .metres(gathering.x)), .init("y_m", .metres(gathering.y)),
      .init("longitude", degrees(place?.longitude)), .init("latitude", degrees(place?.latitude)),
      .init("members", .array(gathering.members.map { .string(tracks.name($0.device)) })),
    ]
  }

  private func text(_ found: [Gathering]) -> String {
    var text = Counted.of(found.count, "gathering")
    text += " of \(own.minimumSize) or more devices for \(own.minimumDuration.span) or more\n"
    for gathering in found.sorted(by: { ($1.peak, $0.start) < ($0.peak, $1.start) }).prefix(20) {
      let minutes = (Double(gathering.duration) / 6e6).rounded() / 10
      text += "  \(Instant.rfc3339(microseconds: gathering.start))  \(minutes) min  \(gathering.peak) at once, "
      text += "\(gathering.members.count) in all\n"
    }
    if found.count > 20 { text += "  and \(found.count - 20) more; -o FILE writes all\n" }
    return text
  }
}

extension Int64 {
  /// The product, or the largest number where it does not fit.
  fileprivate func multipliedClamped(by factor: Int64) -> Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    return overflow ? .max : product
  }
}
