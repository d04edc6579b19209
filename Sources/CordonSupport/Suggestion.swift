/// Suggests an existing name for one that does not exist.
package enum Suggestion {
  /// Returns the nearest of some names; `nil` when none is near.
  ///
  /// A name is near in two cases: the word has at least three letters and is a prefix of that name alone, or the edit
  /// distance is at most 1 or a third of the shorter word. Leading hyphens and upper case do not count.
  package static func nearest(to word: String, in names: some Sequence<String>) -> String? {
    let core = core(of: word)
    guard !core.isEmpty else { return nil }
    let names = names.map { (name: $0, core: Suggestion.core(of: $0)) }
    let beginnings = names.filter { core.count >= 3 && $0.core.hasPrefix(core) }
    if beginnings.count == 1 { return beginnings[0].name }
    let near = names.map { (distance: EditDistance.edits(core, $0.core), $0.name, $0.core) }
      .filter { $0.distance <= max(1, min(core.count, $0.2.count) / 3) && $0.distance < core.count }
    return near.min { ($0.distance, $0.1) < ($1.distance, $1.1) }?.1
  }

  /// Returns ` (did you mean 'size'?)`, or an empty text when no name is near.
  package static func hint(for word: String, among names: some Sequence<String>) -> String {
    nearest(to: word, in: names).map { " (did you mean '\($0)'?)" } ?? ""
  }

  private static func core(of word: String) -> String { String(word.drop { $0 == "-" }).lowercased() }
}
