internal import CordonCore
internal import CordonIngest
internal import NIOConcurrencyHelpers

/// Answers questions beside the scribe, so that a long one delays no batch.
///
/// Persons who ask for what is kept of them have a connection of their own: no operator's question is ever in front of theirs.
/// On both connections the askers take turns, step by step; see ``ReadingLane``.
final class Reader: Sendable {
  private let persons: ReadingLane
  private let operators: ReadingLane
  private let limit: Duration

  /// A reader.
  /// - Parameters:
  ///   - persons: a store for persons' questions, which this object alone uses.
  ///   - operators: another one for operators' questions.
  ///   - limit: for how long one question may work; its waiting is not counted.
  init(persons: any PositionStore, operators: any PositionStore, limit: Duration = .seconds(20)) {
    self.persons = ReadingLane("cordon.reader.persons", persons)
    self.operators = ReadingLane("cordon.reader.operators", operators)
    self.limit = limit
  }

  /// A reader with one store for all questions.
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

  /// How many questions of operators wait or are under way.
  var waitingOperators: Int { operators.count }

  static let tooMany = Problem(
    429, "too-many-questions",
    "\(ReadingLane.maximumPerAsker) questions of this operator or person wait already; ask again when one is answered",
    retryAfter: 5)

  /// Answers a question.
  /// - Parameter isGone: whether nobody waits for the answer any more; asked between steps and while the store works.
  func answer(_ question: Query, isGone: @escaping @Sendable () -> Bool = { false }) async -> IngestResponse {
    await withCheckedContinuation { continuation in
      let run = NIOLockedValueBox(QuestionRun(question))
      let job = ReadingLane.Job(limit: limit, isGone: isGone) { store in
        guard let answer = run.withLockedValue({ $0.advance(from: store) }) else { return false }
        continuation.resume(returning: answer)
        return true
      } onBreak: {
        continuation.resume(returning: Query.tookTooLong.response)
      }
      if !lane(of: question.asker).add(job, of: question.asker) {
        continuation.resume(returning: Self.tooMany.response)
      }
    }
  }

  /// Why a part of an answer is missing.
  struct Broken: Error {
    var response: IngestResponse
  }

  /// The next bytes of an answer in parts, and what is left of it. Other questions have their turn in between.
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
