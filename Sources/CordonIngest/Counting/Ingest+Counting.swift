internal import CordonContacts
internal import CordonCore
import CordonSupport

/// Counts for viewers: made once for each bin when it is over for a while, and never changed.
extension Ingest {
  /// The one width of bins that viewers know, on the clock.
  static let viewerBin = TimeSpan.minutes(15)
  /// For how long a bin is over when it is counted; what phones send later does not change it.
  static let viewerDelay = TimeSpan.minutes(15)
  /// Bins that were not counted for so long stay without numbers.
  static let viewerBacklog = TimeSpan.days(1)

  /// Counts the next bin that is due; answers whether there may be more.
  func countForViewers(now: Instant) throws(StoreFault) -> Bool {
    guard now >= nextCount, !clock.isWrong(now: now, tolerance: settings.futureTolerance) else { return false }
    let width = Self.viewerBin.milliseconds
    let end = (now - Self.viewerDelay).milliseconds.multiple(below: width)
    for known in try store.venues() {
      guard let venue = preprocessor.catalog[known.id] else { continue }
      guard var start = try store.viewerMark(of: known.number) else {
        try transaction { () throws(StoreFault) in try store.setViewerMark(end, of: known.number) }
        continue
      }
      guard start < end else { continue }
      start = max(start, (end - Self.viewerBacklog.milliseconds).multiple(below: width))
      let bin = start...(start + width)
      let changed = try changes(of: known.number, venue, in: bin)
      try transaction { () throws(StoreFault) in
        for place in changed.keys.sorted() {
          if let value = changed[place] { try store.save(value, at: place, of: known.number, time: start) }
        }
        try store.saveViewerCounts(of: known.number, start: start)
        try store.setViewerMark(start + width, of: known.number)
      }
      return true
    }
    nextCount = Instant(milliseconds: end + width) + Self.viewerDelay
    return false
  }

  private func changes(
    of number: Int64, _ venue: ServedVenue, in bin: ClosedRange<Int64>
  ) throws(StoreFault) -> [CountedPlace: ViewerPlace] {
    var present: [CountedPlace: Set<Int64>] = [:]
    var largeSpaces: [Int64: Bool] = [:]
    let presence = BinPresence(span: bin, gap: settings.contactGap)
    for device in try store.devices(in: number, during: bin) {
      guard let row = presence.longest(try store.track(of: device, venue: number, in: bin)) else { continue }
      let floor = row.floor ?? Segment.unknownFloor
      present[CountedPlace(floor: floor, space: 0), default: []].insert(device)
      guard let space = row.space else { continue }
      if largeSpaces[space] == nil {
        let area = try store.space(space).flatMap { venue.plan?.areas[$0] } ?? 0
        largeSpaces[space] = area >= settings.smallestSpace
      }
      if largeSpaces[space] == true { present[CountedPlace(floor: floor, space: space), default: []].insert(device) }
    }
    let former = try store.viewerPlaces(of: number)
    var changed: [CountedPlace: ViewerPlace] = [:]
    for place in Set(former.keys).union(present.keys).sorted() {
      var value = former[place] ?? ViewerPlace()
      if value.update(present[place] ?? [], smallest: settings.smallestCell, random: &random) { changed[place] = value }
    }
    return changed
  }
}

/// How many devices were where, for viewers.
struct ViewerCountQuery: Sendable {
  var venue: ServedVenue
  /// Milliseconds, whole bins.
  var span: Range<Int64>
  var bySpace: Bool
  var smallestCell: Int

  func answer(from store: any PositionStore) throws(StoreFault) -> IngestResponse {
    let width = Ingest.viewerBin.milliseconds
    let known = try store.venues().first { $0.id == venue.id }
    let closed = try known.flatMap { (known) throws(StoreFault) in try store.viewerMark(of: known.number) } ?? 0
    let end = min(span.upperBound, max(closed, span.lowerBound))
    var counts: [CountedPlace: [Int64: Int64]] = [:]
    if let known {
      for count in try store.viewerCounts(of: known.number, in: span.lowerBound..<end)
      where (count.place.space != 0) == bySpace { counts[count.place, default: [:]][count.start] = count.devices }
    }
    var places: [JSONValue] = []
    for (place, devices) in counts.sorted(by: { $0.key < $1.key }) {
      var members: [JSONValue.Member] = []
      if bySpace {
        guard let space = try store.space(place.space) else { continue }
        members.append(.init("space", .string(space.rawValue)))
      }
      let floor = place.floor == Segment.unknownFloor ? nil : FloorOrdinal(thousandths: place.floor).value
      members.append(.init("floor", floor.map { .number($0) } ?? .null))
      let bins = stride(from: span.lowerBound, to: end, by: Int64.Stride(width)).map { start -> JSONValue in
        ["start": .integer(start), "devices": devices[start].map { .integer($0) } ?? .null]
      }
      members.append(.init("bins", .array(bins)))
      places.append(.object(members))
    }
    return .json(
      200,
      [
        "venue": .string(venue.id.rawValue), "from": .integer(span.lowerBound), "to": .integer(end),
        "bin_s": .number(Ingest.viewerBin.seconds), "smallest_count": JSONValue(smallestCell), "places": .array(places),
      ])
  }
}
