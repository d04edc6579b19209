/// A question under way, answered in steps of some ten milliseconds, so that others have their turn in between.
public struct QuestionRun: Sendable {
  private let question: Query
  private var occupancy: OccupancyRun?

  /// A run of a question that begins with the first ``advance(from:)``.
  public init(_ question: Query) {
    self.question = question
    if case .occupancy(let question) = question.kind { occupancy = OccupancyRun(question) }
  }

  /// Does a step; returns the answer when it was the last one. Between two steps nothing of the store is held.
  public mutating func advance(from store: any PositionStore) -> IngestResponse? {
    do throws(StoreFault) {
      guard occupancy != nil else { return try question.wholeAnswer(from: store) }
      return try occupancy?.advance(from: store)
    } catch {
      return Query.unreadable(error)
    }
  }
}
