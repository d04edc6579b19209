internal import CordonContacts
internal import CordonCore
internal import CordonGeometry

/// Contacts of rows that came late, or that another server has stored.
extension LiveContacts {
  /// Finds the contacts of notes, which are in the order of their venues. Belongs into a transaction.
  ///
  /// The rows that the positions in memory would have taken are read at once, and change the contacts of their venue at once.
  mutating func settle(_ marks: [LateSpan], store: any PositionStore, now: Instant) throws(StoreFault) {
    var rest = marks[...]
    while let venue = rest.first?.venue {
      let own = Array(rest.prefix { $0.venue == venue })
      rest = rest.dropFirst(own.count)
      try settle(own, of: venue, store: store, now: now)
    }
  }

  private mutating func settle(
    _ marks: [LateSpan], of venue: Int64, store: any PositionStore, now: Instant
  ) throws(StoreFault) {
    // The holder of a venue may get none of its rows. To read the venue costs hardly more than to settle one note from the store.
    if streams[venue] == nil, store.sharing != nil,
      marks.contains(where: { $0.span.lowerBound >= (now - settings.contactHorizon).milliseconds })
    {
      _ = try load(venue, store: store, now: now)
      return
    }
    let watermark = streams[venue]?.watermark ?? .max
    let live = marks.filter { $0.span.lowerBound >= watermark }
    if !live.isEmpty {
      let frame = try frame(of: venue, in: store)
      let rows = try store.lateRows(live).filter { settings.isNearEnough($0.accuracy) }
      if let update = streams[venue]?.add(rows.map { contactPoint($0, frame: frame) }) {
        try store.change(contactsOf: venue, removed: update.removed, added: update.added)
      }
      try store.removeLateSpans(live)
    }
    for mark in marks where mark.span.lowerBound < watermark { try settle(mark, store: store) }
  }

  /// Finds the contacts that late positions of one device change, from the store. Belongs into a transaction.
  ///
  /// Only contacts of that device can change, and only where its track did: from the last position before the late
  /// ones to the first after them. Contacts that overlap that stretch are found again, whole.
  mutating func settle(_ mark: LateSpan, store: any PositionStore) throws(StoreFault) {
    let frame = try frame(of: mark.venue, in: store)
    let own = try track(of: mark.device, mark.venue, mark.span, store)
    let changed = (own.first?.time ?? mark.span.lowerBound)...max(own.last?.time ?? 0, mark.span.upperBound)
    let window = (changed.lowerBound - 1) * 1_000...(changed.upperBound + 1) * 1_000
    let old = try store.contacts(in: mark.venue, device: mark.device, overlapping: window, limit: Int.max)
    let low = min(changed.lowerBound, (old.map(\.start).min() ?? .max) / 1_000 - 1)
    let high = max(changed.upperBound, (old.map(\.end).max() ?? .min) / 1_000 + 1)
    var stream = try emptyStream(of: mark.venue, in: store)
    let points = try track(of: mark.device, mark.venue, low...high, store).map { contactPoint($0, frame: frame) }
    stream.add(points)
    let box = Box(points, margin: settings.contactDistance + 0.01)
    for device in try store.devices(in: mark.venue, during: low - settings.contactGap.milliseconds...high)
    where device != mark.device {
      let others = try track(of: device, mark.venue, low...high, store).map { contactPoint($0, frame: frame) }
      if box.overlaps(Box(others, margin: 0)) { stream.add(others) }
    }
    let number = Int32(truncatingIfNeeded: mark.device)
    let found = stream.contacts.filter {
      ($0.first == number || $0.second == number) && $0.start <= window.upperBound && $0.end >= window.lowerBound
    }
    let (before, after) = (Set(old), Set(found))
    try store.change(
      contactsOf: mark.venue, removed: old.filter { !after.contains($0) }, added: found.filter { !before.contains($0) })
    try store.removeLateSpan(mark)
    // The stream in memory may hold the track, or a contact that was found again.
    guard let stream = streams[mark.venue] else { return }
    let held = stream.earliestTime(of: number)?.milliseconds
    if high >= held ?? (stream.watermark - settings.contactGap.milliseconds) { streams[mark.venue] = nil }
  }
}

private struct Box {
  var low = PlanePoint(x: .infinity, y: .infinity)
  var high = PlanePoint(x: -.infinity, y: -.infinity)

  init(_ points: [ContactStream.Point], margin: Double) {
    for point in points {
      low = PlanePoint(x: min(low.x, point.point.x - margin), y: min(low.y, point.point.y - margin))
      high = PlanePoint(x: max(high.x, point.point.x + margin), y: max(high.y, point.point.y + margin))
    }
  }

  func overlaps(_ other: Box) -> Bool {
    low.x <= other.high.x && high.x >= other.low.x && low.y <= other.high.y && high.y >= other.low.y
  }
}
