import CordonConsole
import CordonContacts
import CordonCore
import CordonExchange
import CordonSupport

/// The report of `contacts find`.
struct FindResult {
  let rule: FindRule
  let distance: Double
  let maximumGap: TimeSpan
  /// The length of a tick, of the rules that have ticks.
  var tick: TimeSpan?
  var points = 0
  var devices = 0
  var pairs = 0
  var contacts = 0
  var overlap: Int64 = 0
  var longPairs = 0
  var pairTicks: Int?
  /// Of probable contacts: the expected time where accuracies are known, and the time where they are not, microseconds.
  var expected: (known: Int64, unknown: Int64)?
  var assertable: Int?
  var intervals = 0
  var intervalsBeyondGap = 0
  var unusable = 0
  var duplicates = 0
  var conflicting = 0
  var badRows = 0
  /// Rows after a later one of their device.
  var outOfOrder = 0
  /// The assumptions made while reading, in sentences.
  var assumed: [String] = []
  var inputCPU = 0.0
  var engineCPU = 0.0
  var outputCPU = 0.0

  init(rule: FindRule, distance: Double, maximumGap: TimeSpan) {
    self.rule = rule
    self.distance = distance
    self.maximumGap = maximumGap
  }

  mutating func add(_ tracks: ContactTracks) {
    let report = tracks.report
    points = tracks.pointCount
    devices = tracks.deviceCount
    badRows = tracks.badRowCount
    outOfOrder = tracks.reading.outOfOrder
    assumed = tracks.reading.assumed
    unusable = tracks.rejected.unusable + tracks.rejected.overlapping
    intervals += report.intervals
    intervalsBeyondGap += report.intervalsBeyondGap
    unusable += report.unusable
    duplicates += report.duplicates
    conflicting += report.conflicting + tracks.venueConflicts.count
  }

  /// Adds the contacts of all venues.
  mutating func add(_ summary: ContactSummary) {
    pairs += summary.pairs
    contacts += summary.contacts
    overlap += summary.overlap
    longPairs += summary.pairsOf15Minutes
  }

  /// Adds what was said of the contacts of one venue.
  mutating func add(_ rows: ContactRows) {
    outputCPU += rows.outputCPU
    if rule == .probable {
      let before = expected ?? (0, 0)
      expected = (before.known + rows.expectedMicroseconds, before.unknown + rows.unknownMicroseconds)
      assertable = (assertable ?? 0) + rows.assertable
    }
  }

  /// The share of the contact time for which no accuracy is known.
  private var shareUnknown: Double {
    guard let expected, overlap > 0 else { return 0 }
    return (min(Double(expected.unknown) / Double(overlap), 1) * 1e6).rounded() / 1e6
  }

  var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init("schema", "cordon.contacts-find/1"), .init("rule", .string(rule.rawValue)),
      .init("distance_m", .number(distance)), .init("max_gap_s", .number(maximumGap.seconds)),
      .init("points", .count(points)), .init("devices", .count(devices)), .init("pairs", .count(pairs)),
      .init("contacts", .count(contacts)), .init("overlap_s", .number(Double(overlap) / 1e6)),
      .init("pairs_15min", .count(longPairs)),
    ]
    if let tick { members.append(.init("tick_s", .number(tick.seconds))) }
    if let pairTicks { members.append(.init("pair_ticks", .count(pairTicks))) }
    if let expected, let assertable {
      // Of contacts none of which has an accuracy nothing is expected, not 0 s.
      let isKnown = overlap == 0 || expected.unknown < overlap
      members.append(.init("expected_contact_s", isKnown ? .seconds(Double(expected.known) / 1e6) : .null))
      members.append(.init("share_unknown", .number(shareUnknown)))
      members.append(.init("assertable", .count(assertable)))
    }
    if intervals > 0 {
      members.append(.init("share_beyond_gap", .number(Double(intervalsBeyondGap) / Double(intervals))))
    }
    members += [
      .init("bad_rows", .count(badRows)), .init("unusable", .count(unusable)), .init("duplicates", .count(duplicates)),
      .init("conflicting", .count(conflicting)), .init("out_of_order", .count(outOfOrder)),
      .init("assumed", .array(assumed.map { .string($0) })), .init("engine_cpu_s", .seconds(engineCPU)),
      .init("input_cpu_s", .seconds(inputCPU)), .init("output_cpu_s", .seconds(outputCPU)),
      .init("peak_mib", .number(ProcessResources.peakMebibytes)),
    ]
    return .object(members)
  }

  var text: String {
    let hours = (Double(overlap) / 3.6e9 * 100).rounded() / 100
    var lines = [
      "\(Counted.of(points, "point")) of \(Counted.of(devices, "device")), joined over at most \(maximumGap)",
      "\(Counted.of(contacts, "contact")) of \(Counted.of(pairs, "pair")) within \(distance) m (\(rule.rawValue)), \(hours) h in all",
      "\(Counted.of(longPairs, "pair")) for 15 minutes or more",
    ]
    if let tick { lines.append("in ticks of \(tick)") }
    if let assertable { lines.append("\(Counted.of(assertable, "contact")) that the accuracies allow to assert") }
    if shareUnknown > 0 {
      let percent = (shareUnknown * 10_000).rounded() / 100
      lines.append("\(percent) % of the contact time has no known accuracy, and so no probability")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension JSONValue {
  /// RFC 3339 in UTC with microseconds.
  static func time(microseconds: Int64) -> JSONValue { .string(Instant.rfc3339(microseconds: microseconds)) }

  /// RFC 3339 in UTC with microseconds.
  static func time(milliseconds: Int64) -> JSONValue {
    .time(microseconds: milliseconds.multipliedReportingOverflow(by: 1_000).partialValue)
  }

  /// Seconds to a millisecond.
  static func seconds(_ value: Double) -> JSONValue { .number((value * 1e3).rounded() / 1e3) }
}
