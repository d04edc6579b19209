package import CordonContacts
package import CordonIngest
internal import Crypto

extension PostgresPositionStore {
  /// See ``PositionStore/change(contactsOf:removed:added:)``.
  package func change(contactsOf venue: Int64, removed: [Contact], added: [Contact]) throws(StoreFault) {
    if !removed.isEmpty {
      try post(
        """
        DELETE FROM contact AS c USING unnest($2, $3, $4, $5) AS u (first, second, start_time, floor)
        WHERE c.venue = $1 AND c.first = u.first AND c.second = u.second AND c.start_time = u.start_time
          AND c.floor = u.floor
        """,
        [
          .int(venue), .ints(removed.map { Int64($0.first) }), .ints(removed.map { Int64($0.second) }),
          .ints(removed.map(\.start)), .smallInts(removed.map(\.floor)),
        ])
    }
    guard !added.isEmpty else { return }
    // Of two with the same key the later one stays; a statement may change a row only once.
    var last: [ContactCursor: Int] = [:]
    for (index, contact) in added.enumerated() { last[ContactCursor(contact)] = index }
    let kept = last.count == added.count ? added : last.values.sorted().map { added[$0] }
    if isSealed { return try addSealed(kept, venue: venue) }
    try post(
      """
      INSERT INTO contact (first, second, start_time, floor, end_time, venue, distance, closest, x, y, separation_x,
        separation_y, obstructed)
      SELECT first, second, start_time, floor, end_time, $1, distance, closest, x, y, separation_x, separation_y, obstructed
      FROM unnest($2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) AS u (first, second, start_time, floor, end_time,
        distance, closest, x, y, separation_x, separation_y, obstructed)
      ON CONFLICT (first, second, start_time, floor, venue) DO UPDATE SET end_time = excluded.end_time,
        distance = excluded.distance, closest = excluded.closest, x = excluded.x, y = excluded.y,
        separation_x = excluded.separation_x, separation_y = excluded.separation_y, obstructed = excluded.obstructed
      """,
      [
        .int(venue), .ints(kept.map { Int64($0.first) }), .ints(kept.map { Int64($0.second) }),
        .ints(kept.map(\.start)),
        .smallInts(kept.map(\.floor)), .ints(kept.map(\.end)), .reals(kept.map(\.minimumDistance)),
        .ints(kept.map(\.minimumDistanceTime)), .reals(kept.map(\.x)), .reals(kept.map(\.y)),
        .reals(kept.map { Double($0.separationX) }), .reals(kept.map { Double($0.separationY) }),
        .optionalInts(kept.map { $0.obstructed < 0 ? nil : $0.obstructed }),
      ])
  }

  private func addSealed(_ contacts: [Contact], venue: Int64) throws(StoreFault) {
    let keys = try keys(of: contacts.flatMap { [Int64($0.first), Int64($0.second)] }, making: true)
    var sealed: [[UInt8]?] = []
    for contact in contacts {
      let (first, second) = (Int64(contact.first), Int64(contact.second))
      guard let one = keys[first], let other = keys[second] else { throw StoreFault(.failed, "a device without a key") }
      sealed.append(
        try SealedMeeting(contact).sealed(
          under: RowSeal.pair(one, other), [first, second, contact.start, Int64(contact.floor), venue]))
    }
    try post(
      """
      INSERT INTO contact (first, second, start_time, floor, end_time, venue, sealed)
      SELECT first, second, start_time, floor, end_time, $1, sealed
      FROM unnest($2, $3, $4, $5, $6, $7) AS u (first, second, start_time, floor, end_time, sealed)
      ON CONFLICT (first, second, start_time, floor, venue)
      DO UPDATE SET end_time = excluded.end_time, sealed = excluded.sealed
      """,
      [
        .int(venue), .ints(contacts.map { Int64($0.first) }), .ints(contacts.map { Int64($0.second) }),
        .ints(contacts.map(\.start)), .smallInts(contacts.map(\.floor)), .ints(contacts.map(\.end)),
        .optionalBytesList(sealed),
      ])
  }

