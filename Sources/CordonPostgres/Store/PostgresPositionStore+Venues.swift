package import CordonCore
package import CordonIngest

extension PostgresPositionStore {
  /// The next number of a kind. Its row stays locked until the transaction ends: nobody else gets a number meanwhile.
  func nextNumber(_ kind: String) throws(StoreFault) -> Int64 {
    try run("UPDATE counter SET last = last + 1 WHERE name = $1 RETURNING last", [.text(kind)]).int(0, 0)
  }

  /// The number of a row, which is made if it is not there. Of two servers that make it at the same time one waits.
  /// - Parameters:
  ///   - key: the parameters of the selection.
  ///   - values: the parameters of the insertion besides `$1`, which is the number.
  private func number(
    _ kind: String, _ selection: String, key: [PostgresParameter], _ insertion: String, values: [PostgresParameter]
  ) throws(StoreFault) -> Int64 {
    var rows = try run(selection, key)
    if rows.count > 0 { return rows.int(0, 0) }
    try run("SELECT last FROM counter WHERE name = $1 FOR UPDATE", [.text(kind)])
    rows = try run(selection, key)
    if rows.count > 0 { return rows.int(0, 0) }
    let number = try nextNumber(kind)
    try run(insertion, [.int(number)] + values)
    return number
  }

  /// See ``PositionStore/number(of:origin:)``.
  package func number(of venue: VenueID, origin: Coordinate) throws(StoreFault) -> Int64 {
    if let number = venueNumbers[venue] { return number }
    let number = try number(
      "venue", "SELECT number FROM venue WHERE id = $1", key: [.text(venue.rawValue)],
      "INSERT INTO venue (number, id, longitude, latitude) VALUES ($1, $2, $3, $4)",
      values: [.text(venue.rawValue), .real(origin.longitude), .real(origin.latitude)])
    venueNumbers[venue] = number
    return number
  }

  func knownNumber(of venue: VenueID) throws(StoreFault) -> Int64? {
    if let number = venueNumbers[venue] { return number }
    let rows = try run("SELECT number FROM venue WHERE id = $1", [.text(venue.rawValue)])
    guard rows.count > 0 else { return nil }
    venueNumbers[venue] = rows.int(0, 0)
    return rows.int(0, 0)
  }

  /// See ``PositionStore/venues()``.
  package func venues() throws(StoreFault) -> [(number: Int64, id: VenueID, origin: Coordinate)] {
    let rows = try run("SELECT number, id, longitude, latitude FROM venue ORDER BY number")
    return rows.indices.compactMap { row in
      guard let id = VenueID(rows.text(row, 1)) else { return nil }
      return (rows.int(row, 0), id, Coordinate(longitude: rows.real(row, 2), latitude: rows.real(row, 3)))
    }
  }

  /// See ``PositionStore/space(_:)``.
  package func space(_ number: Int64) throws(StoreFault) -> SpaceID? {
    if let name = spaceNames[number] { return name }
    let rows = try run("SELECT id FROM space WHERE number = $1", [.int(number)])
    guard rows.count > 0 else { return nil }
    spaceNames[number] = SpaceID(rows.text(0, 0))
    return spaceNames[number]
  }

  func number(ofBundle hash: String, venue: Int64) throws(StoreFault) -> Int64 {
    let key = BundleKey(venue: venue, text: hash)
    if let number = bundles[key] { return number }
    let number = try number(
      "bundle", "SELECT number FROM bundle WHERE venue = $1 AND hash = $2", key: [.int(venue), .text(hash)],
      "INSERT INTO bundle (number, venue, hash) VALUES ($1, $2, $3)", values: [.int(venue), .text(hash)])
    bundles[key] = number
    return number
  }

  func number(ofSpace space: SpaceID, venue: Int64) throws(StoreFault) -> Int64 {
    let key = BundleKey(venue: venue, text: space.rawValue)
    if let number = spaces[key] { return number }
    let number = try number(
      "space", "SELECT number FROM space WHERE venue = $1 AND id = $2", key: [.int(venue), .text(space.rawValue)],
      "INSERT INTO space (number, venue, id) VALUES ($1, $2, $3)", values: [.int(venue), .text(space.rawValue)])
    spaces[key] = number
    return number
  }
}
