import CordonCore
import CordonGeometry
import CordonSupport

/// The parameters, the accounting and the figures as named rows.
extension RunParameters {
  /// The names that ``others`` may not use.
  static let reservedNames = [
    "command", "version", "seed", "start_ms", "duration_ms", "frame_longitude", "frame_latitude",
    "frame_metres_per_degree_east", "frame_metres_per_degree_north", "contact_distance_m", "maximum_gap_ms",
    "warning_threshold_ms", "occupancy_bin_ms", "is_partial",
  ]

  /// The rows of the table `parameters`. The seed is text because SQLite has no unsigned 64-bit integer.
  var storedRows: [Other] {
    let frame = LocalFrame(origin: frameOrigin)
    return [
      Other("command", .array(command.map(JSONValue.string))),
      Other("version", .string(version)),
      Other("seed", .string(String(seed))),
      Other("start_ms", .integer(start.milliseconds)),
      Other("duration_ms", .integer(duration.milliseconds)),
      Other("frame_longitude", .number(frame.origin.longitude)),
      Other("frame_latitude", .number(frame.origin.latitude)),
      Other("frame_metres_per_degree_east", .number(frame.metresPerDegreeEast)),
      Other("frame_metres_per_degree_north", .number(frame.metresPerDegreeNorth)),
      Other("contact_distance_m", .number(contactDistance)),
      Other("maximum_gap_ms", .integer(maximumGap.milliseconds)),
      Other("warning_threshold_ms", .integer(warningThreshold.milliseconds)),
      Other("occupancy_bin_ms", .integer(occupancyBin.milliseconds)),
    ] + others
  }
}

extension RunAccounting {
  /// The rows of the table `accounting`; `detail` is empty except for reasons and rules.
  var storedRows: [(outcome: String, detail: String, count: Int)] {
    var rows: [(outcome: String, detail: String, count: Int)] = [
      ("fixes", "", fixes), ("thinned", "", thinned), ("stored", "", stored),
      ("acknowledged", "", acknowledged), ("on_phone", "", onPhone), ("quarantined", "", quarantined),
      ("erased", "", erased),
    ]
    rows += RunAccounting.ranked(refused).map { ("refused", $0.name, $0.count) }
    rows += RunAccounting.ranked(expired).map { ("expired", $0.name, $0.count) }
    return rows
  }
}

extension RunSummary {
  /// The rows of the table `figures`.
  var storedFigures: [(name: String, value: Double?)] {
    var rows: [(name: String, value: Double?)] = [
      ("people", Double(people)), ("devices", Double(devices)), ("true_contacts", Double(trueContacts)),
      ("observed_contacts", Double(observedContacts)),
    ]
    if let planned { rows += [("planned_people", Double(planned)), ("never_came", Double(planned - people))] }
    let delivered: [(name: String, value: Double?)] = [
      ("requests", delivery.requests.map(Double.init)), ("failed_requests", delivery.failedRequests.map(Double.init)),
      ("bytes_sent", delivery.bytesSent.map(Double.init)), ("rows_received", delivery.rowsReceived.map(Double.init)),
      ("duplicate_rows", delivery.duplicateRows.map(Double.init)),
      ("median_delay_s", delivery.medianDelaySeconds), ("p95_delay_s", delivery.p95DelaySeconds),
      ("notices", delivery.notices.map(Double.init)), ("notices_received", delivery.noticesReceived.map(Double.init)),
      ("median_notice_s", delivery.medianNoticeSeconds), ("p95_notice_s", delivery.p95NoticeSeconds),
    ]
    rows += delivered.filter { $0.value != nil }
    if let agreement {
      rows += [
        ("true_s", agreement.trueSeconds), ("observed_s", agreement.observedSeconds),
        ("common_s", agreement.commonSeconds), ("true_pairs", Double(agreement.truePairs)),
        ("observed_pairs", Double(agreement.observedPairs)), ("common_pairs", Double(agreement.commonPairs)),
        ("precision_seconds", agreement.precisionSeconds), ("recall_seconds", agreement.recallSeconds),
        ("precision_pairs", agreement.precisionPairs), ("recall_pairs", agreement.recallPairs),
      ]
    }
    return rows
  }
}
