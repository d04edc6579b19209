package import CordonCore
package import CordonIngest

extension PostgresPositionStore {
  private static let fields =
    "i.number, i.hash, i.hint, i.kind, v.id, i.uses, i.maximum_uses, i.expires, i.created, i.creator"

  private func invite(_ rows: PostgresRows, _ row: Int) -> StoredInvite? {
    guard let venue = VenueID(rows.text(row, 4)), let kind = StoredDevice.Kind(rawValue: rows.int(row, 3)) else {
      return nil
    }
    return StoredInvite(
      number: rows.int(row, 0), hash: rows.blob(row, 1), hint: rows.text(row, 2), kind: kind, venue: venue,
      uses: rows.int(row, 5), maximumUses: rows.int(row, 6),
      expires: rows.optionalInt(row, 7).map(Instant.init(milliseconds:)),
      created: Instant(milliseconds: rows.int(row, 8)), creator: rows.text(row, 9))
  }

  /// See ``PositionStore/save(_:)-(StoredInvite)``.
  package func save(_ invite: StoredInvite) throws(StoreFault) -> Int64 {
    if invite.number != 0 {
      try post("UPDATE invite_code SET uses = $1 WHERE number = $2", [.int(invite.uses), .int(invite.number)])
      try note { $0.note(useOf: invite) }
      return invite.number
    }
    guard let venue = try knownNumber(of: invite.venue) else {
      throw StoreFault(.failed, "an invite code of a venue that was never stored")
    }
    guard try run("SELECT 1 FROM invite_code WHERE hash = $1", [.bytes(invite.hash)]).count == 0 else {
      throw StoreFault(.failed, "an invite code that is there already")
    }
    let number = try nextNumber("invite")
    try post(
      """
      INSERT INTO invite_code (number, hash, hint, venue, kind, uses, maximum_uses, expires, created, creator)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
      """,
      [
        .int(number), .bytes(invite.hash), .text(invite.hint), .int(venue), .int(invite.kind.rawValue),
        .int(invite.uses),
        .int(invite.maximumUses), .optionalInt(invite.expires?.milliseconds), .int(invite.created.milliseconds),
        .text(invite.creator),
      ])
    return number
  }

  /// See ``PositionStore/invite(_:)``.
  ///
  /// Within a transaction of a store that writes, nobody else uses the code until the transaction ends.
  package func invite(_ hash: [UInt8]) throws(StoreFault) -> StoredInvite? {
    let isHeld = isInTransaction && !options.isReadOnly
    let rows = try run(
      "SELECT \(Self.fields) FROM invite_code AS i JOIN venue AS v ON v.number = i.venue WHERE i.hash = $1"
        + (isHeld ? " FOR UPDATE OF i" : ""), [.bytes(hash)])
    return rows.count > 0 ? invite(rows, 0) : nil
  }

  /// See ``PositionStore/invites(of:)``.
  package func invites(of venue: VenueID) throws(StoreFault) -> [StoredInvite] {
    let rows = try run(
      """
      SELECT \(Self.fields) FROM invite_code AS i JOIN venue AS v ON v.number = i.venue WHERE v.id = $1
      ORDER BY i.number DESC
      """, [.text(venue.rawValue)])
    return rows.indices.compactMap { invite(rows, $0) }
  }

  /// See ``PositionStore/removeInvite(_:)``.
  package func removeInvite(_ number: Int64) throws(StoreFault) -> Bool {
    let rows = try run("DELETE FROM invite_code WHERE number = $1 RETURNING hash", [.int(number)])
    guard rows.count > 0 else { return false }
    try note { $0.note(revocationOfCode: rows.blob(0, 0)) }
    return true
  }
}
