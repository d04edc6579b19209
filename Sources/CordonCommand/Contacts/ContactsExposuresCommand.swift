import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonContacts
import CordonCore
import CordonExchange
import CordonSupport
import Foundation

/// The rule of `cordon contacts exposures`.
struct ExposureOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The rule: cdc-6ft, eu-2m or who-1m.", valueName: "name"))
  var rule = "eu-2m"

  @Option(help: ArgumentHelp("The contact distance, inclusive. (default: that of the rule)", valueName: "metres"))
  var distance: DistanceArgument?

  @Option(
    help: ArgumentHelp("The cumulative contact time of an exposure. (default: that of the rule)", valueName: "duration")
  )
  var threshold: DurationArgument?

  @Option(
    help: ArgumentHelp("The window in which contact time is added. (default: that of the rule)", valueName: "duration"))
  var window: DurationArgument?

  @Option(
    help: ArgumentHelp("The offset of local days from UTC, for sums by calendar day: 2h, -5h.", valueName: "duration"))
  var dayOffset = DurationArgument(.zero)

  @Flag(help: "Add minutes weighted by distance: 1.5 within 1 m, 1 within 2 m, 0.5 within 4 m.")
  var weighted = false

  @Flag(help: "List all pairs that met, not only the exposures.")
  var all = false

  @Option(
    help: ArgumentHelp(
      "Whether devices on unknown floors can meet: flagged (yes, and the row has no floor) or never.", valueName: "rule"
    ))
  var unknownFloors = ChoiceArgument(ContactFinder.UnknownFloors.flagged)

  @Option(help: ArgumentHelp("The maximum number of threads; the result does not depend on it.", valueName: "count"))
  var threads = 1

  func validate() throws {
    guard ExposureRule.named.contains(where: { $0.name == rule }) else {
      throw ValidationError("--rule must be one of \(ExposureRule.named.map(\.name).joined(separator: ", "))")
    }
    if let distance = distance?.metres, !(distance.isFinite && distance >= 0) {
      throw ValidationError("--distance must be 0 metres or more")
    }
    guard (1...1_024).contains(threads) else { throw ValidationError("--threads must be 1 to 1024") }
    if let window, window.span <= .zero { throw ValidationError("--window must be more than 0s") }
    guard dayOffset.span.milliseconds.magnitude <= 86_400_000 else {
      throw ValidationError("--day-offset must be at most a day")
    }
  }
}

/// The index case of `cordon contacts exposures`.
struct IndexOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The device of the index case. (default: all pairs)", valueName: "device"))
  var index: String?

  @Option(
    help: ArgumentHelp(
      "The symptom onset of the index case: a date (its midnight, UTC) or an RFC 3339 time.", valueName: "date"))
  var onset: OnsetArgument?

  @Option(help: ArgumentHelp("The time before onset from which contacts count.", valueName: "duration"))
  var before = DurationArgument(.days(2))

  @Option(help: ArgumentHelp("The time after onset until which contacts count.", valueName: "duration"))
  var after = DurationArgument(.days(10))

  func validate() throws {
    if onset != nil, index == nil { throw ValidationError("--onset needs --index") }
  }
}

