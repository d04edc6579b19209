package import CordonContacts
package import CordonCore

extension MemoryPositionStore {
  /// See ``PositionStore/insert(_:device:venue:)``.
  package func insert(_ rows: [NewPosition], device: Int64, venue: Int64) throws(StoreFault) -> [StoredRow] {
    guard var (first, last) = rows.first.map({ ($0.time, $0.time) }) else { return [] }
    try willWrite()
    if shelves[device] == nil { touch(device) }
    // Taken out, so that it is changed in place.
    var shelf = shelves.removeValue(forKey: device) ?? Shelf()
    defer { shelves[device] = shelf }
    var answers: [StoredRow] = []
    answers.reserveCapacity(rows.count)
    for new in rows {
      (first, last) = (min(first, new.time), max(last, new.stillUntil ?? new.time, new.time))
      let space = new.space.map { number(ofSpace: $0, venue: venue) }
      let place = shelf.place(of: new.id)
      if place.isThere {
        let until = shelf.positions[place.index].stillUntil
        if let end = new.stillUntil, until.map({ $0 < end }) ?? true {
          note(.extended(device, new.id, until: until))
          shelf.positions[place.index].stillUntil = end
          answers.append(.extended)
        } else {
          answers.append(.known)
        }
      } else {
        note(.inserted(device, new.id))
        shelf.positions.insert(
          StoredPosition(
            device: device, id: new.id, longitude: new.longitude, latitude: new.latitude, accuracy: new.accuracy,
            floor: new.floor, stillUntil: new.stillUntil, venue: venue, space: space,
            battery: new.battery), at: place.index)
        answers.append(.stored)
      }
    }
    (first, last) = SQLitePositionStore.wholeMinutes(first, last)
    let span = shelf.presence[venue]
    note(.presence(device, venue: venue, span))
    shelf.presence[venue] = min(span?.lowerBound ?? first, first)...max(span?.upperBound ?? last, last)
    return answers
  }

  /// See ``PositionStore/latestPresence()``.
  package func latestPresence() throws(StoreFault) -> Instant {
    Instant(milliseconds: shelves.values.flatMap { $0.presence.values.map(\.upperBound) }.max() ?? 0)
  }

  /// See ``PositionStore/positionCount()``.
  package func positionCount() throws(StoreFault) -> Int64 {
    shelves.values.reduce(0) { $0 + Int64($1.positions.count) }
  }

  /// See ``PositionStore/positions(of:after:limit:)``.
  package func positions(of device: Int64, after: FixID?, limit: Int) throws(StoreFault) -> [StoredPosition] {
    guard let shelf = shelves[device] else { return [] }
    var start = 0
    if let after {
      let place = shelf.place(of: after)
      start = place.isThere ? place.index + 1 : place.index
    }
    return Array(shelf.positions[start...].prefix(max(0, limit)))
  }

  /// See ``PositionStore/track(of:venue:in:)``.
  package func track(
    of device: Int64, venue: Int64, in span: ClosedRange<Int64>
  ) throws(StoreFault) -> [StoredPosition] {
    let low = SQLitePositionStore.high(of: span.lowerBound)
    let high = SQLitePositionStore.high(of: span.upperBound) | 0xffff
    let there = (shelves[device]?.positions ?? []).filter { $0.venue == venue && Int64(bitPattern: $0.id.high) >= 0 }
    func half(_ position: StoredPosition) -> Int64 { Int64(bitPattern: position.id.high) }
    let before = there.last { half($0) < low }
    let after = there.first { half($0) > high }
    return (before.map { [$0] } ?? []) + there.filter { half($0) >= low && half($0) <= high }
      + (after.map { [$0] } ?? [])
  }

  /// See ``PositionStore/track(of:venue:in:after:limit:)``.
  package func track(
    of device: Int64, venue: Int64, in span: ClosedRange<Int64>, after: FixID?, limit: Int
  ) throws(StoreFault) -> [StoredPosition] {
    let low = SQLitePositionStore.high(of: span.lowerBound)
    let high = SQLitePositionStore.high(of: span.upperBound) | 0xffff
    return Array(
      try positions(of: device, after: after, limit: .max).lazy.filter {
        $0.venue == venue && Int64(bitPattern: $0.id.high) >= low && Int64(bitPattern: $0.id.high) <= high
      }.prefix(max(0, limit)))
  }

