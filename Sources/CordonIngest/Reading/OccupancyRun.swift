internal import CordonContacts
internal import CordonCore
internal import CordonGeometry

/// An occupancy query under way.
///
/// It reads the tracks of one device after the other, page by page, and keeps only the stays that it has found: its memory
/// depends on how often devices came and went, and not on how many positions they sent. Between two calls of ``advance(from:)``
/// it holds nothing of the store.
struct OccupancyRun: Sendable {
  private let query: OccupancyQuery
  private var count: OccupancyCount<FloorSpaces>
  /// The venue as the store knows it, and the devices that may have been there; `nil` before the first step.
  private var scope: (venue: Int64, frame: LocalFrame, devices: [Int64])?
  /// The index of the device whose track is read.
  private var index = 0
  /// How far that track was read; `nil` before its first page.
  private var track: Track?
  private var rows = 0

  /// The part of a device's track that is not counted yet.
  private struct Track: Sendable {
    /// From the neighbour before the span to the one after it.
    var span: ClosedRange<Int64>
    /// The last position that was read.
    var last: FixID?
    /// Positions that the next page continues.
    var carried: [StoredPosition] = []
  }

  /// The most positions that are read in one step: some ten milliseconds of work.
  static let positionsOfStep = 10_000
  /// The fixed cost of a device, in positions, added to the number of positions that are read.
  private static let costOfDevice = 20
  /// The most stays that are kept.
  static let maximumStays = 1_000_000
  /// The most bins that are answered.
  static let maximumBins = 200_000

  private let pageSize: Int

  /// - Parameter pageSize: how many positions are read at once.
  init(_ query: OccupancyQuery, pageSize: Int = positionsOfStep) {
    self.query = query
    self.pageSize = pageSize
    count = OccupancyCount(in: query.bySpace ? query.venue.plan?.spaces : nil)
  }

  /// Reads on; returns the answer when there is nothing left to read.
  mutating func advance(from store: any PositionStore) throws(StoreFault) -> IngestResponse? {
    if let problem = query.sizeProblem { return problem.response }
    if scope == nil {
      guard let place = try store.venues().first(where: { $0.id == query.venue.id }) else {
        return query.write(nil)
      }
      let devices = try store.devices(in: place.number, during: query.span)
      scope = (place.number, LocalFrame(origin: place.origin), devices)
    }
    guard let scope else { return query.write(nil) }
    var budget = Self.positionsOfStep
    while budget > 0 {
      guard index < scope.devices.count else { return query.write(Occupancy(count, bin: query.bin)) }
      budget -= try readPage(of: scope.devices[index], scope.venue, scope.frame, store)
      if rows > query.settings.maximumQueryRows {
        return Problem(
          413, .tooMuch,
          "there are more than \(query.settings.maximumQueryRows) positions between from and to; ask for a shorter span",
          field: "from"
        ).response
      }
      if count.stayCount > Self.maximumStays {
        return Problem(
          413, .tooMuch, "there are more than \(Self.maximumStays) stays between from and to; ask for a shorter span",
          field: "from"
        ).response
      }
    }
    return nil
  }

  /// Reads a page of a device's track and counts it; returns what it cost.
  private mutating func readPage(
    of device: Int64, _ venue: Int64, _ frame: LocalFrame, _ store: any PositionStore
  ) throws(StoreFault) -> Int {
    var part: Track
    if let track { part = track } else { part = try begin(device, venue, store) }
    let page = try store.track(of: device, venue: venue, in: part.span, after: part.last, limit: pageSize)
    rows += page.count
    part.last = page.last?.id ?? part.last
    let isEnd = page.count < pageSize
    var positions = part.carried + page
    // The position before the last moment is the first of the next page: the way from there on is not known to its end,
    // and the last moment may have more positions.
    var end = Int64.max
    if !isEnd {
      let moment = positions.last?.time ?? 0
      guard let before = positions.last(where: { $0.time < moment })?.time else {
        part.carried = positions
        track = part
        return page.count + Self.costOfDevice
      }
      end = before
      part.carried = positions.filter { $0.time >= end }
      positions.removeAll { $0.time > end }
    }
    count.add(segments(of: positions, frame, before: end))
    if isEnd {
      count.endStays()
      index += 1
      track = nil
    } else {
      track = part
    }
    return page.count + Self.costOfDevice
  }

  /// A track begins with the last position before the span and ends with the first behind it.
  private func begin(_ device: Int64, _ venue: Int64, _ store: any PositionStore) throws(StoreFault) -> Track {
    let span = query.span
    let first = try store.track(of: device, venue: venue, in: span.lowerBound...span.lowerBound).first?.time
    let last = try store.track(of: device, venue: venue, in: span.upperBound...span.upperBound).last?.time
    return Track(span: min(first ?? span.lowerBound, span.lowerBound)...max(last ?? span.upperBound, span.upperBound))
  }

  private func segments(of positions: [StoredPosition], _ frame: LocalFrame, before end: Int64) -> [Segment] {
    let points = positions.map { contactPoint($0, frame: frame) }
    let tracks = ObservedTracks(
      points.map(\.point), accuracies: points.map(\.accuracy), stillUntil: points.map(\.stillUntil),
      maximumGap: query.settings.contactGap)
    return tracks.segments().compactMap { $0.start < end ? $0.clipped(to: query.span) : nil }
  }
}
