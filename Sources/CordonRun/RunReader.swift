package import CordonContacts
import CordonCore
import CordonGeometry
import CordonSupport
import Foundation
import GRDB

/// A reader of a run, from its folder or from `run.sqlite` alone. It never changes the file.
///
///     let run = try RunReader(path: "out/monday")
///     let segments = try run.truth()
///
/// A file of an older version is migrated in a copy in memory.
///
/// The methods throw ``RunFolderError`` with the code `damaged` if the file contains invalid data.
package struct RunReader: Sendable {
  /// The path, as given.
  package let path: String
  private let queue: DatabaseQueue
  /// The maximum number of planned people between two who came in; a damaged file must not fill the memory.
  private static let longestGap = 1_000_000

  /// Opens a run folder or a `run.sqlite`.
  ///
  /// - Throws: ``RunFolderError`` if there is no run, or if a newer version of Cordon wrote it.
  package init(path: String) throws {
    try self.init(path: path, migrator: RunSchema.migrator(), version: RunSchema.currentVersion)
  }

  init(path: String, migrator: DatabaseMigrator, version: Int32) throws {
    self.path = path
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw RunFolderError(.notFound, path: path, message: "no such file or folder")
    }
    let file = isFolder.boolValue ? path + "/run.sqlite" : path
    guard FileManager.default.fileExists(atPath: file) else {
      throw RunFolderError(.notARun, path: path, message: "holds no run.sqlite")
    }
    do {
      var configuration = Configuration()
      configuration.readonly = true
      let stored = try DatabaseQueue(path: file, configuration: configuration)
      let (application, found) = try stored.read { db in
        (try Int32.fetchOne(db, sql: "PRAGMA application_id"), try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0)
      }
      guard application == RunSchema.applicationID, found > 0 else {
        throw RunFolderError(.notARun, path: file, message: "is not a run of Cordon")
      }
      guard found <= version else {
        throw RunFolderError(
          .tooNew, path: file, message: "has version \(found) of the run's tables; this Cordon reads up to \(version)")
      }
      if found == version {
        queue = stored
      } else {
        let copy = try DatabaseQueue()
        try stored.backup(to: copy)
        try migrator.migrate(copy)
        queue = copy
      }
    } catch let error as DatabaseError {
      throw RunReader.translated(error, path: file)
    }
  }

  /// Returns the SHA-256 of the ordered logical dump, the `content_sha256` of the manifest.
  package func contentHash() throws -> String {
    try read { try LogicalDump.hash(of: $0) }
  }

  /// Returns whether the run was interrupted, so that it contains only its first part.
  package func isPartial() throws -> Bool {
    try read { try Bool.fetchOne($0, sql: "SELECT value FROM parameters WHERE name = 'is_partial'") ?? false }
  }

  /// Returns the settings of the run.
  package func parameters() throws -> RunParameters {
    let rows = try read { try Row.fetchAll($0, sql: "SELECT name, value FROM parameters") }
    var values: [String: DatabaseValue] = [:]
    for row in rows { values[row[0]] = row[1] }
    func value<T: DatabaseValueConvertible>(_ name: String, as type: T.Type = T.self) throws(RunFolderError) -> T {
      guard let value = values[name].flatMap({ T.fromDatabaseValue($0) }) else {
        throw damaged("parameters: \(name)")
      }
      return value
    }
    let command = try JSONSerialization.jsonObject(with: Data(try value("command", as: String.self).utf8))
    guard let words = command as? [String], let seed = UInt64(try value("seed", as: String.self)) else {
      throw damaged("parameters")
    }
    let others = values.filter { !RunParameters.reservedNames.contains($0.key) }.sorted { $0.key < $1.key }
    return RunParameters(
      command: words, version: try value("version"), seed: seed,
      start: Instant(milliseconds: try value("start_ms")), duration: TimeSpan(milliseconds: try value("duration_ms")),
      frameOrigin: Coordinate(longitude: try value("frame_longitude"), latitude: try value("frame_latitude")),
      contactDistance: try value("contact_distance_m"), maximumGap: TimeSpan(milliseconds: try value("maximum_gap_ms")),
      warningThreshold: TimeSpan(milliseconds: try value("warning_threshold_ms")),
      occupancyBin: TimeSpan(milliseconds: try value("occupancy_bin_ms")),
      others: others.map { RunParameters.Other($0.key, RunReader.json($0.value)) })
  }

  /// Returns the venue of the run.
  package func venue() throws -> RunVenue {
    try read { db in
      guard let row = try Row.fetchOne(db, sql: "SELECT id, name, format, content_sha256, time_zone FROM venue"),
        let id = VenueID(row[0])
      else { throw damaged("venue") }
      let floors = try Row.fetchAll(
        db, sql: "SELECT id, ordinal, name, outline, walls, doors FROM floors ORDER BY floor")
      let spaces = try Row.fetchAll(db, sql: "SELECT id, floor, kind, name, outline FROM spaces ORDER BY space")
      let openings = try Row.fetchAll(
        db, sql: "SELECT id, name, ordinal, left_space, right_space, entrance FROM openings ORDER BY opening")
      var groups = try Row.fetchAll(db, sql: "SELECT name, capacity FROM groups ORDER BY group_number").map {
        RunGroup(name: $0[0], spaces: [], capacity: $0[1])
      }
      for row in try Row.fetchAll(db, sql: "SELECT group_number, space FROM group_spaces ORDER BY group_number, space")
      {
        let (group, space): (Int, Int) = (row[0], row[1])
        guard groups.indices.contains(group), spaces.indices.contains(space) else { throw damaged("group_spaces") }
        groups[group].spaces.append(Int32(space))
      }
      return RunVenue(
        id: id, name: row[1], format: row[2], contentHash: row[3], timeZone: row[4],
        floors: try floors.map { row in
          guard let ordinal = FloorOrdinal(row[1] as Double), let outline = PlaneLines.lines(row[3]),
            let walls = PlaneLines.lines(row[4]), let doors = PlaneLines.lines(row[5])
          else { throw damaged("floors") }
          return RunFloor(
            id: FloorID(row[0]), ordinal: ordinal, name: row[2], outline: outline, walls: walls, doors: doors)
        },
        spaces: try spaces.map { row in
          guard let rings = PlaneLines.lines(row[4]), floors.indices.contains(row[1]) else { throw damaged("spaces") }
          return RunSpace(id: SpaceID(row[0]), floor: row[1], kind: row[2], name: row[3], rings: rings)
        },
        openings: try openings.map { row in
          guard let ordinal = FloorOrdinal(row[2] as Double) else { throw damaged("openings") }
          return RunOpening(
            id: row[0], name: row[1], ordinal: ordinal, left: row[3] ?? ObservedLocation.noSpace,
            right: row[4] ?? ObservedLocation.noSpace, entrance: row[5])
        }, groups: groups)
    }
  }

  /// Returns the participants, by number. Numbers without a row belong to planned people who never came in.
  package func people() throws -> [RunPerson] {
    try read { db in
      var people: [RunPerson] = []
      let columns = "person, device, population, arrival_ms, departure_ms, inside_ms"
      for row in try Row.fetchAll(db, sql: "SELECT \(columns) FROM people ORDER BY person") {
        let number: Int = row[0]
        guard (people.count...people.count + RunReader.longestGap).contains(number) else { throw damaged("people") }
        people += Array(repeating: RunPerson(device: nil, cameIn: false), count: number - people.count)
        people.append(
          RunPerson(
            device: (row[1] as String?).flatMap { DeviceID($0) }, population: row[2],
            arrival: (row[3] as Int64?).map(Instant.init(milliseconds:)),
            departure: (row[4] as Int64?).map(Instant.init(milliseconds:)),
            timeInside: (row[5] as Int64?).map(TimeSpan.init(milliseconds:))))
      }
      return people
    }
  }

  /// Returns the true movement by person and time; `device` is the number of the person.
  package func truth() throws -> [Segment] {
    try rows(RunReader.truthQuery + " ORDER BY segment", table: "truth", element: RunReader.segment)
  }

  /// Calls `body` with each segment of ``truth()`` in the order of their starts, until it returns false. The segments
  /// are not all in memory at once.
  package func forEachTrueSegment(_ body: (Segment) throws -> Bool) throws {
    try forEachRow(RunReader.truthQuery + " ORDER BY start_ms, segment") { try body(RunReader.segment($0)) }
  }

  private static let truthQuery = """
    SELECT person, ordinal, start_ms, end_ms, x0_tenth_mm, y0_tenth_mm, x1_tenth_mm, y1_tenth_mm FROM truth
    """

  private static func segment(_ row: Row) -> Segment {
    Segment(
      device: row[0], floor: FloorNumber.thousandths(row[1]), start: row[2], end: row[3],
      x0: TenthMillimetres.metres(row[4]), y0: TenthMillimetres.metres(row[5]),
      x1: TenthMillimetres.metres(row[6]), y1: TenthMillimetres.metres(row[7]))
  }

  /// Returns the locations that the sink received, by person and time.
  package func locations() throws -> [ObservedLocation] {
    try rows(RunReader.locationQuery, table: "locations", element: location)
  }

  /// Calls `body` with each of ``locations()`` until it returns false. The locations are not all in memory at once.
  package func forEachLocation(_ body: (ObservedLocation) throws -> Bool) throws {
    try forEachRow(RunReader.locationQuery) { try body(location($0)) }
  }

  private static let locationQuery = """
    SELECT fix, person, time_ms, longitude, latitude, accuracy_m, ordinal, still_until_ms, space
    FROM locations ORDER BY location
    """

  private func location(_ row: Row) throws -> ObservedLocation {
    let bytes: Data = row[0]
    guard bytes.count == 16 else { throw damaged("locations") }
    let time: Int64 = row[2]
    return ObservedLocation(
      fix: FixID(high: RunReader.word(bytes.prefix(8)), low: RunReader.word(bytes.dropFirst(8))),
      person: row[1], time: time, coordinate: Coordinate(longitude: row[3], latitude: row[4]), accuracy: row[5],
      floor: FloorNumber.thousandths(row[6]), stillUntil: row[7] ?? time, space: row[8] ?? ObservedLocation.noSpace)
  }

  /// Returns contacts by source and time.
  ///
  /// - Parameter source: one source, or `nil` for both.
  package func contacts(_ source: RunSource? = nil) throws -> [RunContact] {
    let sql = """
      SELECT source, first, second, ordinal, first_space, second_space, start_us, end_us, min_distance_m,
        min_distance_us, x_tenth_mm, y_tenth_mm, wall_share
      FROM contacts WHERE source = coalesce(?, source) ORDER BY contact
      """
    return try rows(sql, [source?.rawValue], table: "contacts") { row in
      guard let source = RunSource(rawValue: row[0]) else { throw damaged("contacts") }
      return RunContact(
        source: source,
        contact: Contact(
          first: row[1], second: row[2], floor: FloorNumber.thousandths(row[3]), start: row[6], end: row[7],
          minimumDistance: row[8], minimumDistanceTime: row[9], x: TenthMillimetres.metres(row[10]),
          y: TenthMillimetres.metres(row[11])),
        firstSpace: row[4] ?? ObservedLocation.noSpace, secondSpace: row[5] ?? ObservedLocation.noSpace,
        wallShare: row[12])
    }
  }

  /// Returns the occupancy by source, floor, space and time.
  package func occupancy() throws -> [RunOccupancy] {
    let sql = "SELECT source, ordinal, space, bin_start_ms, mean, peak FROM occupancy ORDER BY row"
    return try rows(sql, table: "occupancy") { row in
      guard let source = RunSource(rawValue: row[0]) else { throw damaged("occupancy") }
      return RunOccupancy(
        source: source, floor: FloorNumber.thousandths(row[1]), space: row[2] ?? ObservedLocation.noSpace,
        binStart: row[3], mean: row[4], peak: row[5])
    }
  }

  /// Returns the main figures of the run.
  package func summary() throws -> RunSummary {
    try read { db in
      var figures: [String: Double] = [:]
      for row in try Row.fetchAll(db, sql: "SELECT name, value FROM figures WHERE value IS NOT NULL") {
        figures[row[0]] = row[1]
      }
      let whole: (String) -> Int? = { name in figures[name].map { Int($0) } }
      guard let people = whole("people"), let devices = whole("devices"), let trueContacts = whole("true_contacts"),
        let observedContacts = whole("observed_contacts")
      else { throw damaged("figures") }
      return RunSummary(
        people: people, planned: whole("planned_people"), devices: devices, accounting: try accounting(db),
        delivery: RunDelivery(
          requests: whole("requests"), failedRequests: whole("failed_requests"), bytesSent: whole("bytes_sent"),
          rowsReceived: whole("rows_received"), duplicateRows: whole("duplicate_rows"),
          medianDelaySeconds: figures["median_delay_s"], p95DelaySeconds: figures["p95_delay_s"]),
        trueContacts: trueContacts, observedContacts: observedContacts, agreement: try agreement(db, figures))
    }
  }

  private func accounting(_ db: Database) throws -> RunAccounting {
    var accounting = RunAccounting(fixes: 0, stored: 0, acknowledged: 0)
    for row in try Row.fetchAll(db, sql: "SELECT outcome, detail, count FROM accounting") {
      let count: Int = row[2]
      switch row[0] as String {
      case "fixes": accounting.fixes = count
      case "thinned": accounting.thinned = count
      case "stored": accounting.stored = count
      case "acknowledged": accounting.acknowledged = count
      case "on_phone": accounting.onPhone = count
      case "quarantined": accounting.quarantined = count
      case "erased": accounting.erased = count
      case "refused": accounting.refused[row[1]] = count
      case "expired": accounting.expired[row[1]] = count
      default: throw damaged("accounting")
      }
    }
    return accounting
  }

  private func agreement(_ db: Database, _ figures: [String: Double]) throws -> RunAgreement? {
    guard let trueSeconds = figures["true_s"], let observedSeconds = figures["observed_s"],
      let commonSeconds = figures["common_s"], let truePairs = figures["true_pairs"],
      let observedPairs = figures["observed_pairs"], let commonPairs = figures["common_pairs"]
    else { return nil }
    let classes = try Row.fetchAll(
      db,
      sql: """
        SELECT lower_s, upper_s, true_pairs, true_s, found_s, observed_pairs, observed_s, correct_s
        FROM agreement ORDER BY class
        """)
    return RunAgreement(
      trueSeconds: trueSeconds, observedSeconds: observedSeconds, commonSeconds: commonSeconds,
      truePairs: Int(truePairs), observedPairs: Int(observedPairs), commonPairs: Int(commonPairs),
      classes: classes.map { row in
        RunAgreement.DurationClass(
          lower: row[0], upper: row[1] ?? .infinity, truePairs: row[2], trueSeconds: row[3], foundSeconds: row[4],
          observedPairs: row[5], observedSeconds: row[6], correctSeconds: row[7])
      })
  }

  private func rows<Element>(
    _ sql: String, _ arguments: StatementArguments = [], table: String, element: (Row) throws -> Element
  ) throws -> [Element] {
    try read { db in
      var elements: [Element] = []
      elements.reserveCapacity(try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0)
      let cursor = try Row.fetchCursor(db, sql: sql, arguments: arguments)
      while let row = try cursor.next() { elements.append(try element(row)) }
      return elements
    }
  }

  private func forEachRow(_ sql: String, _ body: (Row) throws -> Bool) throws {
    try read { db in
      let cursor = try Row.fetchCursor(db, sql: sql)
      while let row = try cursor.next(), try body(row) {}
    }
  }

  private func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    do {
      return try queue.read(body)
    } catch let error as DatabaseError {
      throw RunReader.translated(error, path: path)
    }
  }

  private func damaged(_ place: String) -> RunFolderError {
    RunFolderError(.damaged, path: path, place: place, message: "holds a value that cannot be")
  }

  private static func translated(_ error: DatabaseError, path: String) -> RunFolderError {
    error.resultCode == .SQLITE_NOTADB
      ? RunFolderError(.notARun, path: path, message: "is not an SQLite file")
      : RunFolderError(.damaged, path: path, message: error.message ?? "cannot be read")
  }

  private static func json(_ value: DatabaseValue) -> JSONValue {
    switch value.storage {
    case .null: .null
    case .int64(let value): .integer(value)
    case .double(let value): .number(value)
    case .string(let value): .string(value)
    case .blob(let value): .string(value.base64EncodedString())
    }
  }

  private static func word(_ bytes: Data) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
