import CordonContacts
import CordonCore
import CordonGeometry
import CordonSupport

/// A target of table rows: a database, or the hash of a database.
protocol TableSink {
  associatedtype Rows: RowSink

  /// Returns a sink for the rows of a table, which follow in the order of their keys.
  ///
  /// - Parameters:
  ///   - table: the name of the table.
  ///   - columns: the columns in the order of the schema; they are bound in this order, from 1.
  func rows(of table: String, columns: String) throws -> Rows

  /// The names of the versions of the tables; `nil` if the target stores them itself.
  var migrations: [String]? { get }
}

/// A target of the rows of one table. Each column of a row is bound once and in order.
protocol RowSink {
  func bind(_ column: Int32, _ value: Int64)
  func bind(_ column: Int32, _ value: Double)
  func bind(_ column: Int32, _ text: String)
  /// Binds sixteen bytes, the most significant first.
  func bind(_ column: Int32, high: UInt64, low: UInt64)
  func bindNull(_ column: Int32)
  /// Writes the bound row.
  func insert() throws
}

extension RowSink {
  func bind(_ column: Int32, _ value: Int64?) {
    if let value { bind(column, value) } else { bindNull(column) }
  }

  func bind(_ column: Int32, _ value: Double?) {
    if let value { bind(column, value) } else { bindNull(column) }
  }

  func bind(_ column: Int32, _ text: String?) {
    if let text { bind(column, text) } else { bindNull(column) }
  }
}

/// The rows of a run for its database and for the hash of it.
///
/// Tables are in the order of their names, rows in the order of their keys.
struct RunTables {
  let contents: RunContents

  /// Writes every row to the sink.
  func write<Sink: TableSink>(to sink: Sink) throws {
    let outcome = OutcomeTables(outcome: contents.outcome)
    let groups = GroupTables(venue: contents.venue, outcome: contents.outcome)
    try writeAccounting(sink)
    try writeAgreement(sink)
    try AirTables(air: contents.air).write(to: sink)
    try writeContacts(sink)
    try outcome.writeDistributions(sink)
    try outcome.writeEnsemble(sink)
    try writeFigures(sink)
    try writeFloors(sink)
    try outcome.writeFlows(sink)
    try writeMigrations(sink)
    try groups.writeGroups(sink)
    try writeLocations(sink)
    try writeOccupancy(sink)
    try writeOpenings(sink)
    try writeParameters(sink)
    try writePeople(sink)
    try outcome.writePlaces(sink)
    try outcome.writeQueues(sink)
    try groups.writeReplicaFigures(sink)
    try writeSpaces(sink)
    try outcome.writeThresholds(sink)
    try writeTruth(sink)
    try writeVenue(sink)
  }

  private func writeParameters<Sink: TableSink>(_ sink: Sink) throws {
    let writer = try sink.rows(of: "parameters", columns: "name, value")
    let partial = RunParameters.Other("is_partial", .bool(contents.isPartial))
    let rows = (contents.parameters.storedRows + [partial]).sorted { RunTables.precedes($0.name, $1.name) }
    for parameter in rows {
      writer.bind(1, parameter.name)
      switch parameter.value {
      case .null: writer.bindNull(2)
      case .bool(let value): writer.bind(2, Int64(value ? 1 : 0))
      case .integer(let value): writer.bind(2, value)
      case .number(let value): writer.bind(2, value)
      case .string(let value): writer.bind(2, value)
      case .array, .object: writer.bind(2, parameter.value.text())
      }
      try writer.insert()
    }
  }

  private func writeVenue<Sink: TableSink>(_ sink: Sink) throws {
    let venue = contents.venue
    let venues = try sink.rows(of: "venue", columns: "id, name, format, content_sha256, time_zone")
    for (column, text) in [venue.id.rawValue, venue.name, venue.format, venue.contentHash].enumerated() {
      venues.bind(Int32(column + 1), text)
    }
    venues.bind(5, venue.timeZone)
    try venues.insert()
  }

