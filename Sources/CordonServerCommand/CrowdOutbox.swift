import CordonCore
import CordonWire

/// The rows of a made-up device that the server has not taken yet, oldest first.
struct CrowdOutbox {
  private(set) var rows: [Location] = []
  /// The most rows that wait, ten minutes of a walk; the oldest go.
  static let most = 600

  mutating func add(_ new: [Location]) {
    rows += new
    if rows.count > Self.most { rows.removeFirst(rows.count - Self.most) }
  }

  /// Drops what has a final answer: it is kept, or never will be.
  mutating func settle(_ answers: [PositionAnswers.Answer]) {
    let final = Set(answers.filter { $0.status != .retry }.compactMap(\.id))
    rows.removeAll { final.contains($0.id) }
  }
}
