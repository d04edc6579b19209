import CordonCore
public import CordonMonitoring
import CordonSQLite

extension SQLiteStore {
  /// Whether positions and tokens are sealed in the file.
  public var isSealed: Bool { seal != nil }

  /// Creates a new key and seals everything in the file again under it. The old keys are removed when they are unused.
  ///
  /// The method uses one transaction for every few thousand rows. If the process ends during the renewal, nothing is
  /// lost: the next store that opens the file completes it.
  ///
  /// - Throws: `StoreError` if the store is not sealed, if the sealer fails, or if the file cannot be written.
  public func renewKey() throws(StoreError) {
    guard let sealer = seal?.sealer else { throw StoreError(.failed, "renewKey: the store is not sealed") }
    do { _ = try sealer.renewKey() } catch { throw Seal.error(error) }
    try finishRenewal(sealer)
  }

  /// Reconciles a file with the sealer it is opened with.
  func adopt(_ sealer: (any Sealer)?) throws(StoreError) {
    let stored = try statement("SELECT pseudonymKey FROM seal")
    let sealedKey: [UInt8]? = try stored.step() ? stored.blob(0) : nil
    stored.reset()
    guard let sealer else {
      if sealedKey != nil { throw StoreError(.locked, "the file is sealed: open it with its sealer") }
      return
    }
    let current: UInt32
    do { current = try sealer.currentKey() } catch { throw Seal.error(error) }
    guard let sealedKey else {
      try sealForTheFirstTime(sealer, current)
      return
    }
    var lost: Set<UInt32> = []
    for number in try column("SELECT number FROM sealKey").map({ UInt32(clamping: $0) }) {
      do { if try !sealer.hasKey(number) { lost.insert(number) } } catch { throw Seal.error(error) }
    }
    if let key = try pseudonymKey(sealedKey, sealer) {
      seal = Seal(sealer: sealer, pseudonymKey: key)
      if !lost.isEmpty { try dropWhatCannotBeOpened(all: false, lost, current) }
    } else {
      // Without the names of the rows, even readable rows cannot be found again.
      seal = Seal(sealer: sealer, pseudonymKey: SQLiteStore.newPseudonymKey())
      try dropWhatCannotBeOpened(all: true, lost, current)
    }
    if try column("SELECT number FROM sealKey").contains(where: { $0 != Int64(current) }) {
      try finishRenewal(sealer)
    } else {
      // A renewal that was interrupted at its very end left unused keys.
      do { try sealer.dropKeys(before: current) } catch { throw Seal.error(error) }
    }
  }

  private static func newPseudonymKey() -> (UInt64, UInt64) {
    var generator = SystemRandomNumberGenerator()
    return (generator.next(), generator.next())
  }

  private func pseudonymKey(_ sealed: [UInt8], _ sealer: any Sealer) throws(StoreError) -> (UInt64, UInt64)? {
    do throws(SealingError) {
      let plain = try sealer.open(sealed, at: Array("pseudonyms".utf8))
      guard plain.count == 16 else { return nil }
      return (Seal.word(plain[0..<8]), Seal.word(plain[8..<16]))
    } catch {
      if error.kind == .lostKey || error.kind == .damaged { return nil }
      throw Seal.error(error)
    }
  }

  private func writePseudonymKey(_ seal: Seal) throws(StoreError) {
    var plain: [UInt8] = []
    Seal.put(seal.pseudonymKey.0, 8, &plain)
    Seal.put(seal.pseudonymKey.1, 8, &plain)
    let sealed: [UInt8]
    do { sealed = try seal.sealer.seal(plain, at: Array("pseudonyms".utf8)) } catch { throw Seal.error(error) }
    let insertion = try statement("INSERT OR REPLACE INTO seal VALUES (1, ?)")
    insertion.bind(1, sealed)
    try insertion.run()
  }

  private func note(key number: UInt32) throws(StoreError) {
    let insertion = try statement("INSERT OR IGNORE INTO sealKey VALUES (?)")
    insertion.bind(1, Int64(number))
    try insertion.run()
  }

  func transaction(
    _ durability: Durability, _ body: () throws(StoreError) -> Void
  ) throws(StoreError) {
    try begin(durability)
    do throws(StoreError) {
      try body()
      try commit()
    } catch {
      rollback()
      throw error
    }
  }

  /// Seals every row and token of a file that was readable until now, and removes the old contents.
  private func sealForTheFirstTime(_ sealer: any Sealer, _ current: UInt32) throws(StoreError) {
    let records = try devices()
    let seal = Seal(sealer: sealer, pseudonymKey: SQLiteStore.newPseudonymKey())
    do throws(StoreError) {
      try transaction(.full) { () throws(StoreError) in
        self.seal = seal
        try writePseudonymKey(seal)
        try note(key: current)
        // A text that a server gave may be about the row.
        try run("UPDATE delivery SET reason = NULL")
        for record in records {
          try save(record)
          let device = try number(of: record.id)
          for (name, contents) in try readableRows(of: device) {
            try replace(name, of: device, by: seal.name(of: name), contents, seal)
          }
        }
      }
    } catch {
      self.seal = nil
      throw error
    }
    try scrub(everything: true)
  }

