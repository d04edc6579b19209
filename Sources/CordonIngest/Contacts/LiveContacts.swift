internal import CordonContacts
internal import CordonCore
internal import CordonGeometry

/// Contacts that follow the positions as they arrive.
///
/// For each venue the positions of the last hour (``IngestSettings/contactHorizon``) are in memory, in a
/// ``ContactStream``; what a batch changes goes into the file in the same transaction as the batch. Positions that are
/// older than that are only noted in that transaction; ``settle(_:store:now:)`` then finds their contacts
/// from the file. Nothing in memory is needed again: a process that starts anew reads the last hour.
struct LiveContacts {
  let settings: IngestSettings
  private var catalog: VenueCatalog
  var streams: [Int64: ContactStream] = [:]
  /// The venues that were ever stored. The frame in which positions are projected is fixed when a venue is stored first.
  private var known: [Int64: (id: VenueID, frame: LocalFrame)] = [:]
  /// Streams without points, with the walls of their venue: made once, since walls take time to prepare.
  private var empty: [Int64: ContactStream] = [:]

  init(settings: IngestSettings, catalog: VenueCatalog) {
    self.settings = settings
    self.catalog = catalog
  }

  /// Takes new venues into use. Where the walls are others, the contacts of the last hour are looked through them when the
  /// next positions come; earlier ones keep what the map said in their time.
  mutating func use(_ catalog: VenueCatalog) {
    for (number, venue) in known where self.catalog[venue.id]?.walls != catalog[venue.id]?.walls {
      streams[number] = nil
      empty[number] = nil
    }
    self.catalog = catalog
  }

  /// Forgets what is in memory, after a transaction was undone or positions were taken away.
  mutating func forget(venue: Int64? = nil) {
    if let venue { streams[venue] = nil } else { streams.removeAll() }
  }

  /// How many positions are in memory.
  var pointCount: Int { streams.values.reduce(0) { $0 + $1.pointCount } }

  mutating func frame(of venue: Int64, in store: any PositionStore) throws(StoreFault) -> LocalFrame {
    if let venue = known[venue] { return venue.frame }
    for venue in try store.venues() { known[venue.number] = (venue.id, LocalFrame(origin: venue.origin)) }
    guard let found = known[venue] else { throw StoreFault(.failed, "venue \(venue) is not there") }
    return found.frame
  }

  /// A stream without points that knows the walls of a venue.
  mutating func emptyStream(of venue: Int64, in store: any PositionStore) throws(StoreFault) -> ContactStream {
    if let stream = empty[venue] { return stream.emptied }
    let frame = try frame(of: venue, in: store)
    var finder = settings.finder
    if let id = known[venue]?.id { finder.walls = catalog[id]?.walls.indexes(in: frame) ?? [:] }
    let stream = ContactStream(finder: finder, maximumGap: settings.contactGap)
    empty[venue] = stream
    return stream.emptied
  }

  /// Takes in rows that were just put into the store, within the same transaction.
  mutating func add(
    _ rows: [NewPosition], device: Int64, venue: Int64, store: any PositionStore, now: Instant
  ) throws(StoreFault) -> ContactStream.Update {
    let near = rows.filter { settings.isNearEnough($0.accuracy) }
    guard !near.isEmpty else { return ContactStream.Update() }
    let frame = try frame(of: venue, in: store)
    let isNew = streams[venue] == nil
    let watermark = streams[venue]?.watermark ?? (now - settings.contactHorizon).milliseconds
    try note(near.filter { $0.time < watermark }, device: device, venue: venue, store: store)
    // A venue that is not in memory yet is read from the store, which has these rows already.
    if isNew { return try load(venue, store: store, now: now) }
    var points: [ContactStream.Point] = []
    points.reserveCapacity(near.count)
    for row in near where row.time >= watermark { points.append(contactPoint(row, device: device, frame: frame)) }
    guard !points.isEmpty, let update = streams[venue]?.add(points) else { return ContactStream.Update() }
    try store.change(contactsOf: venue, removed: update.removed, added: update.added)
    return update
  }

  /// Notes rows whose contacts are found later, from the store: they came late, or another server finds the contacts of the venue.
  func note(
    _ rows: [NewPosition], device: Int64, venue: Int64, store: any PositionStore
  ) throws(StoreFault) {
    let near = rows.filter { settings.isNearEnough($0.accuracy) }
    if let first = near.map(\.time).min(), let last = near.map({ max($0.time, $0.stillUntil ?? $0.time) }).max() {
      try store.markUnsettled(venue: venue, device: device, span: first...last)
    }
  }

  /// Lets go of positions that are older than the horizon.
  mutating func advance(to now: Instant) {
    for venue in streams.keys.sorted() { _ = streams[venue]?.close(before: now - settings.contactHorizon) }
  }

