package import CordonIngest
internal import Foundation

/// Vacuums what erasures left behind, on a connection of its own.
///
/// `@unchecked Sendable` holds because `lock` protects `isRunning`, and everything else is constant.
final class PostgresVacuum: @unchecked Sendable {
  private let address: PostgresAddress
  private let isSealed: Bool
  private let lock = NSLock()
  private var isRunning = false
  /// Tables with names of devices; they are written anew while they are small.
  private static let small = [
    "device_key", "device", "consent", "presence", "page_code", "page_key", "erasure_note", "webhook_delivery",
  ]
  /// The largest size of a table that is written anew, bytes.
  private static let smallSize = 64 << 20

  init(_ address: PostgresAddress, isSealed: Bool) {
    self.address = address
    self.isSealed = isSealed
  }

  /// Starts in a thread of its own, unless it runs already. A fault leaves the rest to the database's own vacuum.
  func start() {
    let isFree = lock.withLock {
      defer { isRunning = true }
      return !isRunning
    }
    guard isFree else { return }
    Thread.detachNewThread { [self] in
      do throws(StoreFault) { try run() } catch {}
      lock.withLock { isRunning = false }
    }
  }

  /// Vacuums the partitions of the days that are noted.
  ///
  /// With sealed columns the tables with keys and names of devices are written anew as well: what was deleted is then in none of
  /// their files.
  func run() throws(StoreFault) {
    let connection = try PostgresConnection(address, patience: .seconds(3_600))
    try connection.script(
      "SET search_path = \(PostgresSchema.name); SET statement_timeout = 0; SET lock_timeout = '2s'")
    let days = try connection.run("DELETE FROM vacuum_due RETURNING day")
    guard days.count > 0 else { return }
    for row in days.indices.sorted(by: { days.int($0, 0) < days.int($1, 0) }) {
      let name = PostgresPositionStore.partition(of: days.int(row, 0))
      guard try connection.run("SELECT to_regclass($1) IS NOT NULL", [.text(name)]).int(0, 0) != 0 else { continue }
      try connection.script("VACUUM (ANALYZE) \(name)")
    }
    for table in Self.small + ["contact", "batch", "audit"] {
      if isSealed, Self.small.contains(table), try size(of: table, connection) <= Self.smallSize {
        do throws(StoreFault) {
          try connection.script("VACUUM (FULL, ANALYZE) \(table)")
          continue
        } catch {
          guard error.kind == .busy else { throw error }
        }
      }
      try connection.script("VACUUM (ANALYZE) \(table)")
    }
  }

  private func size(of table: String, _ connection: PostgresConnection) throws(StoreFault) -> Int {
    Int(try connection.run("SELECT pg_table_size($1::regclass)", [.text(table)]).int(0, 0))
  }

  /// Writes the table of keys anew. Belongs outside of transactions.
  static func rewriteKeys(_ connection: PostgresConnection) throws(StoreFault) {
    try connection.script("VACUUM (FULL, ANALYZE) device_key")
  }
}

extension PostgresPositionStore {
  /// Vacuums what erasures left behind. A server does that in the background, a minute or so after an erasure.
  package func vacuumErased() throws(StoreFault) { try PostgresVacuum(address, isSealed: isSealed).run() }

  /// The time between two looks for partitions to vacuum.
  static let vacuumPause = Duration.seconds(60)

  /// Starts the vacuum where there is something to do. Belongs to the server that does maintenance.
  func tendVacuum() throws(StoreFault) {
    let now = ContinuousClock.now
    guard now >= nextVacuum else { return }
    nextVacuum = now + Self.vacuumPause
    guard try run("SELECT EXISTS (SELECT 1 FROM vacuum_due)").int(0, 0) != 0 else { return }
    vacuum.start()
  }
}