/// The command `cordon contacts exposures`.
struct ContactsExposuresCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "exposures",
    abstract: "Add up contact time per pair, and find exposures.",
    discussion: """
      Examples:

        cordon contacts exposures points.csv --rule cdc-6ft \\
          --time-zone America/Toronto -o pairs.csv
        cordon contacts exposures points.csv --index badge-17 --onset 2026-03-02

      maximum_in_window_s is the maximum contact time in any sliding window (24 h), maximum_on_one_day_s that on one calendar \
      day, which splits meetings around midnight.

      Named rules: cdc-6ft (1.8288 m; CDC, October 2020), eu-2m, who-1m; each 15 minutes in any 24 hours. --distance, \
      --threshold and --window override them. With --index only the contacts of that device count, from two days before \
      onset on.
      """)

  @OptionGroup(title: "Input") var input: ContactInput

  @OptionGroup(title: "Rule") var own: ExposureOptions
  @OptionGroup(title: "Index case") var indexCase: IndexOptions
  @OptionGroup(title: "Output") var output: OutputOptions<RowFormat>

  func validate() throws {
    if input.timeZone != nil, own.dayOffset.span != .zero {
      throw ValidationError("--time-zone and --day-offset exclude each other")
    }
  }

  private var exposureRule: ExposureRule {
    var rule = ExposureRule.named.first { $0.name == own.rule } ?? .twoMetres
    if own.distance != nil || own.threshold != nil || own.window != nil {
      rule.name = "custom"
      rule.source = "given on the command line"
    }
    rule.distance = own.distance?.metres ?? rule.distance
    rule.threshold = own.threshold?.span ?? rule.threshold
    rule.window = own.window?.span ?? rule.window
    return rule
  }

  func run() throws {
    let destination = try output.destination(inputs: input.files)
    let rule = exposureRule
    let dataset = try input.open(readingInPlace: true)
    let finder = ContactFinder(distance: rule.distance, unknownFloors: own.unknownFloors.value, threads: own.threads)
    let bands = own.weighted ? WeightedMinutes.standard.finders(finder) : []
    let lists = try dataset.contacts([finder] + bands)
    // Bands are limited like the contacts, so that the weighted minutes are those of the same time.
    let device = try indexCase.index.map(dataset.index)
    let limits = lists.map { limited($0, to: device) }
    let contacts = limits[0]
    let exposures = Exposure.list(of: contacts, rule: rule, days: days(of: contacts))
    let listed = exposures.filter { own.all || $0.isExposure }
    let minutes = weightedMinutes(Array(limits[1...]))
    let rows = listed.map { row($0, dataset, minutes) }
    if let destination { try RowFile.write(rows, name: "exposures", columns: columns, to: destination) }
    let exposed = exposures.filter(\.isExposure)
    let devices = Set(exposed.flatMap { [$0.first, $0.second] })
    let summary: JSONValue = [
      "schema": "cordon.contacts-exposures/1", "rule": .string(rule.name), "source": .string(rule.source),
      "distance_m": .number(rule.distance), "max_gap_s": .number(dataset.maximumGap.seconds),
      "threshold_s": .number(rule.threshold.seconds),
      "window_s": .number(rule.window.seconds), "index": JSONValue(indexCase.index), "pairs": .count(exposures.count),
      "exposures": .count(exposed.count), "exposures_by_day": .count(exposures.count(where: \.isExposureByDay)),
      "devices": .count(devices.count), "rows": .array(destination == nil ? rows.map { .object($0) } : []),
    ]
    try output.report(summary, text(rule, exposures, exposed, devices, dataset, showsPairs: destination == nil))
  }

  /// The calendar days, with all changes of the clock while there are contacts.
  private func days(of contacts: [Contact]) -> LocalDays {
    guard let zone = input.timeZone?.zone, let first = contacts.map(\.start).min(), let last = contacts.map(\.end).max()
    else { return LocalDays(offset: own.dayOffset.span) }
    return zone.days(from: Instant(milliseconds: first / 1_000), to: Instant(milliseconds: last / 1_000))
  }

  /// The contacts of one device in the span around onset; all without one.
  private func limited(_ contacts: [Contact], to device: Int32?) -> [Contact] {
    guard let device else { return contacts }
    let ofDevice = contacts.filter { $0.first == device || $0.second == device }
    guard let onset = indexCase.onset?.instant else { return ofDevice }
    let from = (onset - indexCase.before.span).milliseconds.multipliedReportingOverflow(by: 1_000).partialValue
    let to = (onset + indexCase.after.span).milliseconds.multipliedReportingOverflow(by: 1_000).partialValue
    return ofDevice.compactMap { contact in
      var contact = contact
      contact.start = max(contact.start, from)
      contact.end = min(contact.end, to)
      return contact.start <= contact.end ? contact : nil
    }
  }

  private func weightedMinutes(_ contacts: [[Contact]]) -> [UInt64: Double] {
    var minutes: [UInt64: Double] = [:]
    for pair in WeightedMinutes.standard.minutes(of: contacts) {
      minutes[UInt64(UInt32(bitPattern: pair.first)) << 32 | UInt64(UInt32(bitPattern: pair.second))] = pair.minutes
    }
    return minutes
  }

  /// The keys of ``row(_:_:_:)``.
  private var columns: [TableColumn] {
    [
      .text("device_a"), .text("device_b"), .count("contacts"), .number("total_s", unit: "s"),
      .number("maximum_in_window_s", unit: "s"), .time("window_start"), .number("maximum_on_one_day_s", unit: "s"),
      .number("min_distance_m", unit: "m"), .flag("exposure"), .flag("exposure_by_day"),
    ] + (own.weighted ? [.number("weighted_min", unit: "min")] : [])
  }

  private func row(_ exposure: Exposure, _ dataset: ContactTracks, _ minutes: [UInt64: Double]) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = [
      .init("device_a", .string(dataset.name(exposure.first))),
      .init("device_b", .string(dataset.name(exposure.second))), .init("contacts", .count(exposure.contacts)),
      .init("total_s", .number(Double(exposure.total) / 1e6)),
      .init("maximum_in_window_s", .number(Double(exposure.maximumInWindow) / 1e6)),
      .init("window_start", .time(microseconds: exposure.windowStart)),
      .init("maximum_on_one_day_s", .number(Double(exposure.maximumOnOneDay) / 1e6)),
      .init("min_distance_m", .metres(exposure.minimumDistance)), .init("exposure", .bool(exposure.isExposure)),
      .init("exposure_by_day", .bool(exposure.isExposureByDay)),
    ]
    if own.weighted {
      let key = UInt64(UInt32(bitPattern: exposure.first)) << 32 | UInt64(UInt32(bitPattern: exposure.second))
      members.append(.init("weighted_min", .number(((minutes[key] ?? 0) * 1e3).rounded() / 1e3)))
    }
    return members
  }

  private func text(
    _ rule: ExposureRule, _ exposures: [Exposure], _ exposed: [Exposure], _ devices: Set<Int32>,
    _ dataset: ContactTracks, showsPairs: Bool
  ) -> String {
    var text = """
      \(rule.name): \(rule.distance) m, \(rule.threshold) in any \(rule.window)
      \(Counted.of(exposures.count, "pair")) met, \(exposed.count) of them long enough; \(Counted.of(devices.count, "device"))

      """
    guard showsPairs else { return text }
    for exposure in exposed.sorted(by: { ($1.maximumInWindow, $0.first) < ($0.maximumInWindow, $1.first) }).prefix(50) {
      let minutes = (Double(exposure.maximumInWindow) / 6e6).rounded() / 10
      text += "  \(dataset.shownName(exposure.first))  \(dataset.shownName(exposure.second))  \(minutes) min\n"
    }
    if exposed.count > 50 { text += "  and \(exposed.count - 50) more; -o FILE writes all\n" }
    return text
  }
}