  /// Reads the positions of the last hour of a venue into memory, and brings its contacts to what they say. Takes away the notes of the
  /// venue. Belongs into a transaction.
  mutating func load(_ venue: Int64, store: any PositionStore, now: Instant) throws(StoreFault) -> ContactStream.Update
  {
    let watermark = (now - settings.contactHorizon).milliseconds
    let marks = try store.lateSpans(limit: .max).filter { $0.venue == venue }
    // Where a track leads into the last hour, contacts before it may change as well.
    let limit = watermark + settings.contactGap.milliseconds
    for mark in marks where mark.span.lowerBound < limit { try settle(mark, store: store) }
    let stream = try emptyStream(of: venue, in: store)
    let frame = try frame(of: venue, in: store)
    streams[venue] = try read(venue, into: stream, store: store, frame: frame, watermark: watermark)
    let update = try reconcile(venue, store: store, watermark: watermark)
    try store.removeLateSpans(marks.filter { $0.span.lowerBound >= limit })
    return update
  }

  /// The positions that may still change contacts: from the start of the earliest contact that reaches into the
  /// horizon, or to a position that one in the horizon is joined to, so that no contact is there in part.
  private func read(
    _ venue: Int64, into empty: ContactStream, store: any PositionStore, frame: LocalFrame, watermark: Int64
  ) throws(StoreFault) -> ContactStream {
    let gap = settings.contactGap.milliseconds
    var start = watermark
    for device in try store.devices(in: venue, during: watermark - gap...Int64.max) {
      let last = try track(of: device, venue, watermark...watermark, store).first { $0.time < watermark }
      guard let last else { continue }
      let rest = max(last.time, last.stillUntil ?? last.time)
      if rest >= watermark - gap { start = min(start, last.time) }
    }
    let open = try store.contacts(
      in: venue, device: nil, overlapping: (start - 1) * 1_000...Int64.max, limit: Int.max)
    if let earliest = open.map(\.start).min() { start = min(start, earliest / 1_000 - 1) }
    var stream = empty
    for device in try store.devices(in: venue, during: start - gap...Int64.max) {
      let rows = try track(of: device, venue, start...Int64.max, store)
      stream.add(rows.map { contactPoint($0, frame: frame) })
    }
    _ = stream.close(before: Instant(milliseconds: watermark))
    return stream
  }

  /// Brings the file to what a stream says that was just read, from the watermark on.
  private func reconcile(
    _ venue: Int64, store: any PositionStore, watermark: Int64
  ) throws(StoreFault) -> ContactStream.Update {
    let limit = watermark * 1_000
    let stored = Set(try store.contacts(in: venue, device: nil, overlapping: limit...Int64.max, limit: Int.max))
    let found = Set((streams[venue]?.contacts ?? []).filter { $0.end >= limit })
    var update = ContactStream.Update()
    update.removed = stored.subtracting(found).sorted(by: Contact.isListedBefore)
    update.added = found.subtracting(stored).sorted(by: Contact.isListedBefore)
    try store.change(contactsOf: venue, removed: update.removed, added: update.added)
    return update
  }

  func track(
    of device: Int64, _ venue: Int64, _ span: ClosedRange<Int64>, _ store: any PositionStore
  ) throws(StoreFault) -> [StoredPosition] {
    // Positions that are not looked at are not neighbours either: the span grows until its ends are usable or it cannot.
    var span = span
    while true {
      let rows = try store.track(of: device, venue: venue, in: span)
      let usable = rows.filter { settings.isNearEnough($0.accuracy) }
      guard let first = rows.first, let last = rows.last else { return [] }
      let isOpen = !settings.isNearEnough(first.accuracy) && first.time < span.lowerBound
      let isOpenAfter = !settings.isNearEnough(last.accuracy) && last.time > span.upperBound
      guard isOpen || isOpenAfter else { return usable }
      span = (isOpen ? first.time : span.lowerBound)...(isOpenAfter ? last.time : span.upperBound)
    }
  }

  /// The contacts of all stored positions of a venue, found from scratch.
  mutating func all(of venue: Int64, store: any PositionStore) throws(StoreFault) -> [Contact] {
    let frame = try frame(of: venue, in: store)
    var points: [ContactStream.Point] = []
    for device in try store.devices(in: venue, during: 0...Int64.max) {
      let rows = try store.track(of: device, venue: venue, in: 0...Int64.max)
      points.append(
        contentsOf: rows.filter { settings.isNearEnough($0.accuracy) }.map { contactPoint($0, frame: frame) })
    }
    let tracks = ObservedTracks(
      points.map(\.point), accuracies: points.map(\.accuracy), stillUntil: points.map(\.stillUntil),
      maximumGap: settings.contactGap)
    return try emptyStream(of: venue, in: store).finder.contacts(in: tracks)
  }
}
