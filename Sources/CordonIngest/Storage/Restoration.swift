internal import CordonCore

/// What has to be carried over when a backup takes the place of a store: a backup knows nothing of those who were erased
/// after it was made.
public enum Restoration {
  /// What was carried over.
  public struct Report: Hashable, Sendable {
    /// Erased devices that the former store remembered.
    public var tombstones = 0
    /// Devices of the backup that were erased again.
    public var erased = 0
  }

  /// Remembers in a store whoever was erased in another, and erases those of them that it has; nothing of these is left in
  /// the file.
  /// - Parameters:
  ///   - intake: names erased devices with the key of the server.
  ///   - former: the file of the store whose place is taken.
  ///   - path: the file of the store that takes it, which nobody else uses.
  public static func carryErasures(
    from former: String, to path: String, intake: Intake
  ) throws(StoreFault) -> Report {
    var options = SQLitePositionStore.Options()
    options.isReadOnly = true
    let tombstones = try SQLitePositionStore(path: former, options: options).tombstones()
    let store = try SQLitePositionStore(path: path)
    let hashes = Set(tombstones.map(\.hash))
    var report = Report(tombstones: tombstones.count)
    var found: [Int64] = []
    for venue in try store.venues() {
      var after = ""
      while true {
        let page = try store.devices(in: venue.id, prefix: "", after: after, limit: 1_000)
        found += page.filter { hashes.contains(intake.tombstoneHash(of: $0.id)) }.map(\.number)
        guard let last = page.last, page.count == 1_000 else { break }
        after = last.id.rawValue
      }
    }
    try store.begin()
    do throws(StoreFault) {
      for tombstone in tombstones { try store.save(tombstone) }
      for number in found { _ = try store.erase(device: number) }
      try store.commit()
    } catch {
      store.rollback()
      throw error
    }
    report.erased = found.count
    guard try store.scrub() else { throw StoreFault(.busy, "\(path): in use") }
    return report
  }
}