  private func readableRows(of device: Int64) throws(StoreError) -> [(FixID, Seal.Contents)] {
    let selection = try statement(
      """
      SELECT fixHigh, fixLow, longitude, latitude, accuracy, floor, space FROM locationRow
      WHERE deviceNumber = ? AND sealed IS NULL
      """)
    selection.bind(1, device)
    var rows: [(FixID, Seal.Contents)] = []
    while try selection.step() {
      let id = selection.id(at: 0)
      let contents = Seal.Contents(
        id: id, coordinate: Coordinate(longitude: selection.double(2), latitude: selection.double(3)),
        accuracy: selection.double(4),
        floor: selection.optionalInt(5).map { FloorOrdinal(thousandths: Int32(clamping: $0)) },
        space: selection.optionalText(6).map(SpaceID.init(_:)))
      rows.append((id, contents))
    }
    return rows
  }

  private func replace(
    _ old: FixID, of device: Int64, by name: FixID, _ contents: Seal.Contents, _ seal: Seal
  ) throws(StoreError) {
    let row = try statement(
      """
      UPDATE locationRow SET fixHigh = ?1, fixLow = ?2, longitude = NULL, latitude = NULL, accuracy = NULL,
      floor = NULL, space = NULL, sealed = ?3 WHERE deviceNumber = ?4 AND fixHigh = ?5 AND fixLow = ?6
      """)
    row.bind(name, at: 1)
    row.bind(3, try seal.seal(contents, as: name, of: device))
    row.bind(4, device)
    row.bind(old, at: 5)
    try row.run()
    let delivery = try statement(
      """
      UPDATE delivery SET fixHigh = ?1, fixLow = ?2
      WHERE deviceNumber = ?3 AND sink = ?4 AND fixHigh = ?5 AND fixLow = ?6
      """)
    delivery.bind(name, at: 1)
    delivery.bind(3, device)
    delivery.bind(old, at: 5)
    for sink in sinks.sorted() {
      delivery.bind(4, Int64(sink))
      try delivery.run()
    }
  }

  /// Removes everything sealed under lost keys. The devices, their consent and their accounting remain.
  private func dropWhatCannotBeOpened(
    all: Bool, _ lost: Set<UInt32>, _ current: UInt32
  ) throws(StoreError) {
    let records = try devices()
    try transaction(.full) { () throws(StoreError) in
      if let seal { try writePseudonymKey(seal) }
      try note(key: current)
      for number in lost {
        let deletion = try statement("DELETE FROM sealKey WHERE number = ?")
        deletion.bind(1, Int64(number))
        try deletion.run()
      }
      for record in records {
        let device = try number(of: record.id)
        for (name, sealed) in try sealedRows(of: device) {
          let key = seal?.sealer.key(of: sealed)
          if all || key.map({ lost.contains($0) }) ?? true { try lose(name, of: device) }
        }
        // A device without its secret must be activated again; unreadable tokens are dropped.
        var record = record
        if record.secret == nil {
          record.isActivated = false
          record.authToken = nil
          record.expiresAt = nil
        }
        try save(record)
      }
    }
    try scrub(everything: true)
  }

  private func sealedRows(of device: Int64) throws(StoreError) -> [(FixID, [UInt8])] {
    let selection = try statement("SELECT fixHigh, fixLow, sealed FROM locationRow WHERE deviceNumber = ?")
    selection.bind(1, device)
    var rows: [(FixID, [UInt8])] = []
    while try selection.step() { rows.append((selection.id(at: 0), selection.blob(2))) }
    return rows
  }

  /// Seals the rows of other keys under the current key, a number of rows at a time.
  private func finishRenewal(_ sealer: any Sealer) throws(StoreError) {
    guard let seal else { return }
    let current: UInt32
    do { current = try sealer.currentKey() } catch { throw Seal.error(error) }
    let records = try devices()
    try transaction(.full) { () throws(StoreError) in
      try note(key: current)
      try writePseudonymKey(seal)
      try run("UPDATE delivery SET reason = NULL")
      for record in records { try save(record) }
    }
    for record in records {
      let device = try number(of: record.id)
      var last = FixID(high: 0, low: 0)
      while true {
        let rows = try rows(of: device, after: last)
        guard let end = rows.last else { break }
        try transaction(.normal) { () throws(StoreError) in
          for (name, sealed) in rows where sealer.key(of: sealed) != current {
            guard let contents = try seal.open(sealed, as: name, of: device) else {
              try lose(name, of: device)
              continue
            }
            let update = try statement(
              "UPDATE locationRow SET sealed = ? WHERE deviceNumber = ? AND fixHigh = ? AND fixLow = ?")
            update.bind(1, try seal.seal(contents, as: name, of: device))
            update.bind(2, device)
            update.bind(name, at: 3)
            try update.run()
          }
        }
        last = end.0
      }
    }
    try transaction(.full) { () throws(StoreError) in
      let deletion = try statement("DELETE FROM sealKey WHERE number <> ?")
      deletion.bind(1, Int64(current))
      try deletion.run()
    }
    try scrub(everything: true)
    do { try sealer.dropKeys(before: current) } catch { throw Seal.error(error) }
  }

  private func rows(of device: Int64, after last: FixID) throws(StoreError) -> [(FixID, [UInt8])] {
    let selection = try statement(
      """
      SELECT fixHigh, fixLow, sealed FROM locationRow
      WHERE deviceNumber = ? AND (fixHigh, fixLow) > (?, ?) ORDER BY fixHigh, fixLow LIMIT 5000
      """)
    selection.bind(1, device)
    selection.bind(last, at: 2)
    var rows: [(FixID, [UInt8])] = []
    while try selection.step() { rows.append((selection.id(at: 0), selection.blob(2))) }
    return rows
  }
}
