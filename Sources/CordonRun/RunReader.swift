package import CordonContacts
import CordonCore
import CordonGeometry
import CordonSQLite
import CordonSupport
import Foundation

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
  private let connection: RunConnection
  /// The maximum number of planned people between two who came in; a damaged file must not fill the memory.
  private static let longestGap = 1_000_000

  /// Opens a run folder or a `run.sqlite`.
  ///
  /// - Throws: ``RunFolderError`` if there is no run, or if a newer version of Cordon wrote it.
  package init(path: String) throws {
    try self.init(path: path, migrations: RunSchema.migrations, version: RunSchema.currentVersion)
  }

  init(path: String, migrations: Migrations, version: Int32) throws {
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
      let stored = try Connection(path: file, mode: .readOnly, timeout: 0)
      let application = try stored.value("PRAGMA application_id", as: Int32.self)
      let found = try stored.value("PRAGMA user_version", as: Int32.self) ?? 0
      guard application == RunSchema.applicationID, found > 0 else {
        throw RunFolderError(.notARun, path: file, message: "is not a run of Cordon")
      }
      guard found <= version else {
        throw RunFolderError(
          .tooNew, path: file, message: "has version \(found) of the run's tables; this Cordon reads up to \(version)")
      }
      if found == version {
        connection = RunConnection(stored)
      } else {
        let copy = try Connection(path: ":memory:", mode: .create, timeout: 0)
        try stored.copy(into: copy)
        try migrations.apply(to: copy)
        connection = RunConnection(copy)
      }
    } catch let error as SQLiteFault {
      throw RunReader.translated(error, path: file)
    } catch is DamagedValue {
      throw RunFolderError(.damaged, path: file, place: "header", message: "holds a value that cannot be")
    }
  }

  /// Returns the SHA-256 of the ordered logical dump, the `content_sha256` of the manifest.
  package func contentHash() throws -> String {
    try read { try LogicalDump.hash(of: $0) }
  }

  /// Returns whether the run was interrupted, so that it contains only its first part.
  package func isPartial() throws -> Bool {
    try read { try $0.value("SELECT value FROM parameters WHERE name = 'is_partial'") ?? false }
  }

  /// Returns the settings of the run.
  package func parameters() throws -> RunParameters {
    var values: [String: JSONValue] = [:]
    try read { database in
      try database.forEachRow("SELECT name, value FROM parameters") { row in
        values[try row[0]] = RunReader.json(row.statement, column: 1)
        return true
      }
    }
    func text(_ name: String) throws(RunFolderError) -> String {
      guard case .string(let text)? = values[name] else { throw damaged("parameters: \(name)") }
      return text
    }
    func number(_ name: String) throws(RunFolderError) -> Double {
      switch values[name] {
      case .number(let number): return number
      case .integer(let number): return Double(number)
      default: throw damaged("parameters: \(name)")
      }
    }
    func whole(_ name: String) throws(RunFolderError) -> Int64 {
      guard case .integer(let number)? = values[name] else { throw damaged("parameters: \(name)") }
      return number
    }
    let command = try JSONSerialization.jsonObject(with: Data(try text("command").utf8))
    guard let words = command as? [String], let seed = UInt64(try text("seed")) else {
      throw damaged("parameters")
    }
    let others = values.filter { !RunParameters.reservedNames.contains($0.key) }.sorted { $0.key < $1.key }
    return RunParameters(
      command: words, version: try text("version"), seed: seed,
      start: Instant(milliseconds: try whole("start_ms")), duration: TimeSpan(milliseconds: try whole("duration_ms")),
      frameOrigin: Coordinate(longitude: try number("frame_longitude"), latitude: try number("frame_latitude")),
      contactDistance: try number("contact_distance_m"),
      maximumGap: TimeSpan(milliseconds: try whole("maximum_gap_ms")),
      warningThreshold: TimeSpan(milliseconds: try whole("warning_threshold_ms")),
      occupancyBin: TimeSpan(milliseconds: try whole("occupancy_bin_ms")),
      others: others.map { RunParameters.Other($0.key, $0.value) })
  }

  /// Returns the venue of the run.
  package func venue() throws -> RunVenue {
    try read { database in
      let floors = try database.rows(
        "SELECT id, ordinal, name, outline, walls, doors FROM floors ORDER BY floor"
      ) { row in
        guard let ordinal = FloorOrdinal(try row[1] as Double), let outline = PlaneLines.lines(try row[3]),
          let walls = PlaneLines.lines(try row[4]), let doors = PlaneLines.lines(try row[5])
        else { throw damaged("floors") }
        return RunFloor(
          id: FloorID(try row[0]), ordinal: ordinal, name: try row[2], outline: outline, walls: walls, doors: doors)
      }
      let spaces = try database.rows("SELECT id, floor, kind, name, outline FROM spaces ORDER BY space") { row in
        guard let rings = PlaneLines.lines(try row[4]), floors.indices.contains(try row[1]) else {
          throw damaged("spaces")
        }
        return RunSpace(id: SpaceID(try row[0]), floor: try row[1], kind: try row[2], name: try row[3], rings: rings)
      }
      let openings = try database.rows(
        "SELECT id, name, ordinal, left_space, right_space, entrance FROM openings ORDER BY opening"
      ) { row in
        guard let ordinal = FloorOrdinal(try row[2] as Double) else { throw damaged("openings") }
        return RunOpening(
          id: try row[0], name: try row[1], ordinal: ordinal, left: try row[3] ?? ObservedLocation.noSpace,
          right: try row[4] ?? ObservedLocation.noSpace, entrance: try row[5])
      }
      var groups = try database.rows("SELECT name, capacity FROM groups ORDER BY group_number") { row in
        RunGroup(name: try row[0], spaces: [], capacity: try row[1])
      }
      try database.forEachRow("SELECT group_number, space FROM group_spaces ORDER BY group_number, space") { row in
        let (group, space): (Int, Int) = (try row[0], try row[1])
        guard groups.indices.contains(group), spaces.indices.contains(space) else { throw damaged("group_spaces") }
        groups[group].spaces.append(Int32(space))
        return true
      }
      let venues = try database.rows("SELECT id, name, format, content_sha256, time_zone FROM venue") { row in
        guard let id = VenueID(try row[0]) else { throw damaged("venue") }
        return RunVenue(
          id: id, name: try row[1], format: try row[2], contentHash: try row[3], timeZone: try row[4], floors: floors,
          spaces: spaces, openings: openings, groups: groups)
      }
      guard let venue = venues.first else { throw damaged("venue") }
      return venue
    }
  }

  /// Returns the participants, by number. Numbers without a row belong to planned people who never came in.
  package func people() throws -> [RunPerson] {
    var people: [RunPerson] = []
    let columns = "person, device, population, arrival_ms, departure_ms, inside_ms"
    try forEachRow("SELECT \(columns) FROM people ORDER BY person") { row in
      let number: Int = try row[0]
      guard (people.count...people.count + RunReader.longestGap).contains(number) else { throw damaged("people") }
      people += Array(repeating: RunPerson(device: nil, cameIn: false), count: number - people.count)
      people.append(
        RunPerson(
          device: (try row[1] as String?).flatMap { DeviceID($0) }, population: try row[2],
          arrival: (try row[3] as Int64?).map(Instant.init(milliseconds:)),
          departure: (try row[4] as Int64?).map(Instant.init(milliseconds:)),
          timeInside: (try row[5] as Int64?).map(TimeSpan.init(milliseconds:))))
      return true
    }
    return people
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

  private static func segment(_ row: QueryRow) throws -> Segment {
    Segment(
      device: try row[0], floor: FloorNumber.thousandths(try row[1]), start: try row[2], end: try row[3],
      x0: TenthMillimetres.metres(try row[4]), y0: TenthMillimetres.metres(try row[5]),
      x1: TenthMillimetres.metres(try row[6]), y1: TenthMillimetres.metres(try row[7]))
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

  private func location(_ row: QueryRow) throws -> ObservedLocation {
    let bytes: [UInt8] = try row[0]
    guard bytes.count == 16 else { throw damaged("locations") }
    let time: Int64 = try row[2]
    return ObservedLocation(
      fix: FixID(high: RunReader.word(bytes.prefix(8)), low: RunReader.word(bytes.dropFirst(8))),
      person: try row[1], time: time, coordinate: Coordinate(longitude: try row[3], latitude: try row[4]),
      accuracy: try row[5],
      floor: FloorNumber.thousandths(try row[6]), stillUntil: try row[7] ?? time,
      space: try row[8] ?? ObservedLocation.noSpace)
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
    return try rows(sql, source?.rawValue, table: "contacts") { row in
      guard let source = RunSource(rawValue: try row[0]) else { throw damaged("contacts") }
      return RunContact(
        source: source,
        contact: Contact(
          first: try row[1], second: try row[2], floor: FloorNumber.thousandths(try row[3]), start: try row[6],
          end: try row[7],
          minimumDistance: try row[8], minimumDistanceTime: try row[9], x: TenthMillimetres.metres(try row[10]),
          y: TenthMillimetres.metres(try row[11])),
        firstSpace: try row[4] ?? ObservedLocation.noSpace, secondSpace: try row[5] ?? ObservedLocation.noSpace,
        wallShare: try row[12])
    }
  }

  /// Returns the occupancy by source, floor, space and time.
  package func occupancy() throws -> [RunOccupancy] {
    let sql = "SELECT source, ordinal, space, bin_start_ms, mean, peak FROM occupancy ORDER BY row"
    return try rows(sql, table: "occupancy") { row in
      guard let source = RunSource(rawValue: try row[0]) else { throw damaged("occupancy") }
      return RunOccupancy(
        source: source, floor: FloorNumber.thousandths(try row[1]), space: try row[2] ?? ObservedLocation.noSpace,
        binStart: try row[3], mean: try row[4], peak: try row[5])
    }
  }

  /// Returns the main figures of the run.
  package func summary() throws -> RunSummary {
    try read { db in
      var figures: [String: Double] = [:]
      try db.forEachRow("SELECT name, value FROM figures WHERE value IS NOT NULL") { row in
        figures[try row[0]] = try row[1]
        return true
      }
      let whole: (String) -> Int? = { name in figures[name].flatMap { Int(exactly: $0.rounded()) } }
      guard let people = whole("people"), let devices = whole("devices"), let trueContacts = whole("true_contacts"),
        let observedContacts = whole("observed_contacts")
      else { throw damaged("figures") }
      var delivery = RunDelivery(
        requests: whole("requests"), failedRequests: whole("failed_requests"), bytesSent: whole("bytes_sent"),
        rowsReceived: whole("rows_received"), duplicateRows: whole("duplicate_rows"),
        medianDelaySeconds: figures["median_delay_s"], p95DelaySeconds: figures["p95_delay_s"])
      delivery.notices = whole("notices")
      delivery.noticesReceived = whole("notices_received")
      delivery.medianNoticeSeconds = figures["median_notice_s"]
      delivery.p95NoticeSeconds = figures["p95_notice_s"]
      return RunSummary(
        people: people, planned: whole("planned_people"), devices: devices, accounting: try accounting(db),
        delivery: delivery,
        trueContacts: trueContacts, observedContacts: observedContacts, agreement: try agreement(db, figures))
    }
  }

  private func accounting(_ db: Connection) throws -> RunAccounting {
    var accounting = RunAccounting(fixes: 0, stored: 0, acknowledged: 0)
    try db.forEachRow("SELECT outcome, detail, count FROM accounting") { row in
      let count: Int = try row[2]
      switch try row[0] as String {
      case "fixes": accounting.fixes = count
      case "thinned": accounting.thinned = count
      case "stored": accounting.stored = count
      case "acknowledged": accounting.acknowledged = count
      case "on_phone": accounting.onPhone = count
      case "quarantined": accounting.quarantined = count
      case "erased": accounting.erased = count
      case "refused": accounting.refused[try row[1]] = count
      case "expired": accounting.expired[try row[1]] = count
      default: throw damaged("accounting")
      }
      return true
    }
    return accounting
  }

  private func agreement(_ db: Connection, _ figures: [String: Double]) throws -> RunAgreement? {
    guard let trueSeconds = figures["true_s"], let observedSeconds = figures["observed_s"],
      let commonSeconds = figures["common_s"], let truePairs = figures["true_pairs"],
      let observedPairs = figures["observed_pairs"], let commonPairs = figures["common_pairs"]
    else { return nil }
    let sql = """
      SELECT lower_s, upper_s, true_pairs, true_s, found_s, observed_pairs, observed_s, correct_s
      FROM agreement ORDER BY class
      """
    let classes = try db.rows(sql) { row in
      RunAgreement.DurationClass(
        lower: try row[0], upper: try row[1] ?? .infinity, truePairs: try row[2], trueSeconds: try row[3],
        foundSeconds: try row[4], observedPairs: try row[5], observedSeconds: try row[6], correctSeconds: try row[7])
    }
    return RunAgreement(
      trueSeconds: trueSeconds, observedSeconds: observedSeconds, commonSeconds: commonSeconds,
      truePairs: Int(truePairs), observedPairs: Int(observedPairs), commonPairs: Int(commonPairs),
      classes: classes)
  }

  func rows<Element>(
    _ sql: String, _ argument: String?? = nil, table: String, element: (QueryRow) throws -> Element
  ) throws -> [Element] {
    try read(table) { database in
      var elements: [Element] = []
      elements.reserveCapacity(try database.value("SELECT count(*) FROM \(table)") ?? 0)
      try database.forEachRow(sql, argument) { row in
        elements.append(try element(row))
        return true
      }
      return elements
    }
  }

  func forEachRow(_ sql: String, _ argument: String?? = nil, _ body: (QueryRow) throws -> Bool) throws {
    try read { try $0.forEachRow(sql, argument, body) }
  }

  /// Calls a closure with the connection; `place` is named when a value is damaged.
  private func read<Value>(_ place: String? = nil, _ body: (Connection) throws -> Value) throws -> Value {
    do {
      return try connection.read(body)
    } catch let error as SQLiteFault {
      throw RunReader.translated(error, path: path)
    } catch is DamagedValue {
      throw damaged(place)
    }
  }

  func damaged(_ place: String?) -> RunFolderError {
    RunFolderError(.damaged, path: path, place: place, message: "holds a value that cannot be")
  }

  private static func translated(_ error: SQLiteFault, path: String) -> RunFolderError {
    error.isNotADatabase
      ? RunFolderError(.notARun, path: path, message: "is not an SQLite file")
      : RunFolderError(.damaged, path: path, message: error.message)
  }

  private static func json(_ row: PreparedStatement, column: Int32) -> JSONValue {
    switch row.columnType(column) {
    case .null: .null
    case .integer: .integer(row.int(column))
    case .real: .number(row.double(column))
    case .text: .string(row.text(column))
    case .blob: .string(Data(row.blob(column)).base64EncodedString())
    }
  }

  private static func word(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