  private func writeFloors<Sink: TableSink>(_ sink: Sink) throws {
    let floors = try sink.rows(of: "floors", columns: "floor, id, ordinal, name, outline, walls, doors")
    for (index, floor) in contents.venue.floors.enumerated() {
      floors.bind(1, Int64(index))
      floors.bind(2, floor.id.rawValue)
      floors.bind(3, floor.ordinal.value)
      floors.bind(4, floor.name)
      floors.bind(5, PlaneLines.json(floor.outline))
      floors.bind(6, PlaneLines.json(floor.walls))
      floors.bind(7, PlaneLines.json(floor.doors))
      try floors.insert()
    }
  }

  private func writeSpaces<Sink: TableSink>(_ sink: Sink) throws {
    let spaces = try sink.rows(of: "spaces", columns: "space, id, floor, kind, name, area_m2, outline")
    for (index, space) in contents.venue.spaces.enumerated() {
      spaces.bind(1, Int64(index))
      spaces.bind(2, space.id.rawValue)
      spaces.bind(3, Int64(space.floor))
      spaces.bind(4, space.kind)
      spaces.bind(5, space.name)
      spaces.bind(6, (space.area * 100).rounded() / 100)
      spaces.bind(7, PlaneLines.json(space.rings))
      try spaces.insert()
    }
  }

  private func writeOpenings<Sink: TableSink>(_ sink: Sink) throws {
    let openings = try sink.rows(
      of: "openings", columns: "opening, id, name, ordinal, left_space, right_space, entrance")
    for (index, opening) in contents.venue.openings.enumerated() {
      openings.bind(1, Int64(index))
      openings.bind(2, opening.id)
      openings.bind(3, opening.name)
      openings.bind(4, opening.ordinal.value)
      openings.bind(5, SpaceNumber.stored(opening.left))
      openings.bind(6, SpaceNumber.stored(opening.right))
      openings.bind(7, opening.entrance.map(Int64.init))
      try openings.insert()
    }
  }

  private func writePeople<Sink: TableSink>(_ sink: Sink) throws {
    let writer = try sink.rows(of: "people", columns: "person, device, population, arrival_ms, departure_ms, inside_ms")
    for (index, person) in contents.people.enumerated() where person.cameIn {
      writer.bind(1, Int64(index))
      writer.bind(2, person.device?.rawValue)
      writer.bind(3, person.population)
      writer.bind(4, person.arrival?.milliseconds)
      writer.bind(5, person.departure?.milliseconds)
      writer.bind(6, person.timeInside?.milliseconds)
      try writer.insert()
    }
  }

  private func writeTruth<Sink: TableSink>(_ sink: Sink) throws {
    let writer = try sink.rows(
      of: "truth",
      columns: "segment, person, ordinal, start_ms, end_ms, x0_tenth_mm, y0_tenth_mm, x1_tenth_mm, y1_tenth_mm")
    for (index, segment) in contents.truth.enumerated() {
      writer.bind(1, Int64(index))
      writer.bind(2, Int64(segment.device))
      writer.bind(3, FloorNumber.ordinal(segment.floor))
      writer.bind(4, segment.start)
      writer.bind(5, segment.end)
      writer.bind(6, TenthMillimetres.of(segment.x0))
      writer.bind(7, TenthMillimetres.of(segment.y0))
      writer.bind(8, TenthMillimetres.of(segment.x1))
      writer.bind(9, TenthMillimetres.of(segment.y1))
      try writer.insert()
    }
  }

  private func writeLocations<Sink: TableSink>(_ sink: Sink) throws {
    let writer = try sink.rows(
      of: "locations",
      columns: "location, fix, person, time_ms, longitude, latitude, accuracy_m, ordinal, still_until_ms, space")
    for (index, location) in contents.locations.enumerated() {
      writer.bind(1, Int64(index))
      writer.bind(2, high: location.fix.high, low: location.fix.low)
      writer.bind(3, Int64(location.person))
      writer.bind(4, location.time)
      writer.bind(5, location.coordinate.longitude)
      writer.bind(6, location.coordinate.latitude)
      writer.bind(7, location.accuracy)
      writer.bind(8, FloorNumber.ordinal(location.floor))
      writer.bind(9, location.stillUntil > location.time ? location.stillUntil : nil)
      writer.bind(10, SpaceNumber.stored(location.space))
      try writer.insert()
    }
  }

