/// The edit distance of two words, for suggestions after a typing error.
package enum EditDistance {
  /// Returns the restricted Damerau-Levenshtein distance: the number of insertions, deletions, substitutions and
  /// swaps of neighbours. Only the first 64 letters of a word count.
  package static func edits(_ first: String, _ second: String) -> Int {
    let (first, second) = (Array(first.prefix(64)), Array(second.prefix(64)))
    var (before, last) = ([Int](), Array(0...second.count))
    for i in first.indices {
      var row = [i + 1]
      for j in second.indices {
        var least = min(last[j] + (first[i] == second[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, first[i] == second[j - 1], first[i - 1] == second[j] { least = min(least, before[j - 1] + 1) }
        row.append(least)
      }
      (before, last) = (last, row)
    }
    return last[second.count]
  }
}
