/// A query under way, answered in steps of some ten milliseconds, so that others have their turn in between.
package struct QueryRun: Sendable {
  private let query: Query
  private var occupancy: OccupancyRun?
  private var quality: QualityRun?

  /// A run of a query that begins with the first ``advance(from:)``.
  package init(_ query: Query) {
    self.query = query
    if case .occupancy(let query) = query.kind { occupancy = OccupancyRun(query) }
    if case .quality(let query) = query.kind { quality = QualityRun(query) }
  }

  /// Does a step; returns the answer when it was the last one. Between two steps nothing of the store is held.
  package mutating func advance(from store: any PositionStore) -> IngestResponse? {
    do throws(StoreFault) {
      if occupancy != nil { return try occupancy?.advance(from: store) }
      if quality != nil { return try quality?.advance(from: store) }
      return try query.wholeAnswer(from: store)
    } catch {
      return Query.unreadable(error)
    }
  }
}