  /// See ``PositionStore/contacts(_:)``.
  package func contacts(_ selection: ContactSelection) throws(StoreFault) -> [Contact] {
    var parameters: [PostgresParameter] = [
      .int(selection.span.upperBound),
      // What starts later ends later: the index is by the end.
      .int(max(selection.span.lowerBound, selection.after?.start ?? .min)), .int(Int64(selection.limit)),
      .int(selection.minimumDuration),
    ]
    var condition = "start_time <= $1 AND end_time >= $2 AND end_time - start_time >= $4"
    if let venue = selection.venue {
      parameters.append(.int(venue))
      condition += " AND venue = $\(parameters.count)"
    }
    if let after = selection.after {
      let first = parameters.count + 1
      parameters += [.int(after.start), .int(Int64(after.first)), .int(Int64(after.second)), .int(Int64(after.floor))]
      condition +=
        " AND (start_time, first, second, floor) > ($\(first), $\(first + 1), $\(first + 2), $\(first + 3))"
    }
    let fields = """
      SELECT first, second, floor, start_time, end_time, distance, closest, x, y, separation_x, separation_y, obstructed,
        venue, sealed
      FROM contact WHERE
      """
    var sql = "\(fields) \(condition)"
    if let device = selection.device {
      parameters.append(.int(device))
      sql =
        "\(fields) first = $\(parameters.count) AND \(condition) UNION ALL \(fields) second = $\(parameters.count) AND \(condition)"
    }
    let rows = try run("\(sql) ORDER BY start_time, first, second, floor LIMIT $3", parameters)
    var list: [Contact] = []
    list.reserveCapacity(rows.count)
    var keys: [Int64: SymmetricKey]?
    for row in rows.indices {
      var contact = Contact(
        first: Int32(truncatingIfNeeded: rows.int(row, 0)), second: Int32(truncatingIfNeeded: rows.int(row, 1)),
        floor: Int32(truncatingIfNeeded: rows.int(row, 2)), start: rows.int(row, 3), end: rows.int(row, 4),
        minimumDistance: rows.real(row, 5), minimumDistanceTime: rows.int(row, 6), x: rows.real(row, 7),
        y: rows.real(row, 8), separationX: Float(rows.real(row, 9)), separationY: Float(rows.real(row, 10)),
        obstructed: rows.optionalInt(row, 11) ?? Contact.wallsNotAsked)
      if let sealed = rows.optionalBlob(row, 13) {
        if keys == nil { keys = try self.keys(of: rows.indices.flatMap { [rows.int($0, 0), rows.int($0, 1)] }) }
        let key = [rows.int(row, 0), rows.int(row, 1), rows.int(row, 3), rows.int(row, 2), rows.int(row, 12)]
        guard let meeting = try meeting(sealed, key, keys ?? [:]) else { continue }
        contact.minimumDistance = meeting.distance
        contact.minimumDistanceTime = meeting.closest
        (contact.x, contact.y) = (meeting.x, meeting.y)
        (contact.separationX, contact.separationY) = (Float(meeting.separationX), Float(meeting.separationY))
        contact.obstructed = meeting.obstructed ?? Contact.wallsNotAsked
      }
      list.append(contact)
    }
    return list
  }

  /// See ``PositionStore/markUnsettled(venue:device:span:)``.
  package func markUnsettled(venue: Int64, device: Int64, span: ClosedRange<Int64>) throws(StoreFault) {
    try post(
      """
      INSERT INTO unsettled (venue, device, first, last, version) VALUES ($1, $2, $3, $4, 1)
      ON CONFLICT (venue, device) DO UPDATE
      SET first = least(unsettled.first, $3), last = greatest(unsettled.last, $4), version = unsettled.version + 1
      """, [.int(venue), .int(device), .int(span.lowerBound), .int(span.upperBound)])
    try hintLateRows(of: venue)
  }

  /// See ``PositionStore/lateSpans(limit:)``. A server that shares the database is given those of the venues that it has leases on.
  package func lateSpans(limit: Int) throws(StoreFault) -> [LateSpan] {
    let condition = options.server == nil ? "" : "WHERE venue = ANY ($2)"
    let rows = try run(
      "SELECT venue, device, first, last, version FROM unsettled \(condition) ORDER BY venue, device LIMIT $1",
      [.int(Int64(limit))] + (options.server == nil ? [] : [.ints(holdings.epochs.keys.sorted())]))
    return rows.indices.map { row in
      LateSpan(
        venue: rows.int(row, 0), device: rows.int(row, 1),
        span: rows.int(row, 2)...max(rows.int(row, 2), rows.int(row, 3)), version: rows.int(row, 4))
    }
  }

  /// See ``PositionStore/removeLateSpan(_:)``.
  package func removeLateSpan(_ mark: LateSpan) throws(StoreFault) { try removeLateSpans([mark]) }

  /// See ``PositionStore/removeLateSpans(_:)``.
  ///
  /// A note that another server has written to since it was read stays: the contacts of its rows are not found yet.
  package func removeLateSpans(_ marks: [LateSpan]) throws(StoreFault) {
    guard !marks.isEmpty else { return }
    try post(
      """
      DELETE FROM unsettled AS n USING unnest($1, $2, $3) AS u (venue, device, version)
      WHERE n.venue = u.venue AND n.device = u.device AND (u.version IS NULL OR n.version = u.version)
      """,
      [.ints(marks.map(\.venue)), .ints(marks.map(\.device)), .optionalInts(marks.map(\.version))])
  }
}
