internal import CordonCore
internal import CordonIngest
internal import NIOConcurrencyHelpers

/// Handles queries beside the writer, so that a long query delays no batch.
///
/// Persons who query their own data have a separate connection: operator queries never delay them.
/// On both connections the askers take turns, step by step; see ``ReadingLane``.
final class Reader: Sendable {
  private let persons: ReadingLane
  /// The lane of operators and of the feeds of the server.
  let operators: ReadingLane
  private let limit: Duration

  /// A reader.
  /// - Parameters:
  ///   - persons: a store for persons' queries, which this object alone uses.
  ///   - operators: another store for operators' queries.
  ///   - limit: the maximum working time of one query; waiting time is not counted.
  init(persons: any PositionStore, operators: any PositionStore, limit: Duration = .seconds(20)) {
    self.persons = ReadingLane("cordon.reader.persons", persons)
    self.operators = ReadingLane("cordon.reader.operators", operators)
    self.limit = limit
  }

  /// A reader with one store for all queries.
  init(store: any PositionStore) {
    persons = ReadingLane("cordon.reader", store)
    operators = persons
    limit = .seconds(20)
  }

  private func lane(of asker: Query.Asker) -> ReadingLane {
    switch asker {
    case .person: persons
    case .operator: operators
    }
  }

  /// The number of operators' queries that wait or run.
  var waitingOperators: Int { operators.count }

  static let tooMany = Problem(
    429, .tooManyQuestions,
    "\(ReadingLane.maximumPerAsker) queries of this operator or person wait already; ask again when one is answered",
    retryAfter: 5)

  /// Returns the response to a query.
  /// - Parameter isGone: whether the client is gone; checked between steps and while the store works.
  func answer(_ query: Query, isGone: @escaping @Sendable () -> Bool = { false }) async -> IngestResponse {
    await withCheckedContinuation { continuation in
      let run = NIOLockedValueBox(QueryRun(query))
      let job = ReadingLane.Job(limit: limit, isGone: isGone) { store in
        guard let answer = run.withLockedValue({ $0.advance(from: store) }) else { return false }
        continuation.resume(returning: answer)
        return true
      } onBreak: {
        continuation.resume(returning: Query.tookTooLong.response)
      }
      if !lane(of: query.asker).add(job, of: query.asker) {
        continuation.resume(returning: Self.tooMany.response)
      }
    }
  }

  /// The reason why a part of a response is missing.
  struct Broken: Error {
    var response: IngestResponse
  }

  /// Returns the next bytes of a response in parts, and the remainder. Other queries take their turns in between.
  func part(
    of export: ContactExport, isGone: @escaping @Sendable () -> Bool = { false }
  ) async throws(Broken) -> (bytes: [UInt8]?, rest: ContactExport) {
    typealias Part = (bytes: [UInt8]?, rest: ContactExport)
    let result: Result<Part, Broken> = await withCheckedContinuation { continuation in
      let job = ReadingLane.Job(limit: limit, isGone: isGone) { store in
        var rest = export
        do throws(StoreFault) {
          let bytes = try rest.next(from: store)
          continuation.resume(returning: .success((bytes, rest)))
        } catch {
          continuation.resume(returning: .failure(Broken(response: Query.unreadable(error))))
        }
        return true
      } onBreak: {
        continuation.resume(returning: .failure(Broken(response: Query.tookTooLong.response)))
      }
      if !lane(of: export.asker).add(job, of: export.asker) {
        continuation.resume(returning: .failure(Broken(response: Self.tooMany.response)))
      }
    }
    return try result.get()
  }
}
