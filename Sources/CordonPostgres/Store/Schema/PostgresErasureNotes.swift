package import CordonCore
package import CordonIngest

/// The table of erasures that the server with the forms has to finish.
enum PostgresErasureNotes {
  /// The step of the schema that makes it. `before` is NULL where the whole device was erased, and `received_until` for any time.
  static let step = """
    CREATE TABLE erasure_note (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, device text NOT NULL, before bigint, received_until bigint
    );
    CREATE INDEX erasure_note_by_device ON erasure_note (device);
    """
}

extension PostgresPositionStore: ErasureNotes {
  private var ownFolder: String { options.services?.folder ?? "" }
  private static let setting = FileServices.Name.forms.setting

  /// See ``ErasureNotes/noteErasure(of:_:)``. The server with the records gets a hint with the commit.
  package func noteErasure(of device: DeviceID, _ end: DeviceEnd) throws(StoreFault) {
    var limits: (before: Int64?, until: Int64?) = (nil, nil)
    if case .holders(let before, let until) = end { limits = (before.milliseconds, until?.milliseconds) }
    try post(
      """
      WITH noted AS (
        INSERT INTO erasure_note (device, before, received_until) SELECT $1, $2, $3 WHERE EXISTS (
          SELECT 1 FROM setting WHERE name = $4 AND split_part(value, ' ', 1) <> $5)
        RETURNING number)
      SELECT pg_notify($6, $7) FROM noted
      """,
      [
        .text(device.rawValue), .optionalInt(limits.before), .optionalInt(limits.until), .text(Self.setting),
        .text(ownFolder), .text(PostgresHints.channel), .text(hint("free")),
      ])
  }

  /// See ``ErasureNotes/isErasureOpen(of:)``. Records of a folder that is lost, and that the database notes no longer, keep nothing
  /// open.
  package func isErasureOpen(of device: DeviceID) throws(StoreFault) -> Bool {
    try run(
      """
      SELECT 1 FROM erasure_note WHERE device = $1 AND EXISTS (SELECT 1 FROM setting WHERE name = $2) LIMIT 1
      """, [.text(device.rawValue), .text(Self.setting)]
    ).count > 0
  }

  /// See ``ErasureNotes/openErasures(limit:)``.
  package func openErasures(limit: Int) throws(StoreFault) -> [NotedErasure] {
    guard options.services?.names.contains(.forms) == true else { return [] }
    let rows = try run(
      "SELECT number, device, before, received_until FROM erasure_note ORDER BY number LIMIT $1", [.int(Int64(limit))])
    return rows.indices.compactMap { row in
      guard let device = DeviceID(rows.text(row, 1)) else { return nil }
      let end = rows.optionalInt(row, 2).map { before in
        DeviceEnd.holders(
          before: Instant(milliseconds: before),
          receivedUntil: rows.optionalInt(row, 3).map(Instant.init(milliseconds:)))
      }
      return NotedErasure(number: rows.int(row, 0), device: device, end: end ?? .device)
    }
  }

  /// See ``ErasureNotes/removeErasure(_:)``.
  package func removeErasure(_ number: Int64) throws(StoreFault) {
    try run("DELETE FROM erasure_note WHERE number = $1", [.int(number)])
  }
}
