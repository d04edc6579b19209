import CordonSupport

/// Two states of a record that nobody has joined yet.
///
/// A field that only one side changed since their common ancestor has a suggestion. The others need a decision of a person.
package struct FormConflict: Hashable, Sendable {
  /// The heads, by time and identifier.
  package let heads: [FormRevision]
  /// The fields in which the heads differ, in ascending order.
  package let fields: [Field]

  /// A field with different answers.
  package struct Field: Hashable, Sendable {
    /// The name of the field or group.
    package var name: String
    /// The answer of each head as JSON; `nil` for none.
    package var answers: [JSONText?]
    /// The head whose answer is suggested: the only one that changed the field; `nil` if several did.
    package var suggestion: Int?
  }

  /// An answer as a JSON text.
  package typealias JSONText = String

  /// Compares the heads of a record; `nil` without a conflict.
  package init?(_ records: FormRecords, record: String) {
    let heads = records.heads(of: record)
    guard heads.count > 1 else { return nil }
    self.heads = heads
    let history = Dictionary(records.history(of: record).map { ($0.id, $0) }, uniquingKeysWith: { one, _ in one })
    let ancestor = FormConflict.commonAncestor(of: heads, in: history)
    let names = Set(heads.flatMap { ($0.answers?.members ?? []).map(\.key) }).sorted()
    fields = names.compactMap { name in
      let answers = heads.map { $0.answers?[name]?.text() }
      guard Set(answers).count > 1 else { return nil }
      let before = ancestor?.answers?[name]?.text()
      let changed = answers.indices.filter { answers[$0] != before }
      return Field(name: name, answers: answers, suggestion: changed.count == 1 ? changed[0] : nil)
    }
  }

  /// Returns the latest revision that all heads come from.
  private static func commonAncestor(of heads: [FormRevision], in history: [String: FormRevision]) -> FormRevision? {
    func ancestors(_ revision: FormRevision) -> Set<String> {
      var found: Set<String> = []
      var open = revision.parents
      while let next = open.popLast() {
        guard found.insert(next).inserted, let one = history[next] else { continue }
        open += one.parents
      }
      return found
    }
    let common = heads.dropFirst().reduce(ancestors(heads[0])) { $0.intersection(ancestors($1)) }
    return common.compactMap { history[$0] }.max { a, b in a.time != b.time ? a.time < b.time : a.id < b.id }
  }
}