  /// See ``PositionStore/devices(in:during:)``.
  package func devices(in venue: Int64, during span: ClosedRange<Int64>) throws(StoreFault) -> [Int64] {
    shelves.filter { $0.value.presence[venue]?.overlaps(span) ?? false }.keys.sorted()
  }

  // MARK: Contacts

  /// See ``PositionStore/change(contactsOf:removed:added:)``.
  package func change(contactsOf venue: Int64, removed: [Contact], added: [Contact]) throws(StoreFault) {
    guard !removed.isEmpty || !added.isEmpty else { return }
    try willWrite()
    struct Key: Hashable {
      var first, second, floor: Int32
      var start: Int64
      init(_ contact: Contact) {
        (first, second, floor, start) = (contact.first, contact.second, contact.floor, contact.start)
      }
    }
    let gone = Set(removed.map(Key.init)).union(added.map(Key.init))
    tables.contacts.removeAll { $0.venue == venue && gone.contains(Key($0.contact)) }
    // Of two with the same key the later one stays.
    var places: [Key: Int] = [:]
    for var contact in added {
      if contact.obstructed < 0 { contact.obstructed = Contact.wallsNotAsked }
      let place = places[Key(contact)] ?? tables.contacts.count
      if place < tables.contacts.count {
        tables.contacts[place].contact = contact
      } else {
        tables.contacts.append((venue, contact))
        places[Key(contact)] = place
      }
    }
  }

  /// See ``PositionStore/contacts(_:)``.
  package func contacts(_ selection: ContactSelection) throws(StoreFault) -> [Contact] {
    var found: [Contact] = []
    let span = selection.span
    for row in tables.contacts where selection.venue == nil || row.venue == selection.venue {
      let contact = row.contact
      guard contact.start <= span.upperBound, contact.end >= span.lowerBound else { continue }
      guard contact.duration >= selection.minimumDuration else { continue }
      if let after = selection.after, ContactCursor(contact) <= after { continue }
      if let device = selection.device, Int64(contact.first) != device, Int64(contact.second) != device { continue }
      found.append(contact)
    }
    found.sort { ContactCursor($0) < ContactCursor($1) }
    return Array(found.prefix(max(0, selection.limit)))
  }

  /// See ``PositionStore/markUnsettled(venue:device:span:)``.
  package func markUnsettled(venue: Int64, device: Int64, span: ClosedRange<Int64>) throws(StoreFault) {
    try willWrite()
    touch(device)
    let known = shelves[device]?.lateSpans[venue] ?? span
    shelves[device, default: Shelf()].lateSpans[venue] =
      min(known.lowerBound, span.lowerBound)...max(known.upperBound, span.upperBound)
  }

  /// See ``PositionStore/lateSpans(limit:)``.
  package func lateSpans(limit: Int) throws(StoreFault) -> [LateSpan] {
    let marks = shelves.flatMap { device, shelf in
      shelf.lateSpans.map { LateSpan(venue: $0.key, device: device, span: $0.value) }
    }
    return Array(marks.sorted { ($0.venue, $0.device) < ($1.venue, $1.device) }.prefix(max(0, limit)))
  }

  /// See ``PositionStore/removeLateSpan(_:)``.
  package func removeLateSpan(_ mark: LateSpan) throws(StoreFault) {
    try willWrite()
    touch(mark.device)
    shelves[mark.device]?.lateSpans[mark.venue] = nil
  }
}

extension MemoryPositionStore.Shelf {
  /// Where a position is, or would be.
  func place(of id: FixID) -> (index: Int, isThere: Bool) {
    func key(_ id: FixID) -> (Int64, Int64) { (Int64(bitPattern: id.high), Int64(bitPattern: id.low)) }
    let sought = key(id)
    if let last = positions.last, key(last.id) < sought { return (positions.count, false) }
    var (low, high) = (0, positions.count)
    while low < high {
      let middle = (low + high) / 2
      if key(positions[middle].id) < sought { low = middle + 1 } else { high = middle }
    }
    return (low, low < positions.count && positions[low].id == id)
  }
}