  private func writeContacts<Sink: TableSink>(_ sink: Sink) throws {
    let writer = try sink.rows(
      of: "contacts",
      columns: """
        contact, source, first, second, ordinal, first_space, second_space, start_us, end_us, min_distance_m, \
        min_distance_us, x_tenth_mm, y_tenth_mm, wall_share
        """)
    for (index, row) in contents.contacts.enumerated() {
      writer.bind(1, Int64(index))
      writer.bind(2, row.source.rawValue)
      writer.bind(3, Int64(row.contact.first))
      writer.bind(4, Int64(row.contact.second))
      writer.bind(5, FloorNumber.ordinal(row.contact.floor))
      writer.bind(6, SpaceNumber.stored(row.firstSpace))
      writer.bind(7, SpaceNumber.stored(row.secondSpace))
      writer.bind(8, row.contact.start)
      writer.bind(9, row.contact.end)
      writer.bind(10, row.contact.minimumDistance)
      writer.bind(11, row.contact.minimumDistanceTime)
      writer.bind(12, TenthMillimetres.of(row.contact.x))
      writer.bind(13, TenthMillimetres.of(row.contact.y))
      writer.bind(14, row.wallShare)
      try writer.insert()
    }
  }

  private func writeOccupancy<Sink: TableSink>(_ sink: Sink) throws {
    let writer = try sink.rows(of: "occupancy", columns: "row, source, ordinal, space, bin_start_ms, mean, peak")
    for (index, row) in contents.occupancy.enumerated() {
      writer.bind(1, Int64(index))
      writer.bind(2, row.source.rawValue)
      writer.bind(3, FloorNumber.ordinal(row.floor))
      writer.bind(4, SpaceNumber.stored(row.space))
      writer.bind(5, row.binStart)
      writer.bind(6, row.mean)
      writer.bind(7, Int64(row.peak))
      try writer.insert()
    }
  }

  /// Writes the rows that a database's migrator would write.
  private func writeMigrations<Sink: TableSink>(_ sink: Sink) throws {
    guard let names = sink.migrations else { return }
    let writer = try sink.rows(of: "grdb_migrations", columns: "identifier")
    for name in names {
      writer.bind(1, name)
      try writer.insert()
    }
  }

  private func writeAccounting<Sink: TableSink>(_ sink: Sink) throws {
    let accounting = try sink.rows(of: "accounting", columns: "outcome, detail, count")
    let rows = contents.summary.accounting.storedRows.sorted {
      $0.outcome == $1.outcome
        ? RunTables.precedes($0.detail, $1.detail) : RunTables.precedes($0.outcome, $1.outcome)
    }
    for row in rows {
      accounting.bind(1, row.outcome)
      accounting.bind(2, row.detail)
      accounting.bind(3, Int64(row.count))
      try accounting.insert()
    }
  }

  private func writeFigures<Sink: TableSink>(_ sink: Sink) throws {
    let figures = try sink.rows(of: "figures", columns: "name, value")
    let rows = contents.summary.storedFigures + contents.outcome.figures.map { ($0.name, $0.value) }
    for figure in rows.sorted(by: { RunTables.precedes($0.name, $1.name) }) {
      figures.bind(1, figure.name)
      figures.bind(2, figure.value)
      try figures.insert()
    }
  }

  private func writeAgreement<Sink: TableSink>(_ sink: Sink) throws {
    let classes = try sink.rows(
      of: "agreement",
      columns: "class, lower_s, upper_s, true_pairs, true_s, found_s, observed_pairs, observed_s, correct_s")
    for (index, row) in (contents.summary.agreement?.classes ?? []).enumerated() {
      classes.bind(1, Int64(index))
      classes.bind(2, row.lower)
      classes.bind(3, row.upper.isFinite ? row.upper : nil)
      classes.bind(4, Int64(row.truePairs))
      classes.bind(5, row.trueSeconds)
      classes.bind(6, row.foundSeconds)
      classes.bind(7, Int64(row.observedPairs))
      classes.bind(8, row.observedSeconds)
      classes.bind(9, row.correctSeconds)
      try classes.insert()
    }
  }

  /// Checks whether a text key precedes another in the order of their bytes.
  private static func precedes(_ lhs: String, _ rhs: String) -> Bool {
    lhs.utf8.lexicographicallyPrecedes(rhs.utf8)
  }
}
