internal import CordonContacts
package import CordonCore

/// The numbers of a venue that viewers see, for one closed quarter of an hour.
package struct ViewerBin: Hashable, Sendable {
  /// The venue.
  package var venue: VenueID
  /// The beginning of the bin.
  package var start: Instant
  /// The end of the bin.
  package var end: Instant
  /// The numbers of spaces; a space that is missing has fewer devices than viewers are shown.
  package var spaces: [SpaceID: Int64]

  /// Numbers of a bin.
  package init(venue: VenueID, start: Instant, end: Instant, spaces: [SpaceID: Int64]) {
    self.venue = venue
    self.start = start
    self.end = end
    self.spaces = spaces
  }

  /// The width of bins.
  package static var width: TimeSpan { Ingest.viewerBin }

  /// Reads the closed bins of venues; those of a venue are in order.
  /// - Parameters:
  ///   - store: a store, which may only read.
  ///   - starts: the venues, each with the start of its first bin; `nil` for the latest bin alone.
  ///   - limit: the maximum number of bins of a venue; of more the latest are read.
  package static func read(
    from store: any PositionStore, _ starts: [(venue: VenueID, from: Instant?)], limit: Int
  ) throws(StoreFault) -> [ViewerBin] {
    let numbers = Dictionary(try store.venues().map { ($0.id, $0.number) }) { first, _ in first }
    var bins: [ViewerBin] = []
    for start in starts {
      guard let number = numbers[start.venue] else { continue }
      bins += try read(from: store, start.venue, number: number, from: start.from, limit: limit)
    }
    return bins
  }

  private static func read(
    from store: any PositionStore, _ venue: VenueID, number: Int64, from: Instant?, limit: Int
  ) throws(StoreFault) -> [ViewerBin] {
    guard let end = try store.viewerMark(of: number) else { return [] }
    let width = Ingest.viewerBin.milliseconds
    let first = max(from?.milliseconds ?? .min, end - width * Int64(from == nil ? 1 : max(limit, 0)))
    guard first < end else { return [] }
    var devices: [Int64: [SpaceID: Int64]] = [:]
    for count in try store.viewerCounts(of: number, in: first..<end) where count.place.space != 0 {
      guard let space = try store.space(count.place.space) else { continue }
      devices[count.start, default: [:]][space, default: 0] += count.devices
    }
    return stride(from: first, to: end, by: Int64.Stride(width)).map { start in
      ViewerBin(
        venue: venue, start: Instant(milliseconds: start), end: Instant(milliseconds: start + width),
        spaces: devices[start] ?? [:])
    }
  }
}

/// A space whose numbers viewers may see.
package struct ViewerSpace: Hashable, Sendable {
  /// The space.
  package var id: SpaceID
  /// Its floor.
  package var floor: FloorOrdinal

  /// A space on its floor.
  package init(id: SpaceID, floor: FloorOrdinal) {
    self.id = id
    self.floor = floor
  }
}

extension ServedVenue {
  /// Returns the spaces whose numbers viewers may see: recorded ones of at least an area, in the order of the map.
  /// - Parameter smallest: the area, square metres.
  package func viewerSpaces(smallest: Double) -> [ViewerSpace] {
    guard let plan else { return [] }
    return zip(plan.identifiers, plan.floors).compactMap { space, floor in
      (plan.areas[space] ?? 0) >= smallest ? ViewerSpace(id: space, floor: floor) : nil
    }
  }
}
