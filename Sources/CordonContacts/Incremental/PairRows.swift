/// The rows of one pair in a stream, by start.
struct PairRows {
  private(set) var list: [OpenContact] = []
  /// Where the pair is among those that the batch touched; negative when it is not.
  private var place = -1

  /// A pair that a batch touched: rows before ``low`` are as they were.
  struct Touched {
    var key: UInt64
    var low: Int
    /// The rows from ``low`` on, as they were before the batch.
    var old: [OpenContact]
  }

  /// Notes that rows from `low` on are about to change.
  private mutating func note(from low: Int, key: UInt64, in touched: inout [Touched]) {
    if place < 0 {
      place = touched.count
      touched.append(Touched(key: key, low: low, old: low < list.count ? Array(list[low...]) : []))
    } else if low < touched[place].low {
      touched[place].old.insert(contentsOf: list[low..<touched[place].low], at: 0)
      touched[place].low = low
    }
  }

  /// Joins a contact to the rows that it touches.
  mutating func add(_ contact: OpenContact, key: UInt64, touched: inout [Touched]) {
    var low = list.count
    // Rows are in rising order and few contacts are late.
    while low > 0,
      list[low - 1].end + OpenContact.join >= contact.start || list[low - 1].floor != contact.floor
    { low -= 1 }
    note(from: low, key: key, in: &touched)
    if low == list.count {
      list.append(contact)
    } else if low == list.count - 1, PairRows.touch(list[low], contact) {
      list[low].merge(contact)
    } else {
      insert(contact, from: low)
    }
  }

  private mutating func insert(_ contact: OpenContact, from low: Int) {
    var contact = contact
    var kept: [OpenContact] = []
    for row in list[low...] {
      if PairRows.touch(row, contact) { contact.merge(row) } else { kept.append(row) }
    }
    let place = kept.firstIndex { ($0.start, $0.floor) > (contact.start, contact.floor) } ?? kept.count
    kept.insert(contact, at: place)
    list.replaceSubrange(low..., with: kept)
  }

  private static func touch(_ row: OpenContact, _ contact: OpenContact) -> Bool {
    row.floor == contact.floor && row.start <= contact.end + OpenContact.join
      && row.end + OpenContact.join >= contact.start
  }

  /// Takes out the rows that have a part in a span of nanoseconds.
  mutating func remove(
    touching span: ClosedRange<Int64>, key: UInt64, touched: inout [Touched]
  ) -> [OpenContact] {
    let isHit = { (row: OpenContact) in row.end >= span.lowerBound && row.start <= span.upperBound }
    guard let low = list.firstIndex(where: isHit) else { return [] }
    note(from: low, key: key, in: &touched)
    let hit = list[low...].filter(isHit)
    list.removeAll(where: isHit)
    return hit
  }

  /// Takes out rows that are final.
  mutating func remove(where isFinal: (OpenContact) -> Bool) { list.removeAll(where: isFinal) }

  /// Forgets that a batch touched the pair.
  mutating func settle() { place = -1 }
}
