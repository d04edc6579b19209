import CordonContacts
import CordonCore
import CordonGeometry
import GRDB

/// Writes `run.sqlite`.
///
/// The file is built where nobody reads it yet, in one transaction without a journal: a failure
/// throws the file away, so there is nothing to roll back to.
struct RunDatabase {
  let contents: RunContents

  /// Creates the file, which must not exist.
  /// - Returns: the SHA-256 of its ordered logical dump; see ``LogicalDump``.
  func write(to path: String) throws -> String {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
      try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE; PRAGMA temp_store = MEMORY")
    }
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try RunSchema.migrator().migrate(queue)
    try queue.inTransaction(.immediate) { db in
      try writeParameters(db)
      try writeVenue(db)
      try writePeople(db)
      try writeTruth(db)
      try writeLocations(db)
      try writeContacts(db)
      try writeOccupancy(db)
      try writeSummary(db)
      try OutcomeTables(outcome: contents.outcome).write(db)
      return .commit
    }
    let hash = try queue.inDatabase { try LogicalDump.hash(of: $0) }
    try queue.close()
    return hash
  }

  private func writeParameters(_ db: Database) throws {
    let writer = try RowWriter(db, table: "parameters", columns: "name, value")
    let partial = RunParameters.Other("is_partial", .bool(contents.isPartial))
    for parameter in contents.parameters.storedRows + [partial] {
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

  private func writeVenue(_ db: Database) throws {
    let venue = contents.venue
    let venues = try RowWriter(db, table: "venue", columns: "id, name, format, content_sha256, time_zone")
    for (column, text) in [venue.id.rawValue, venue.name, venue.format, venue.contentHash].enumerated() {
      venues.bind(Int32(column + 1), text)
    }
    venues.bind(5, venue.timeZone)
    try venues.insert()

    let floors = try RowWriter(db, table: "floors", columns: "floor, id, ordinal, name, outline, walls, doors")
    for (index, floor) in venue.floors.enumerated() {
      floors.bind(1, Int64(index))
      floors.bind(2, floor.id.rawValue)
      floors.bind(3, floor.ordinal.value)
      floors.bind(4, floor.name)
      floors.bind(5, PlaneLines.json(floor.outline))
      floors.bind(6, PlaneLines.json(floor.walls))
      floors.bind(7, PlaneLines.json(floor.doors))
      try floors.insert()
    }

    let spaces = try RowWriter(db, table: "spaces", columns: "space, id, floor, kind, name, area_m2, outline")
    for (index, space) in venue.spaces.enumerated() {
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

  private func writePeople(_ db: Database) throws {
    let writer = try RowWriter(db, table: "people", columns: "person, device, population")
    for (index, person) in contents.people.enumerated() {
      writer.bind(1, Int64(index))
      writer.bind(2, person.device?.rawValue)
      writer.bind(3, person.population)
      try writer.insert()
    }
  }

  private func writeTruth(_ db: Database) throws {
    let writer = try RowWriter(
      db, table: "truth",
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

  private func writeLocations(_ db: Database) throws {
    let writer = try RowWriter(
      db, table: "locations",
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

  private func writeContacts(_ db: Database) throws {
    let writer = try RowWriter(
      db, table: "contacts",
      columns: """
        contact, source, first, second, ordinal, first_space, second_space, start_us, end_us, min_distance_m, \
        min_distance_us, x_tenth_mm, y_tenth_mm, wall_share
        """)
    var bound: RunSource?
    for (index, row) in contents.contacts.enumerated() {
      writer.bind(1, Int64(index))
      if bound != row.source {
        writer.bind(2, row.source.rawValue)
        bound = row.source
      }
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

  private func writeOccupancy(_ db: Database) throws {
    let writer = try RowWriter(
      db, table: "occupancy", columns: "row, source, ordinal, space, bin_start_ms, mean, peak")
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

  private func writeSummary(_ db: Database) throws {
    let accounting = try RowWriter(db, table: "accounting", columns: "outcome, detail, count")
    for row in contents.summary.accounting.storedRows {
      accounting.bind(1, row.outcome)
      accounting.bind(2, row.detail)
      accounting.bind(3, Int64(row.count))
      try accounting.insert()
    }
    let figures = try RowWriter(db, table: "figures", columns: "name, value")
    for figure in contents.summary.storedFigures + contents.outcome.figures.map({ ($0.name, $0.value) }) {
      figures.bind(1, figure.name)
      figures.bind(2, figure.value)
      try figures.insert()
    }
    let classes = try RowWriter(
      db, table: "agreement",
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
}
