package import CordonCore
package import CordonIngest

/// Rules and alerts in the database of the positions. One of its servers watches the rules; all of them show the alerts.
package final class PostgresAlertStore: AlertStore {
  private let link: PostgresLink

  /// A store; it is connected at its first use.
  /// - Parameter patience: the maximum time for an answer of the database.
  package init(_ address: PostgresAddress, patience: Duration = .seconds(15)) {
    link = PostgresLink(address, patience: patience)
  }

  private static let ruleFields =
    "number, venue, kind, name, space, floor, device, threshold, lasting, is_on, holder, created"
  private static let alertFields = "number, rule, began, raised, ended, peak, space, acknowledged, sent, end_sent"

  /// See ``AlertStore/save(_:)-(AlertRule)``.
  package func save(_ rule: AlertRule) throws(StoreFault) -> Int64 {
    guard rule.number == 0 else {
      try link.run(
        "UPDATE alert_rule SET name = $1, threshold = $2, lasting = $3, is_on = $4, holder = $5 WHERE number = $6",
        [
          .text(rule.name), .int(rule.threshold), .int(rule.lasting), .int(rule.isOn ? 1 : 0),
          .optionalInt(rule.holder?.milliseconds), .int(rule.number),
        ])
      return rule.number
    }
    return try link.run(
      """
      \(PostgresConsole.number("rule")) INSERT INTO alert_rule (\(Self.ruleFields))
      SELECT last, $1, $2, $3, $4::text, $5::bigint, $6::text, $7, $8, $9, $10::bigint, $11::bigint FROM n RETURNING number
      """,
      [
        .text(rule.venue.rawValue), .text(rule.kind.rawValue), .text(rule.name), .optionalText(rule.space?.rawValue),
        .optionalInt(rule.floor.map { Int64($0.thousandths) }), .optionalText(rule.device?.rawValue),
        .int(rule.threshold), .int(rule.lasting), .int(rule.isOn ? 1 : 0), .optionalInt(rule.holder?.milliseconds),
        .optionalInt(rule.created?.milliseconds),
      ]
    ).int(0, 0)
  }

  /// See ``AlertStore/rules()``.
  package func rules() throws(StoreFault) -> [AlertRule] {
    let rows = try link.run("SELECT \(Self.ruleFields) FROM alert_rule ORDER BY number")
    return rows.indices.compactMap { row in
      guard let venue = VenueID(rows.text(row, 1)), let kind = AlertRule.Kind(rawValue: rows.text(row, 2)) else {
        return nil
      }
      return AlertRule(
        number: rows.int(row, 0), venue: venue, kind: kind, name: rows.text(row, 3),
        space: rows.optionalText(row, 4).flatMap { SpaceID($0) },
        floor: rows.optionalInt(row, 5).map { FloorOrdinal(thousandths: Int32(truncatingIfNeeded: $0)) },
        device: rows.optionalText(row, 6).flatMap { DeviceID($0) }, threshold: rows.int(row, 7),
        lasting: rows.int(row, 8), isOn: rows.int(row, 9) != 0,
        holder: rows.optionalInt(row, 10).map(Instant.init(milliseconds:)),
        created: rows.optionalInt(row, 11).map(Instant.init(milliseconds:)))
    }
  }

  /// See ``AlertStore/remove(rule:)``.
  package func remove(rule number: Int64) throws(StoreFault) {
    try link.run("DELETE FROM alert_rule WHERE number = $1", [.int(number)])
  }

  /// See ``AlertStore/save(_:)-(Alert)``.
  package func save(_ alert: Alert) throws(StoreFault) -> Int64 {
    guard alert.number == 0 else {
      try link.run(
        """
        UPDATE alert SET ended = $1, peak = $2, space = $3, acknowledged = $4, sent = $5, end_sent = $6 WHERE number = $7
        """,
        [
          .optionalInt(alert.ended?.milliseconds), .int(alert.peak), .optionalText(alert.space?.rawValue),
          .optionalText(alert.acknowledged), .optionalInt(alert.sent?.milliseconds),
          .optionalInt(alert.endSent?.milliseconds), .int(alert.number),
        ])
      return alert.number
    }
    return try link.run(
      """
      \(PostgresConsole.number("alert")) INSERT INTO alert (\(Self.alertFields))
      SELECT last, $1, $2, $3, $4::bigint, $5, $6::text, $7::text, $8::bigint, $9::bigint FROM n RETURNING number
      """,
      [
        .int(alert.rule), .int(alert.began.milliseconds), .int(alert.raised.milliseconds),
        .optionalInt(alert.ended?.milliseconds), .int(alert.peak), .optionalText(alert.space?.rawValue),
        .optionalText(alert.acknowledged), .optionalInt(alert.sent?.milliseconds),
        .optionalInt(alert.endSent?.milliseconds),
      ]
    ).int(0, 0)
  }

  /// See ``AlertStore/alerts(of:limit:)``.
  package func alerts(of rule: Int64, limit: Int) throws(StoreFault) -> [Alert] {
    Self.alerts(
      try link.run(
        "SELECT \(Self.alertFields) FROM alert WHERE rule = $1 ORDER BY number DESC LIMIT $2",
        [.int(rule), .int(Int64(limit))]))
  }

  /// See ``AlertStore/openAlerts()``.
  package func openAlerts() throws(StoreFault) -> [Alert] {
    Self.alerts(try link.run("SELECT \(Self.alertFields) FROM alert WHERE ended IS NULL ORDER BY number"))
  }

  private static func alerts(_ rows: PostgresRows) -> [Alert] {
    rows.indices.map { row in
      Alert(
        number: rows.int(row, 0), rule: rows.int(row, 1), began: Instant(milliseconds: rows.int(row, 2)),
        raised: Instant(milliseconds: rows.int(row, 3)),
        ended: rows.optionalInt(row, 4).map(Instant.init(milliseconds:)), peak: rows.int(row, 5),
        space: rows.optionalText(row, 6).flatMap { SpaceID($0) }, acknowledged: rows.optionalText(row, 7),
        sent: rows.optionalInt(row, 8).map(Instant.init(milliseconds:)),
        endSent: rows.optionalInt(row, 9).map(Instant.init(milliseconds:)))
    }
  }

  /// See ``AlertStore/forget(_:_:)``.
  package func forget(_ device: DeviceID, _ end: DeviceEnd) throws(StoreFault) {
    try link.run(
      "DELETE FROM alert_rule WHERE device = $1 AND coalesce(holder, 0) < $2 AND coalesce(created, 0) <= $3",
      [.text(device.rawValue), .int(end.limits.before), .int(end.limits.receivedUntil)])
  }

  /// See ``AlertStore/expire(before:)``.
  package func expire(before time: Instant) throws(StoreFault) {
    try link.run("DELETE FROM alert WHERE ended < $1", [.int(time.milliseconds)])
  }
}
